import { addDays, nextMonth, weekdayOf } from '../../../lib/figures/calendar-day.ts'
import { formatDate, formatMonth, startOfDay } from '../../../lib/figures/format.ts'

export type PeriodUnit = 'day' | 'week' | 'month'

const MOST_DAYS = 100
const MOST_WEEKS_IN_DAYS = 730

/** What a range of so many days is gathered by, so that each period can be seen. */
export function periodUnit(dayCount: number): PeriodUnit {
  if (dayCount <= MOST_DAYS) return 'day'
  return dayCount <= MOST_WEEKS_IN_DAYS ? 'week' : 'month'
}

/** The day on which the week (from Monday) or month of a day begins. */
export function startOfPeriod(unit: PeriodUnit, day: string): string {
  if (unit === 'day') return day
  if (unit === 'month') return `${day.slice(0, 7)}-01`
  return addDays(day, -weekdayOf(day))
}

/** The first day after a period. */
export function endOfPeriod(unit: PeriodUnit, start: string): string {
  return unit === 'month' ? nextMonth(start) : addDays(start, unit === 'week' ? 7 : 1)
}

/** `21 Nov`, `week of 16 Nov`, `Nov 2026` */
export function describePeriod(start: string, unit: PeriodUnit): string {
  if (unit === 'month') return formatMonth(start, true)
  const day = formatDate(startOfDay(start).toISOString())
  return unit === 'week' ? `week of ${day}` : day
}
