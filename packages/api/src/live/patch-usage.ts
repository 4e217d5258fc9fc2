import type { UsageQuery, UsageReport, UsageRow } from '../lists/usage.ts'
import type { FormerRow, SpentChange } from '../program/live-event.ts'
import { exchanged, type Placed, type RowChange } from './row-change.ts'

type Part = SpentChange['parts'][number]['after']
type Slot = SpentChange['slots'][number]
type DayOf = (time: string | null) => string
type Query = Partial<Omit<UsageQuery, 'tz' | 'format'>>

const NO_SPENT = {
  usage: { input: 0, output: 0, cached: 0, thoughts: 0, tool: 0, total: 0, calls: 0, callsWithoutTokens: 0 },
  cost: { usd: null, unpricedCalls: 0 },
}
const DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * A report by days or tools as it would be answered after a change; the same where it is in it already. null: to be asked for
 * again, as any other report is, and one of a session whose sub-agents count with it. `project` is taken for a key.
 */
export function patchUsage(
  report: Placed<UsageReport>,
  query: Query,
  change: RowChange,
  dayOf: DayOf,
): Placed<UsageReport> | null {
  const { at, row, before, spent } = change
  if (report.at === undefined) return null
  if (report.at >= at) return report
  const { by = 'day', from, project, ...others } = query
  const isOther = Object.values(others).some((value) => value !== undefined)
  if (spent === undefined || isOther || (from !== undefined && !DAY.test(from))) return null
  if (project !== undefined && project !== row.project.key) return { ...report, at }
  if (row.kind === 'checkpoint' || row.kind === 'prompts-only') return { ...report, at }
  if (row.kind !== 'main' || before.kind !== 'main' || (by !== 'day' && by !== 'tool')) return null
  if (row.startTime !== before.startTime || row.startTime === null) return null
  const scope = { dayOf, from, startTime: row.startTime }
  const was = reaches(before, scope)
  const is = reaches(row, scope)
  // What was outside of the range comes in with all that it was made of, and that is not told.
  if (was !== is) return null
  if (!is) return { ...report, at }
  const rows = by === 'day' ? patchedDays(report.rows, spent, scope) : patchedTools(report.rows, spent)
  const total = patchedTotal(report.total, change, spent, scope)
  return rows === null || total === null ? null : { ...report, at, rows, total }
}

interface Scope {
  dayOf: DayOf
  from: string | undefined
  startTime: string
}

function reaches(
  { startTime, endTime }: Pick<FormerRow, 'startTime' | 'endTime'>,
  { dayOf, from }: Scope,
): boolean {
  const last = [startTime, endTime]
    .filter((time) => time !== null)
    .sort()
    .at(-1)
  return from === undefined || (last !== undefined && dayOf(last) >= from)
}

function dayOfSlot({ quarterHour }: Slot, { dayOf, startTime }: Scope): string {
  return dayOf(quarterHour ?? startTime)
}

function isInRange(slot: Slot, scope: Scope): boolean {
  return scope.from === undefined || dayOfSlot(slot, scope) >= scope.from
}

function patchedTotal(
  total: UsageReport['total'],
  { row, before }: RowChange,
  spent: SpentChange,
  scope: Scope,
): UsageReport['total'] | null {
  let sums: { usage: UsageReport['total']['usage']; cost: UsageReport['total']['cost'] } | null = total
  for (const part of spent.parts) {
    if (sums !== null && isInRange(part.after, scope)) sums = exchanged(sums, part.before, part.after)
  }
  if (sums === null || before.failures === null || row.failures === null) return null
  const { tools, refused, unanswered } = total.failures
  return {
    usage: sums.usage,
    cost: sums.cost,
    calls: sums.usage.calls,
    sessions: total.sessions,
    failures: {
      tools: tools + row.failures.tools - before.failures.tools,
      refused: refused + row.failures.refused - before.failures.refused,
      unanswered: unanswered + row.failures.unanswered - before.failures.unanswered,
    },
  }
}

function patchedDays(rows: UsageRow[], { parts, slots }: SpentChange, scope: Scope): UsageRow[] | null {
  const days = new Map(rows.map((row) => [row.key, row]))
  /** Where the session stood already, as it counts once a day and model. */
  const stood = new Set(slots.flatMap((slot) => [dayOfSlot(slot, scope), standing(slot, scope)]))
  for (const { before, after } of parts) {
    if (!isInRange(after, scope)) continue
    const name = dayOfSlot(after, scope)
    const day = days.get(name) ?? { key: name, label: name, ...NO_SPENT, calls: 0, sessions: 0, models: [] }
    const sums = day.usage && day.cost && exchanged({ usage: day.usage, cost: day.cost }, before, after)
    const models = patchedModels(day.models ?? [], before, after, stood.has(standing(after, scope)))
    if (sums === null || models === null) return null
    const sessions = day.sessions + Number(!stood.has(name))
    days.set(name, { ...day, ...sums, calls: sums.usage.calls, sessions, models })
    stood.add(name).add(standing(after, scope))
  }
  return [...days.values()].sort((a, b) => (a.key < b.key ? 1 : -1))
}

function standing(slot: Slot, scope: Scope): string {
  return `${dayOfSlot(slot, scope)}\n${slot.model ?? 'unknown'}`
}

function patchedModels(
  models: NonNullable<UsageRow['models']>,
  before: Part | null,
  after: Part,
  isKnown: boolean,
): NonNullable<UsageRow['models']> | null {
  const name = after.model ?? 'unknown'
  const model = models.find((each) => each.name === name) ?? { name, ...NO_SPENT, sessions: 0 }
  const sums = exchanged(model, before, after)
  if (sums === null) return null
  return [
    ...models.filter((each) => each.name !== name),
    { name, ...sums, sessions: model.sessions + Number(!isKnown) },
  ].sort((a, b) => b.usage.total - a.usage.total || (a.name < b.name ? -1 : 1))
}

/** Like the tools of a session, they follow its range. */
function patchedTools(rows: UsageRow[], { tools }: SpentChange): UsageRow[] {
  const patched = new Map(rows.map((row) => [row.key, row]))
  for (const { before, after } of tools) {
    const row = patched.get(after.name) ?? {
      key: after.name,
      label: after.name,
      usage: null,
      cost: null,
      calls: 0,
      sessions: 0,
    }
    const grown = (figure: 'calls' | 'errors' | 'outputTokensEstimate' | 'maxTimeMs' | 'timedCalls') =>
      (row[figure] ?? 0) + after[figure] - (before?.[figure] ?? 0)
    patched.set(after.name, {
      ...row,
      calls: grown('calls'),
      errors: grown('errors'),
      outputTokensEstimate: grown('outputTokensEstimate'),
      maxTimeMs: grown('maxTimeMs'),
      timedCalls: grown('timedCalls'),
      sessions: row.sessions + Number(before === null),
    })
  }
  return [...patched.values()].sort((a, b) => b.calls - a.calls || (a.key < b.key ? -1 : 1))
}
