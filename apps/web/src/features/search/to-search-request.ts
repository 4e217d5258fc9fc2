import type { SearchRequest } from '../../api/search.ts'
import type { FindSearch, SearchRange } from '../../lib/address/find-search.ts'
import { addDays } from '../../lib/figures/calendar-day.ts'
import { currentTime } from '../../lib/figures/current-time.ts'
import { dayOf } from '../../lib/figures/format.ts'

const DAYS: Record<SearchRange, number> = { today: 1, '7d': 7, '30d': 30 }

/** What the address says, as the API asks for it: its `to` is the first day that no longer counts. One day goes before a longer time. */
export function toSearchRequest(
  { q, day, range, from, to, pages: _, ...filters }: FindSearch,
  now = currentTime(),
): SearchRequest {
  const asked = { ...filters, q: q?.trim() }
  if (day !== undefined) return { ...asked, from: day, to: addDays(day, 1) }
  // a range of n days is today and the n - 1 days before
  if (range !== undefined) return { ...asked, from: addDays(dayOf(now), 1 - DAYS[range]) }
  return { ...asked, from, to }
}
