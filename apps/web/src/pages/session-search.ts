import { type RawSearch, textParam } from '../lib/search-params.ts'

export type SessionSearch = {
  /** What was searched for, to be marked in the conversation. */
  q?: string
  /** Key of the message that was found. */
  hit?: string
}

export function readSessionSearch(search: RawSearch): SessionSearch {
  return { q: textParam(search, 'q'), hit: textParam(search, 'hit') }
}
