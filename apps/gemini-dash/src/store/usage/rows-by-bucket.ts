import type { UsageQuery, UsageRow } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import { localDayOf } from '../times/time-zone.ts'
import { bucketTime, hourOfWeek } from './bucket-time.ts'
import { Tally, tallyOf } from './tally.ts'
import type { UsageSource } from './usage-source.ts'

type BucketGroup = Exclude<UsageQuery['by'], 'tool'>
interface Row {
  label: string
  tally: Tally
  /** `by=session`: without sub-agents; null where there are none in it. */
  own: Tally | null
  models: Map<string, Tally>
  projects: Map<string, { name: string; tally: Tally }>
}

/** Tokens and cost by what a bucket tells: its time, its model, its project; or by session, where a sub-agent is a part of its main one. */
export function rowsByBucket(
  slices: UsageSource[],
  { by, split }: { by: BucketGroup; split: UsageQuery['split'] },
  zone: string,
): UsageRow[] {
  const isByDay = by === 'day'
  const rows = new Map<string, Row>()
  const withSubagents = new Set(slices.flatMap(({ summary, owner }) => (summary === owner ? [] : owner.key)))
  for (const { summary, owner, buckets } of slices) {
    if (by === 'project' || by === 'session') {
      // also a session without a call is one of the project's, and one of the total
      const { key, label } = rowOf(by, { summary, owner }, Number.NaN, null, zone)
      const row = rowFor(rows, key, label)
      row.tally.addSession(owner)
      if (by === 'session' && withSubagents.has(key)) row.own ??= new Tally()
    }
    for (const bucket of buckets) {
      const { model, usage, cost } = bucket
      const { key, label } = rowOf(by, { summary, owner }, bucketTime(bucket, summary), model, zone)
      const row = rowFor(rows, key, label)
      row.tally.add(owner, usage, cost)
      if (summary === owner) row.own?.add(owner, usage, cost)
      if (!isByDay) continue
      tallyOf(row.models, model ?? 'unknown').add(owner, usage, cost)
      if (split === 'project') projectTally(row, summary).add(owner, usage, cost)
    }
  }
  const list = [...rows].map(([key, row]) => toUsageRow(key, row, isByDay, split))
  return list.sort(isByDay ? newestDayFirst : by === 'hour-of-week' ? firstHourFirst : mostSpentFirst)
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
    case 'day': {
      const day = localDayOf(timeMs, zone)
      return { key: day, label: day }
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
      return { key: owner.key, label: owner.title }
  }
}

function projectTally(row: Row, { project }: SessionSummary): Tally {
  const part = row.projects.get(project.key) ?? { name: project.name, tally: new Tally() }
  row.projects.set(project.key, part)
  return part.tally
}

function toUsageRow(key: string, row: Row, isByDay: boolean, split: UsageQuery['split']): UsageRow {
  const figures = row.tally.figures()
  return {
    key,
    label: row.label,
    ...figures,
    calls: figures.usage.calls,
    ...(row.own !== null && { own: row.own.spent() }),
    ...(isByDay && {
      models: largestFirst([...row.models].map(([name, tally]) => ({ name, ...tally.figures() }))),
    }),
    ...(isByDay &&
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

function newestDayFirst(a: UsageRow, b: UsageRow): number {
  return a.key < b.key ? 1 : -1
}

function firstHourFirst(a: UsageRow, b: UsageRow): number {
  return a.key < b.key ? -1 : 1
}

function mostSpentFirst(a: UsageRow, b: UsageRow): number {
  const costs = (b.cost?.usd ?? -1) - (a.cost?.usd ?? -1)
  return costs || (b.usage?.total ?? 0) - (a.usage?.total ?? 0) || (a.key < b.key ? -1 : 1)
}
