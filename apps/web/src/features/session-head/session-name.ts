import type { SessionSummary } from 'gemini-sessions'
import { dayOf, formatClock, formatLongDate, formatZone } from '../../lib/dates.ts'

/** The title; for a session without one, its file name. */
export function sessionName(session: SessionSummary): string {
  return session.title || session.files[0]?.path.split('/').at(-1) || 'Session without a name'
}

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
