import type { MessageFilter } from '@gemini-dash/api'
import { useSyncExternalStore } from 'react'
import type { FindSearch } from './page-searches.ts'
import { choiceParam, type RawSearch, textParam } from './search-params.ts'

/** Views that replace the conversation, in menu order. */
export const SESSION_VIEWS = ['changes', 'cost'] as const
export type SessionView = (typeof SESSION_VIEWS)[number]

/** Search parameters of a session page. */
export type SessionSearch = {
  /** Shows only messages with such a block. */
  show?: MessageFilter
  /** The search text, highlighted in the conversation. */
  q?: string
  mode?: 'substring' | 'regex'
  /** Key of the message that was found. */
  hit?: string
  /** The view that replaces the conversation. */
  view?: SessionView
}

/** In menu order. */
export const MESSAGE_FILTERS: readonly MessageFilter[] = ['dialogue', 'errors', 'edits', 'shell', 'thoughts']

export function readSessionSearch(search: RawSearch): SessionSearch {
  return {
    show: choiceParam(search, 'show', MESSAGE_FILTERS),
    q: textParam(search, 'q'),
    mode: choiceParam(search, 'mode', ['substring', 'regex']),
    hit: textParam(search, 'hit'),
    // old links use "context"
    view: search.view === 'context' ? 'cost' : choiceParam(search, 'view', SESSION_VIEWS),
  }
}

/** Parameters for the unfiltered conversation: a filter might hide the target. */
export function conversationSearch(search: SessionSearch): SessionSearch {
  return { ...search, view: undefined, show: undefined, hit: undefined }
}

/** Continues a search on a session page, at a hit or at the first one. */
export function sessionSearch(
  { q, mode }: FindSearch,
  hit: { messageKey: string | null } = { messageKey: null },
): SessionSearch {
  return { q, mode, hit: hit.messageKey ?? undefined }
}

// Stored in this browser only.
const STORAGE_KEY = 'gemini-dash.recent-searches'
const MOST_KEPT = 8

const listeners = new Set<() => void>()

/** Recent searches, newest first. */
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

/** The browser may have storage disabled. */
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
