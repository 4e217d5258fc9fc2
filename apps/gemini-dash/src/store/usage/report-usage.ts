import type { UsageQuery, UsageReport } from '@gemini-dash/api'
import type { SessionFailures } from 'gemini-sessions'
import { overlaps } from '../times/session-span.ts'
import { ANY_TIME, isInRange, timeRange } from '../times/time-range.ts'
import { ownZone } from '../times/time-zone.ts'
import { bucketTime } from './bucket-time.ts'
import { rowsByBucket } from './rows-by-bucket.ts'
import { rowsByTool } from './rows-by-tool.ts'
import { Tally } from './tally.ts'
import type { UsageSource } from './usage-source.ts'

/** A report without what it says of its own making. */
export type UsageFigures = Omit<UsageReport, 'coverage' | 'unread' | 'budgets'>

/** Tokens and cost spent, rolled up from the quarter hours in which calls were made. Everything counts once. */
export function reportUsage(
  sources: UsageSource[],
  query: Omit<UsageQuery, 'format'>,
  projectKeys: ReadonlySet<string> | null,
): UsageFigures {
  const zone = query.tz ?? ownZone()
  const range = timeRange(query, zone)
  const wanted = sources.filter(
    ({ summary }) =>
      (summary.kind === 'main' || summary.kind === 'subagent') &&
      (projectKeys === null || projectKeys.has(summary.project.key)) &&
      overlaps(summary, range),
  )
  const slices =
    range === ANY_TIME
      ? wanted
      : wanted.map(({ summary, buckets, tools }) => ({
          summary,
          buckets: buckets.filter((bucket) => isInRange(bucketTime(bucket, summary), range)),
          tools,
        }))
  const total = new Tally()
  for (const slice of slices) {
    total.addSession(slice.summary)
    for (const { usage, cost } of slice.buckets) total.add(slice.summary, usage, cost)
  }
  const { by, split } = query
  const rows = by === 'tool' ? rowsByTool(slices) : rowsByBucket(slices, { by, split }, zone)
  const figures = total.figures()
  return { rows, total: { ...figures, calls: figures.usage.calls, failures: sumFailures(slices) } }
}

/** They have no time of their own: like tools, they follow the range of their session. */
function sumFailures(slices: UsageSource[]): SessionFailures {
  const sum = { tools: 0, refused: 0, unanswered: 0 }
  for (const { summary } of slices) {
    sum.tools += summary.failures?.tools ?? 0
    sum.refused += summary.failures?.refused ?? 0
    sum.unanswered += summary.failures?.unanswered ?? 0
  }
  return sum
}
