import { setTimeout } from 'node:timers/promises'
import type { UsageQuery, UsageReport, UsageRow } from '@gemini-dash/api'
import { sessionName } from '@gemini-dash/api/session-name'
import { clockAt } from '@gemini-dash/api/zone-clock'
import type { SessionRecord } from '@gemini-dash/session-index'
import {
  addCost,
  addFailures,
  type Cost,
  type FateCounts,
  NO_COST,
  NO_USAGE,
  type SessionFailures,
  type SessionSummary,
  type TokenUsage,
  type ToolStats,
} from 'gemini-sessions'
import type { ProjectIdentity } from 'gemini-sessions/node'
import { ANY_TIME, isInRange, isPeriod, overlaps, ownZone, periodOf, timeRange } from '../times.ts'

/** The existing rows. */
export interface UsageRows {
  /** Grows with every change of a row. */
  readonly revision: number
  sessions: () => ReadonlyMap<string, { summary: SessionSummary }>
  projects: () => readonly ProjectIdentity[]
}

/** A session in the form that the usage report needs. */
export interface UsageSource {
  summary: SessionSummary
  /** The topmost ancestor of the session, to which its figures are attributed: itself, unless it is a sub-agent. */
  owner: SessionSummary
  buckets: SessionRecord['buckets']
  tools: SessionRecord['tools']
  /** Of the whole session. */
  reasons: SessionRecord['reasons']
}

/** The sources of these sessions, each with its owner. A sub-agent whose main session is gone owns itself. */
export function toUsageSources(
  sessions: readonly {
    summary: SessionSummary
    record: Pick<SessionRecord, 'buckets' | 'tools' | 'reasons'>
  }[],
): UsageSource[] {
  const byKey = new Map(sessions.map(({ summary }) => [summary.key, summary]))
  const ownerOf = (summary: SessionSummary): SessionSummary => {
    const parent = summary.parentKey === null ? undefined : byKey.get(summary.parentKey)
    return parent === undefined ? summary : ownerOf(parent)
  }
  return sessions.map(({ summary, record: { buckets, tools, reasons } }) => ({
    summary,
    owner: ownerOf(summary),
    buckets,
    tools,
    reasons,
  }))
}

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
  // many sessions share one, and every report needs all of them
  let timeMs = known.get(quarterHour)
  if (timeMs === undefined) {
    timeMs = Date.parse(quarterHour)
    known.set(quarterHour, timeMs)
  }
  return timeMs
}

/** `1-00` (Monday, midnight) to `7-23` for an instant in a zone, `unknown` without one; in chronological sort order. */
function hourOfWeek(instantMs: number, zone: string): string {
  const hour = Math.floor(clockAt(instantMs, zone) / HOUR_MS) - HOURS_TO_FIRST_MONDAY
  return NAMES[((hour % HOURS_OF_WEEK) + HOURS_OF_WEEK) % HOURS_OF_WEEK] ?? 'unknown'
}

type BucketGroup = Exclude<UsageQuery['by'], 'tool'>
interface Row {
  label: string
  tally: Tally
  /** `by=session`: its name. */
  project?: string
  /** `by=session`: without sub-agents; null if there are none in it. */
  own: Tally | null
  models: Map<string, Tally>
  projects: Map<string, { name: string; tally: Tally }>
}

/**
 * Tokens and cost by a property of a bucket: its time, its model, its project; or by session, where a sub-agent belongs to its main
 * session.
 */
function rowsByBucket(
  slices: UsageSource[],
  { by, split }: { by: BucketGroup; split: UsageQuery['split'] },
  zone: string,
): UsageRow[] {
  const isByTime = isPeriod(by)
  const rows = new Map<string, Row>()
  const withSubagents = new Set(slices.flatMap(({ summary, owner }) => (summary === owner ? [] : owner.key)))
  for (const { summary, owner, buckets } of slices) {
    if (by === 'project' || by === 'session') {
      // a session without calls also counts for its project, and for the total
      const { key, label } = rowOf(by, { summary, owner }, Number.NaN, null, zone)
      const row = rowFor(rows, key, label)
      row.tally.addSession(owner)
      if (by === 'session') row.project = owner.project.name
      if (by === 'session' && withSubagents.has(key)) row.own ??= new Tally()
    }
    for (const bucket of buckets) {
      const { model, usage, cost } = bucket
      const { key, label } = rowOf(by, { summary, owner }, bucketTime(bucket, summary), model, zone)
      const row = rowFor(rows, key, label)
      row.tally.add(owner, usage, cost)
      if (summary === owner) row.own?.add(owner, usage, cost)
      if (!isByTime) continue
      tallyOf(row.models, model ?? 'unknown').add(owner, usage, cost)
      if (split === 'project') projectTally(row, summary).add(owner, usage, cost)
    }
  }
  const list = [...rows].map(([key, row]) => toUsageRow(key, row, isByTime, split))
  return list.sort(isByTime ? newestFirst : by === 'hour-of-week' ? firstHourFirst : mostSpentFirst)
}

