import type { ListSearch } from '../../lib/address/list-search.ts'
import { addDays } from '../../lib/figures/calendar-day.ts'
import { formatDate, startOfDay } from '../../lib/figures/format.ts'

/** `21 Nov`, `16 Nov to 22 Nov`, `from 16 Nov`, `until 22 Nov`; undefined where no days are named. */
export function describeDays({ from, to }: Pick<ListSearch, 'from' | 'to'>): string | undefined {
  const first = from && formatDate(startOfDay(from).toISOString())
  // `to` is not included
  const lastDay = to && addDays(to, -1)
  const last = lastDay && formatDate(startOfDay(lastDay).toISOString())
  if (!first) return last && `until ${last}`
  if (!last) return `from ${first}`
  return first === last ? first : `${first} to ${last}`
}
