import { localTimeMs } from '../time-zone.ts'

/** `1-00` (Monday, midnight) to `7-23` of an instant in a zone, `unknown` without one; they sort as they follow each other. */
export function hourOfWeek(instant: string, zone: string): string {
  const timeMs = Date.parse(instant)
  if (Number.isNaN(timeMs)) return 'unknown'
  const local = new Date(localTimeMs(timeMs, zone))
  const weekday = local.getUTCDay() || 7
  return `${weekday}-${String(local.getUTCHours()).padStart(2, '0')}`
}
