import { type RawSearch, textParam } from './search-params.ts'

/** Keys or ids of the sessions side by side; a missing one is still to be chosen. */
export type CompareSearch = { a?: string; b?: string }

export function readCompareSearch(search: RawSearch): CompareSearch {
  return { a: textParam(search, 'a'), b: textParam(search, 'b') }
}
