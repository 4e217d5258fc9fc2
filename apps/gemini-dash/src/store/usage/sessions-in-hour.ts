import type { SessionQuery } from '@gemini-dash/api'
import { startOfTime } from '../time-zone.ts'
import { hourOfWeek } from './hour-of-week.ts'
import type { UsageSource } from './usage-source.ts'

/** Keys of the sessions that made a model call in an hour of the week; a sub-agent's call is also one of its parent. */
export function sessionsInHour(
  sources: readonly UsageSource[],
  { hour, from, to }: Pick<SessionQuery, 'from' | 'to'> & { hour: string },
  zone: string,
): ReadonlySet<string> {
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : startOfTime(from, zone)
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : startOfTime(to, zone)
  const keys = new Set<string>()
  for (const { summary, buckets } of sources) {
    const isIn = buckets.some(({ quarterHour }) => {
      const time = quarterHour ?? summary.startTime ?? ''
      const timeMs = Date.parse(time)
      return timeMs >= fromMs && timeMs < toMs && hourOfWeek(time, zone) === hour
    })
    if (!isIn) continue
    keys.add(summary.key)
    if (summary.parentKey !== null) keys.add(summary.parentKey)
  }
  return keys
}
