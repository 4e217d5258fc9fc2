import type { SessionSummary } from 'gemini-sessions'
import { dayOf, formatClock, formatLongDate, formatZone } from '../../lib/dates.ts'

/** `Sat, 21 Nov 2026, 20:30 to 23:12`: includes the second day if it differs, and the first zone if clocks changed. */
export function sessionSpan(start: string, end: string | null): string {
  const from = `${formatLongDate(start)}, ${formatClock(start)}`
  if (end === null) return from
  const [startDate, endDate] = [new Date(start), new Date(end)]
  const startZone = formatZone(startDate)
  const zone = startZone === formatZone(endDate) ? '' : ` ${startZone}`
  const day = dayOf(startDate) === dayOf(endDate) ? '' : `${formatLongDate(end)}, `
  return `${from}${zone} to ${day}${formatClock(end)}`
}

/** The same with its zone: `Sat, 21 Nov 2026, 20:30 to 23:12 CET`; '' if no time is recorded. */
export function zonedSpan({ startTime, endTime }: SessionSummary): string {
  if (startTime === null) return ''
  return `${sessionSpan(startTime, endTime)} ${formatZone(new Date(endTime ?? startTime))}`
}
