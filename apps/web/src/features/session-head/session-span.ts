import { dayOf, formatClock, formatZone } from '../../lib/format.ts'

/** `Sat, 21 Nov 2026, 20:30 to 23:12 CET`; the second day is named where it is another. */
export function sessionSpan(start: string, end: string | null): string {
  const startDate = new Date(start)
  const from = `${longDay(startDate)}, ${formatClock(start)}`
  if (end === null) return `${from} ${formatZone(startDate)}`
  const endDate = new Date(end)
  const isSameDay = dayOf(startDate) === dayOf(endDate)
  return `${from} to ${isSameDay ? '' : `${longDay(endDate)}, `}${formatClock(end)} ${formatZone(endDate)}`
}

function longDay(date: Date): string {
  return date.toLocaleDateString('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
}
