import { localTimeMs } from '../times/time-zone.ts'

const HOUR_MS = 60 * 60 * 1000
/** 1 January 1970 was a Thursday. */
const HOURS_TO_FIRST_MONDAY = 4 * 24
const HOURS_OF_WEEK = 7 * 24

/** `1-00` (Monday, midnight) to `7-23` of an instant in a zone, `unknown` without one; they sort as they follow each other. */
export function hourOfWeek(instantMs: number, zone: string): string {
  const hour = Math.floor(localTimeMs(instantMs, zone) / HOUR_MS) - HOURS_TO_FIRST_MONDAY
  return NAMES[((hour % HOURS_OF_WEEK) + HOURS_OF_WEEK) % HOURS_OF_WEEK] ?? 'unknown'
}

const NAMES = Array.from(
  { length: HOURS_OF_WEEK },
  (_, hour) => `${Math.floor(hour / 24) + 1}-${String(hour % 24).padStart(2, '0')}`,
)
