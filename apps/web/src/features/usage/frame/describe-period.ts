import { formatDate, formatMonth, startOfDay } from '../../../lib/figures/format.ts'
import type { PeriodUnit } from './periods.ts'

/** `21 Nov`, `week of 16 Nov`, `Nov 2026` */
export function describePeriod(start: string, unit: PeriodUnit): string {
  if (unit === 'month') return formatMonth(start, true)
  const day = formatDate(startOfDay(start).toISOString())
  return unit === 'week' ? `week of ${day}` : day
}
