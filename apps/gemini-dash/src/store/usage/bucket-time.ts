import { clockAt } from '@gemini-dash/api/zone-clock'
import type { UsageSource } from './usage-source.ts'

const HOUR_MS = 60 * 60 * 1000

/** 1 January 1970 was a Thursday. */
const HOURS_TO_FIRST_MONDAY = 4 * 24

const HOURS_OF_WEEK = 7 * 24

const NAMES = Array.from(
  { length: HOURS_OF_WEEK },
  (_, hour) => `${Math.floor(hour / 24) + 1}-${String(hour % 24).padStart(2, '0')}`,
)

const known = new Map<string, number>()

/** When the calls of a bucket were made, in ms since 1970: its quarter hour, else the session's start; NaN if unknown. */
export function bucketTime(
  { quarterHour }: Pick<UsageSource['buckets'][number], 'quarterHour'>,
  { startTime }: Pick<UsageSource['summary'], 'startTime'>,
): number {
  if (quarterHour === null) return Date.parse(startTime ?? '')
  // many sessions share one, and every report asks for all of them
  let timeMs = known.get(quarterHour)
  if (timeMs === undefined) {
    timeMs = Date.parse(quarterHour)
    known.set(quarterHour, timeMs)
  }
  return timeMs
}

/** `1-00` (Monday, midnight) to `7-23` of an instant in a zone, `unknown` without one; they sort as they follow each other. */
export function hourOfWeek(instantMs: number, zone: string): string {
  const hour = Math.floor(clockAt(instantMs, zone) / HOUR_MS) - HOURS_TO_FIRST_MONDAY
  return NAMES[((hour % HOURS_OF_WEEK) + HOURS_OF_WEEK) % HOURS_OF_WEEK] ?? 'unknown'
}