function rowFor(rows: Map<string, Row>, key: string, label: string): Row {
  let row = rows.get(key)
  if (row === undefined) {
    row = { label, tally: new Tally(), own: null, models: new Map(), projects: new Map() }
    rows.set(key, row)
  }
  return row
}

function rowOf(
  by: BucketGroup,
  { summary, owner }: Pick<UsageSource, 'summary' | 'owner'>,
  timeMs: number,
  model: string | null,
  zone: string,
): { key: string; label: string } {
  switch (by) {
    case 'day':
    case 'week':
    case 'month': {
      const period = periodOf(timeMs, by, zone)
      return { key: period, label: period }
    }
    case 'hour-of-week': {
      const hour = hourOfWeek(timeMs, zone)
      return { key: hour, label: hour }
    }
    case 'model':
      return { key: model ?? 'unknown', label: model ?? 'unknown' }
    case 'project':
      return { key: summary.project.key, label: summary.project.name }
    case 'session':
      return { key: owner.key, label: sessionName(owner) }
  }
}

function projectTally(row: Row, { project }: SessionSummary): Tally {
  const part = row.projects.get(project.key) ?? { name: project.name, tally: new Tally() }
  row.projects.set(project.key, part)
  return part.tally
}

function toUsageRow(key: string, row: Row, isByTime: boolean, split: UsageQuery['split']): UsageRow {
  const figures = row.tally.figures()
  return {
    key,
    label: row.label,
    ...figures,
    calls: figures.usage.calls,
    ...(row.project !== undefined && { project: row.project }),
    ...(row.own !== null && { own: row.own.spent() }),
    ...(isByTime && {
      models: largestFirst([...row.models].map(([name, tally]) => ({ name, ...tally.figures() }))),
    }),
    ...(isByTime &&
      split === 'project' && {
        projects: largestFirst(
          [...row.projects].map(([projectKey, { name, tally }]) => ({
            key: projectKey,
            name,
            ...tally.figures(),
          })),
        ),
      }),
  }
}

function largestFirst<Part extends { name: string; usage: { total: number } }>(parts: Part[]): Part[] {
  return parts.sort((a, b) => b.usage.total - a.usage.total || (a.name < b.name ? -1 : 1))
}

function newestFirst(a: UsageRow, b: UsageRow): number {
  return a.key < b.key ? 1 : -1
}

function firstHourFirst(a: UsageRow, b: UsageRow): number {
  return a.key < b.key ? -1 : 1
}

function mostSpentFirst(a: UsageRow, b: UsageRow): number {
  const costs = (b.cost?.usd ?? -1) - (a.cost?.usd ?? -1)
  return costs || (b.usage?.total ?? 0) - (a.usage?.total ?? 0) || (a.key < b.key ? -1 : 1)
}

/** Sums of usage and cost, and the conversations behind them. Adds in place: a year has tens of thousands of buckets. */
class Tally {
  readonly #usage: TokenUsage = { ...NO_USAGE }
  #cost: Cost = NO_COST
  readonly #sessionKeys = new Set<string>()
  #lastKey = ''

