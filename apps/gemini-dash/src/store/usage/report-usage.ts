import type { UsageQuery, UsageReport, UsageRow } from '@gemini-dash/api'
import { addFailures, type SessionFailures, type ToolStats } from 'gemini-sessions'
import { overlaps } from '../times/session-span.ts'
import { ANY_TIME, isInRange, timeRange } from '../times/time-range.ts'
import { ownZone } from '../times/time-zone.ts'
import { bucketTime } from './bucket-time.ts'
import { rowsByBucket } from './rows-by-bucket.ts'
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
  const slices = sliceSources(sources, query, projectKeys)
  const total = new Tally()
  for (const { owner, buckets } of slices) {
    total.addSession(owner)
    for (const { usage, cost } of buckets) total.add(owner, usage, cost)
  }
  const { by, split } = query
  const rows = by === 'tool' ? rowsByTool(slices) : rowsByBucket(slices, { by, split }, zone)
  const figures = total.figures()
  return { rows, total: { ...figures, calls: figures.usage.calls, failures: sumFailures(slices) } }
}

/**
 * What of the sessions falls into the range and the projects that are asked for. Calls of models have times of their own; tools
 * and failures follow their session, sub-agents' that of their main session, as in the rows of a list.
 */
export function sliceSources(
  sources: UsageSource[],
  query: Pick<UsageQuery, 'from' | 'to' | 'tz'>,
  projectKeys: ReadonlySet<string> | null,
): UsageSlice[] {
  const range = timeRange(query, query.tz ?? ownZone())
  const wanted = sources.filter(
    ({ summary }) =>
      (summary.kind === 'main' || summary.kind === 'subagent') &&
      (projectKeys === null || projectKeys.has(summary.project.key)),
  )
  if (range === ANY_TIME) return wanted.map((source) => ({ ...source, failures: source.summary.failures }))
  return wanted.flatMap((source): UsageSlice[] => {
    const { summary, owner, buckets } = source
    const isListed = overlaps(owner, range)
    if (!isListed && !overlaps(summary, range)) return []
    const within = buckets.filter((bucket) => isInRange(bucketTime(bucket, summary), range))
    return isListed
      ? [{ ...source, buckets: within, failures: summary.failures }]
      : [{ ...source, buckets: within, tools: [], failures: null }]
  })
}

/** What of a session falls into a range. */
export interface UsageSlice extends UsageSource {
  /** null: none of them do. */
  failures: SessionFailures | null
}

function sumFailures(slices: UsageSlice[]): SessionFailures {
  return slices.reduce((sum, { failures }) => (failures === null ? sum : addFailures(sum, failures)), {
    tools: 0,
    refused: 0,
    unanswered: 0,
  })
}

interface Row extends Omit<ToolStats, 'name'> {
  tally: Tally
}

/** A call's tokens are not given to each of its tools: calls, failures, time and what the outputs brought into context instead. */
function rowsByTool(slices: UsageSource[]): UsageRow[] {
  const rows = new Map<string, Row>()
  for (const { owner, tools } of slices) {
    for (const tool of tools) {
      const row = rows.get(tool.name) ?? emptyRow()
      rows.set(tool.name, row)
      row.calls += tool.calls
      row.errors += tool.errors
      row.outputTokensEstimate += tool.outputTokensEstimate
      row.maxTimeMs += tool.maxTimeMs
      row.timedCalls += tool.timedCalls
      row.tally.addSession(owner)
    }
  }
  return [...rows]
    .map(([name, { tally, ...figures }]) => ({
      key: name,
      label: name,
      usage: null,
      cost: null,
      sessions: tally.figures().sessions,
      ...figures,
    }))
    .sort((a, b) => b.calls - a.calls || (a.key < b.key ? -1 : 1))
}

function emptyRow(): Row {
  return { calls: 0, errors: 0, outputTokensEstimate: 0, maxTimeMs: 0, timedCalls: 0, tally: new Tally() }
}
