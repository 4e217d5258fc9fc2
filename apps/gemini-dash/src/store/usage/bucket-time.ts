import type { UsageSource } from './usage-source.ts'

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