  add(owner: SessionSummary, usage: TokenUsage, cost: Cost): void {
    this.addSession(owner)
    addUsageTo(this.#usage, usage)
    this.#cost = addCost(this.#cost, cost)
  }

  /** Sub-agents are part of the main session; if that is gone, they count for none. */
  addSession({ kind, key }: SessionSummary): void {
    if (kind === 'subagent') return
    // a session's buckets are consecutive
    if (key !== this.#lastKey) this.#sessionKeys.add(key)
    this.#lastKey = key
  }

  figures(): { usage: TokenUsage; cost: Cost; sessions: number } {
    return { ...this.spent(), sessions: this.#sessionKeys.size }
  }

  spent(): { usage: TokenUsage; cost: Cost } {
    return { usage: { ...this.#usage }, cost: this.#cost }
  }
}

/** The tally of a name, created if necessary. */
function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  let tally = tallies.get(name)
  if (tally === undefined) {
    tally = new Tally()
    tallies.set(name, tally)
  }
  return tally
}

/** Adds in place: a year has tens of thousands of buckets, and a new object for each sum costs more than the sum. */
export function addUsageTo(sum: TokenUsage, usage: TokenUsage): void {
  sum.input += usage.input
  sum.output += usage.output
  sum.cached += usage.cached
  sum.thoughts += usage.thoughts
  sum.tool += usage.tool
  sum.total += usage.total
  sum.calls += usage.calls
  sum.callsWithoutTokens += usage.callsWithoutTokens
}

/** A report without the fields about its coverage. */
export type UsageFigures = Omit<UsageReport, 'coverage' | 'unread' | 'budgets'>

/** Tokens and cost, aggregated from the quarter hours in which calls were made. Everything counts once. */
export function reportUsage(
  sources: readonly UsageSource[],
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
  const toolCalls = slices.flatMap(({ tools }) => tools).reduce((sum, tool) => sum + tool.calls, 0)
  const ofTools = { toolCalls, failures: sumFailures(slices), fates: sumFates(slices) }
  return { rows, total: { ...figures, calls: figures.usage.calls, ...ofTools } }
}

/**
 * The parts of sessions in the requested range and projects. Model calls have their own times; tools and failures count at the time of
 * their session, those of sub-agents at that of their main session, as in the rows of a list.
 */
export function sliceSources(
  sources: readonly UsageSource[],
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

/** The part of a session within a range. */
interface UsageSlice extends UsageSource {
  /** null: none are in the range. */
  failures: SessionFailures | null
}

function sumFailures(slices: UsageSlice[]): SessionFailures {
  return slices.reduce((sum, { failures }) => (failures === null ? sum : addFailures(sum, failures)), {
    tools: 0,
    refused: 0,
    unanswered: 0,
  })
}

/** Sums the fates that `sumFailures` counts. */
function sumFates(slices: UsageSlice[]): FateCounts {
  const sum: FateCounts = { laterSucceeded: 0, stillFailing: 0, neverRerun: 0 }
  for (const { failures, summary } of slices) {
    if (failures === null || summary.fates === null) continue
    sum.laterSucceeded += summary.fates.laterSucceeded
    sum.stillFailing += summary.fates.stillFailing
    sum.neverRerun += summary.fates.neverRerun
  }
  return sum
}

interface UsageFiguresRow extends Omit<ToolStats, 'name'> {
  tally: Tally
}

/** A call's tokens are not attributed to its tools. Instead: calls, failures, time and what the outputs added to the context. */
function rowsByTool(slices: UsageSource[]): UsageRow[] {
  const rows = new Map<string, UsageFiguresRow>()
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

function emptyRow(): UsageFiguresRow {
  return { calls: 0, errors: 0, outputTokensEstimate: 0, maxTimeMs: 0, timedCalls: 0, tally: new Tally() }
}

type Query = Omit<UsageQuery, 'format'>

const MAX_ANSWERS = 32
/** Pause between two precomputed reports: each takes some hundredths of a second. */
const PAUSE_MS = 250
const LIKELY: readonly Query[] = [
  { by: 'day' },
  { by: 'day', split: 'model' },
  { by: 'model' },
  { by: 'project' },
  { by: 'hour-of-week' },
  { by: 'tool' },
  { by: 'session' },
]

/** Reports computed before. They stay valid as long as no row and no project changes. */
export class UsageAnswers {
  readonly #rows: Pick<UsageRows, 'revision' | 'projects'>
  readonly #report: (query: Query) => UsageFigures
  readonly #known = new Map<string, UsageFigures>()
  #revision = -1
  #projects: ReturnType<UsageRows['projects']> | null = null

  constructor(rows: Pick<UsageRows, 'revision' | 'projects'>, report: (query: Query) => UsageFigures) {
    this.#rows = rows
    this.#report = report
  }

  answer({ by, from, to, tz, project, split }: Query): UsageFigures {
    const { revision } = this.#rows
    const projects = this.#rows.projects()
    const hasChanged = revision !== this.#revision || projects !== this.#projects
    if (hasChanged || this.#known.size >= MAX_ANSWERS) this.#known.clear()
    this.#revision = revision
    this.#projects = projects
    const query = { by, from, to, tz: tz ?? ownZone(), project, split }
    const name = JSON.stringify(query)
    const answer = this.#known.get(name) ?? this.#report(query)
    this.#known.set(name, answer)
    return answer
  }

  /** Precomputes the reports over all time that a page is likely to request. */
  async prepare(): Promise<void> {
    for (const query of LIKELY) {
      await setTimeout(PAUSE_MS, null, { ref: false })
      this.answer(query)
    }
  }
}
