import type { SearchRequest } from '../../api/search.ts'
import type { FindSearch } from '../../lib/find-search.ts'
import { dayOf, startOfDay } from '../../lib/format.ts'

/** What the address says, as the API asks for it. */
export function toSearchRequest({ q, day, ...filters }: FindSearch): SearchRequest {
  return { ...filters, q: q?.trim(), from: day, to: day && dayAfter(day) }
}

/** The API's `to` is the first moment that no longer counts. */
function dayAfter(day: string): string {
  const date = startOfDay(day)
  date.setDate(date.getDate() + 1)
  return dayOf(date)
}
