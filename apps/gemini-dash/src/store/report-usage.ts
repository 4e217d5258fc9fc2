import type { UsageQuery, UsageReport, UsageRow } from '@gemini-dash/api'
import type { SessionRecord } from '@gemini-dash/session-index'
import {
  addCost,
  addUsage,
  type Cost,
  NO_COST,
  NO_USAGE,
  type SessionSummary,
  type TokenUsage,
} from 'gemini-sessions'
import { overlaps } from './list-sessions.ts'
import { localDay, ownZone, startOfTime } from './time-zone.ts'

/** A session as the usage report needs it. */
export interface UsageSource {
  summary: SessionSummary
  buckets: SessionRecord['buckets']
  tools: SessionRecord['tools']
}

/** Tokens and cost spent, rolled up from the quarter hours in which calls were made. Everything counts once. */
export function reportUsage(
  sources: UsageSource[],
  query: UsageQuery,
  projectKeys: ReadonlySet<string> | null,
): UsageReport {
  const zone = query.tz ?? ownZone()
  const wanted = sources.filter(
    ({ summary }) =>
      (summary.kind === 'main' || summary.kind === 'subagent') &&
      (projectKeys === null || projectKeys.has(summary.project.key)) &&
      overlaps(summary, query, zone),
  )
  const slices = wanted.map((source) => ({ ...source, buckets: bucketsInRange(source, query, zone) }))
  const total = new Tally()
  for (const slice of slices) {
    total.addSession(slice.summary)
    for (const bucket of slice.buckets) total.add(bucket.usage, bucket.cost)
  }
  const rows = query.by === 'tool' ? rowsByTool(slices) : rowsByBucket(slices, query.by, zone)
  return { rows, total: { ...total.figures(), sessions: total.sessions() } }
}

/** Sums of usage and cost, and the conversations behind them. */
class Tally {
  usage: TokenUsage = NO_USAGE
  cost: Cost = NO_COST
  readonly #sessionKeys = new Set<string>()

  add(usage: TokenUsage, cost: Cost): void {
    this.usage = addUsage(this.usage, usage)
    this.cost = addCost(this.cost, cost)
  }

  /** A sub-agent's calls belong to the session that started it, which is what a person would count. */
  addSession(summary: SessionSummary): void {
    this.#sessionKeys.add(summary.parentKey ?? summary.key)
  }

  sessions(): number {
    return this.#sessionKeys.size
  }

  figures(): { usage: TokenUsage; cost: Cost; calls: number } {
    return { usage: this.usage, cost: this.cost, calls: this.usage.calls }
  }
}

function bucketsInRange(source: UsageSource, query: UsageQuery, zone: string): UsageSource['buckets'] {
  const from = query.from === undefined ? Number.NEGATIVE_INFINITY : startOfTime(query.from, zone)
  const to = query.to === undefined ? Number.POSITIVE_INFINITY : startOfTime(query.to, zone)
  if (from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY) return source.buckets
  return source.buckets.filter(({ quarterHour }) => {
    const time = Date.parse(quarterHour ?? source.summary.startTime ?? '')
    return time >= from && time < to
  })
}

function rowsByBucket(
  slices: UsageSource[],
  by: Exclude<UsageQuery['by'], 'tool'>,
  zone: string,
): UsageRow[] {
  const rows = new Map<string, { label: string; tally: Tally; models: Map<string, Tally> }>()
  for (const { summary, buckets } of slices) {
    for (const bucket of buckets) {
      const { key, label } = rowOf(by, summary, bucket, zone)
      const row = rows.get(key) ?? { label, tally: new Tally(), models: new Map<string, Tally>() }
      rows.set(key, row)
      row.tally.add(bucket.usage, bucket.cost)
      row.tally.addSession(summary)
      if (by === 'day') tallyOf(row.models, bucket.model ?? 'unknown').add(bucket.usage, bucket.cost)
    }
  }
  const list = [...rows].map(([key, { label, tally, models }]): UsageRow => {
    const row = { key, label, ...tally.figures(), sessions: tally.sessions() }
    return by === 'day' ? { ...row, models: modelsBySize(models) } : row
  })
  return list.sort(by === 'day' ? newestDayFirst : mostSpentFirst)
}

function rowOf(
  by: Exclude<UsageQuery['by'], 'tool'>,
  summary: SessionSummary,
  bucket: UsageSource['buckets'][number],
  zone: string,
): { key: string; label: string } {
  switch (by) {
    case 'day': {
      const day = localDay(bucket.quarterHour ?? summary.startTime ?? '', zone)
      return { key: day, label: day }
    }
    case 'model':
      return { key: bucket.model ?? 'unknown', label: bucket.model ?? 'unknown' }
    case 'project':
      return { key: summary.project.key, label: summary.project.name }
    case 'session':
      return { key: summary.key, label: summary.title }
  }
}

function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  let tally = tallies.get(name)
  if (tally === undefined) {
    tally = new Tally()
    tallies.set(name, tally)
  }
  return tally
}

function modelsBySize(models: Map<string, Tally>): NonNullable<UsageRow['models']> {
  return [...models]
    .map(([name, { usage, cost }]) => ({ name, usage, cost }))
    .sort((a, b) => b.usage.total - a.usage.total || (a.name < b.name ? -1 : 1))
}

function newestDayFirst(a: UsageRow, b: UsageRow): number {
  return a.key < b.key ? 1 : -1
}

function mostSpentFirst(a: UsageRow, b: UsageRow): number {
  const costs = (b.cost?.usd ?? -1) - (a.cost?.usd ?? -1)
  return costs || (b.usage?.total ?? 0) - (a.usage?.total ?? 0) || (a.key < b.key ? -1 : 1)
}

/** A call's tokens are not given to each of its tools: calls, failures and what the outputs brought into context instead. */
function rowsByTool(slices: UsageSource[]): UsageRow[] {
  const rows = new Map<string, { calls: number; errors: number; outputTokens: number; tally: Tally }>()
  for (const { summary, tools } of slices) {
    for (const tool of tools) {
      const row = rows.get(tool.name) ?? { calls: 0, errors: 0, outputTokens: 0, tally: new Tally() }
      rows.set(tool.name, row)
      row.calls += tool.calls
      row.errors += tool.errors
      row.outputTokens += tool.outputTokensEstimate
      row.tally.addSession(summary)
    }
  }
  return [...rows]
    .map(([name, { calls, errors, outputTokens, tally }]) => ({
      key: name,
      label: name,
      usage: null,
      cost: null,
      calls,
      sessions: tally.sessions(),
      errors,
      outputTokensEstimate: outputTokens,
    }))
    .sort((a, b) => b.calls - a.calls || (a.key < b.key ? -1 : 1))
}
