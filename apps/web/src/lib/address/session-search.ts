import type { MessageFilter } from '@gemini-dash/api'
import type { FindSearch } from './find-search.ts'
import { choiceParam, type RawSearch, textParam } from './search-params.ts'

/** What can be open beside the conversation, or in its place, in the order in which it is offered. */
export const SESSION_VIEWS = ['timeline', 'context'] as const
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
  /** What is open beside the conversation. */
  view?: SessionView
  /** Key of the call that is chosen in the view of the context. */
  call?: string
}

/** In the order in which they are offered. */
export const MESSAGE_FILTERS: readonly MessageFilter[] = ['dialogue', 'errors', 'edits', 'shell', 'thoughts']

export function readSessionSearch(search: RawSearch): SessionSearch {
  return {
    show: choiceParam(search, 'show', MESSAGE_FILTERS),
    q: textParam(search, 'q'),
    mode: choiceParam(search, 'mode', ['substring', 'regex']),
    hit: textParam(search, 'hit'),
    view: choiceParam(search, 'view', SESSION_VIEWS),
    call: textParam(search, 'call'),
  }
}

/** The conversation with all of its messages: a filter could hide the one that is wanted. */
export function conversationSearch(search: SessionSearch): SessionSearch {
  return { ...search, view: undefined, call: undefined, show: undefined, hit: undefined }
}

/** The search, as the page of a session goes on with it, at a hit or at its first one. */
export function sessionSearch(
  { q, mode }: FindSearch,
  hit: { messageKey: string | null } = { messageKey: null },
): SessionSearch {
  return { q, mode, hit: hit.messageKey ?? undefined }
}
