import { formatDate, startOfDay } from '../../lib/format.ts'
import type { PeriodUnit } from './periods.ts'

/** `21 Nov`, `week of 16 Nov`, `Nov 2026` */
export function describePeriod(start: string, unit: PeriodUnit): string {
  const date = startOfDay(start)
  if (unit === 'month') return date.toLocaleDateString('en-GB', { month: 'short', year: 'numeric' })
  const day = formatDate(date.toISOString())
  return unit === 'week' ? `week of ${day}` : day
}
