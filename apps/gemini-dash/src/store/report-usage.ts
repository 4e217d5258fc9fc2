import type { UsageQuery, UsageReport } from '@gemini-dash/api'
import { overlaps } from './list-sessions.ts'
import { ownZone, startOfTime } from './time-zone.ts'
import { rowsByBucket } from './usage/rows-by-bucket.ts'
import { rowsByTool } from './usage/rows-by-tool.ts'
import { Tally } from './usage/tally.ts'
import type { UsageSource } from './usage/usage-source.ts'

/** Tokens and cost spent, rolled up from the quarter hours in which calls were made. Everything counts once. */
export function reportUsage(
  sources: UsageSource[],
  query: Omit<UsageQuery, 'format'>,
  projectKeys: ReadonlySet<string> | null,
): UsageReport {
  const zone = query.tz ?? ownZone()
  const wanted = sources.filter(
    ({ summary }) =>
      (summary.kind === 'main' || summary.kind === 'subagent') &&
      (projectKeys === null || projectKeys.has(summary.project.key)) &&
      overlaps(summary, query, zone),
  )
  const isInRange = rangeTest(query, zone)
  const slices =
    isInRange === null
      ? wanted
      : wanted.map((source) => ({ ...source, buckets: bucketsInRange(source, isInRange) }))
  const total = new Tally()
  for (const slice of slices) {
    total.addSession(slice.summary)
    for (const { usage, cost } of slice.buckets) total.add(slice.summary, usage, cost)
  }
  const { by, split } = query
  const rows = by === 'tool' ? rowsByTool(slices) : rowsByBucket(slices, { by, split }, zone)
  const figures = total.figures()
  return { rows, total: { ...figures, calls: figures.usage.calls } }
}

/** null: any time. */
function rangeTest(
  query: Pick<UsageQuery, 'from' | 'to'>,
  zone: string,
): ((timeMs: number) => boolean) | null {
  if (query.from === undefined && query.to === undefined) return null
  const from = query.from === undefined ? Number.NEGATIVE_INFINITY : startOfTime(query.from, zone)
  const to = query.to === undefined ? Number.POSITIVE_INFINITY : startOfTime(query.to, zone)
  return (timeMs) => timeMs >= from && timeMs < to
}

function bucketsInRange(source: UsageSource, isInRange: (timeMs: number) => boolean): UsageSource['buckets'] {
  return source.buckets.filter(({ quarterHour }) =>
    isInRange(Date.parse(quarterHour ?? source.summary.startTime ?? '')),
  )
}
