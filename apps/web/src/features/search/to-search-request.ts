import type { SearchRequest } from '../../api/search.ts'
import type { FindSearch } from '../../lib/address/find-search.ts'
import { addDays } from '../../lib/figures/calendar-day.ts'

/** What the address says, as the API asks for it: its `to` is the first day that no longer counts. */
export function toSearchRequest({ q, day, ...filters }: FindSearch): SearchRequest {
  return { ...filters, q: q?.trim(), from: day, to: day && addDays(day, 1) }
}
