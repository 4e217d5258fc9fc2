import type { SearchRequest } from '../../api/search.ts'
import type { FindSearch } from '../../lib/address/find-search.ts'
import { addDays } from '../../lib/figures/calendar-day.ts'
import { currentTime } from '../../lib/figures/current-time.ts'
import { firstDay } from '../../lib/figures/day-range.ts'

/** What the address says, as the API asks for it: its `to` is the first day that no longer counts. One day goes before a longer time. */
export function toSearchRequest(
  { q, day, range, from, to, pages: _, ...filters }: FindSearch,
  now = currentTime(),
): SearchRequest {
  const asked = { ...filters, q: q?.trim() }
  if (day !== undefined) return { ...asked, from: day, to: addDays(day, 1) }
  if (range !== undefined) return { ...asked, from: firstDay(range, now) }
  return { ...asked, from, to }
}
