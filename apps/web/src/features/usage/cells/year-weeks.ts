import { weekdayOf } from '../../../lib/figures/calendar-day.ts'
import { daysBetween } from '../../../lib/figures/day-range.ts'
import { dayOf } from '../../../lib/figures/format.ts'

const WEEKS = 53

/** The days of 53 weeks from Monday, oldest first; the last week ends today. */
export function yearWeeks(today: Date): string[][] {
  const last = dayOf(today)
  const count = (WEEKS - 1) * 7 + weekdayOf(last) + 1
  const days = daysBetween('0001-01-01', last, count)
  return Array.from({ length: WEEKS }, (_, week) => days.slice(week * 7, week * 7 + 7))
}
