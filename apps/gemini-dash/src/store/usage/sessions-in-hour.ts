import type { SessionQuery } from '@gemini-dash/api'
import { isInRange, timeRange } from '../times/time-range.ts'
import { bucketTime, hourOfWeek } from './bucket-time.ts'
import type { UsageSource } from './usage-source.ts'

/** Keys of the sessions that made a model call in an hour of the week; a sub-agent's call is also one of all that it is below. */
export function sessionsInHour(
  sources: readonly UsageSource[],
  { hour, from, to }: Pick<SessionQuery, 'from' | 'to'> & { hour: string },
  zone: string,
): ReadonlySet<string> {
  const range = timeRange({ from, to }, zone)
  const parents = new Map(sources.map(({ summary: { key, parentKey } }) => [key, parentKey]))
  const keys = new Set<string>()
  for (const { summary, buckets } of sources) {
    const isIn = buckets.some((bucket) => {
      const timeMs = bucketTime(bucket, summary)
      return isInRange(timeMs, range) && hourOfWeek(timeMs, zone) === hour
    })
    if (!isIn) continue
    for (let key: string | null = summary.key; key !== null; key = parents.get(key) ?? null) keys.add(key)
  }
  return keys
}
