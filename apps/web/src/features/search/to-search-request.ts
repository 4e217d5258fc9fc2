import type { SearchRequest } from '../../api/search.ts'
import { addDays } from '../../lib/calendar-day.ts'
import type { FindSearch } from '../../lib/find-search.ts'

/** What the address says, as the API asks for it: its `to` is the first day that no longer counts. */
export function toSearchRequest({ q, day, ...filters }: FindSearch): SearchRequest {
  return { ...filters, q: q?.trim(), from: day, to: day && addDays(day, 1) }
}
