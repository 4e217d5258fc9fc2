import type { MessageFilter } from '@gemini-dash/api'
import { useSyncExternalStore } from 'react'
import type { FindSearch } from './page-searches.ts'
import { choiceParam, type RawSearch, textParam } from './search-params.ts'

/** What can be open in the place of the conversation, in the order in which it is offered. */
export const SESSION_VIEWS = ['changes', 'cost'] as const
export type SessionView = (typeof SESSION_VIEWS)[number]

/** What the address of a session carries on of a search. */
export type SessionSearch = {
  /** Only messages with such a block. */
  show?: MessageFilter
  /** What was searched for, to be marked in the conversation and walked through. */
  q?: string
  mode?: 'substring' | 'regex'
  /** Key of the message that was found. */
  hit?: string
  /** What is open in the place of the conversation. */
  view?: SessionView
}

/** In the order in which they are offered. */
export const MESSAGE_FILTERS: readonly MessageFilter[] = ['dialogue', 'errors', 'edits', 'shell', 'thoughts']

export function readSessionSearch(search: RawSearch): SessionSearch {
  return {
    show: choiceParam(search, 'show', MESSAGE_FILTERS),
    q: textParam(search, 'q'),
    mode: choiceParam(search, 'mode', ['substring', 'regex']),
    hit: textParam(search, 'hit'),
    // old links say "context"
    view: search.view === 'context' ? 'cost' : choiceParam(search, 'view', SESSION_VIEWS),
  }
}

/** The conversation with all of its messages: a filter could hide the one that is wanted. */
export function conversationSearch(search: SessionSearch): SessionSearch {
  return { ...search, view: undefined, show: undefined, hit: undefined }
}

/** The search, as the page of a session goes on with it, at a hit or at its first one. */
export function sessionSearch(
  { q, mode }: FindSearch,
  hit: { messageKey: string | null } = { messageKey: null },
): SessionSearch {
  return { q, mode, hit: hit.messageKey ?? undefined }
}

// Kept in this browser only.
const STORAGE_KEY = 'gemini-dash.recent-searches'
const MOST_KEPT = 8

const listeners = new Set<() => void>()

/** What was searched for last, newest first. */
export function useRecentSearches(): string[] {
  return read(useSyncExternalStore(subscribe, stored))
}

export function rememberSearch(query: string): void {
  const text = query.trim()
  if (text === '') return
  write([text, ...read(stored()).filter((other) => other !== text)].slice(0, MOST_KEPT))
}

export function forgetSearches(): void {
  write([])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Storage can be switched off by the browser. */
function stored(): string {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? '[]'
  } catch {
    return '[]'
  }
}

function write(queries: string[]): void {
  try {
    if (queries.length === 0) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, JSON.stringify(queries))
  } catch {
    return
  }
  for (const listener of listeners) listener()
}

function read(json: string): string[] {
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) ? list.filter((query) => typeof query === 'string').slice(0, MOST_KEPT) : []
  } catch {
    return []
  }
}
