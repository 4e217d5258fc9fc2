import { formatDate, startOfDay } from '../../lib/format.ts'
import type { ColumnUnit } from './columns.ts'

/** `21 Nov`, `week of 16 Nov`, `Nov 2026` */
export function describePeriod(start: string, unit: ColumnUnit): string {
  const date = startOfDay(start)
  if (unit === 'month') return date.toLocaleDateString('en-GB', { month: 'short', year: 'numeric' })
  const day = formatDate(date.toISOString())
  return unit === 'week' ? `week of ${day}` : day
}
