import type { SearchRequest } from '../../api/search.ts'
import type { FindSearch } from '../../lib/find-search.ts'

/** What the address says, as the API asks for it. */
export function toSearchRequest({ q, day, ...filters }: FindSearch): SearchRequest {
  return { ...filters, q: q?.trim(), from: day, to: day }
}
