import type { SessionSummary } from 'gemini-sessions'
import type { SessionList, SessionQuery } from '../lists/sessions.ts'
import type { FormerRow } from '../program/live-event.ts'
import { countedFigures, exchanged, type Placed, type RowChange } from './row-change.ts'

type Criteria = Partial<Omit<SessionQuery, 'limit' | 'cursor' | 'tz'>>
type Row = FormerRow | SessionSummary
type Day = SessionList['days'][number]
type DayOf = (time: string | null) => string

/** What is asked for by these, one row tells for itself; all else depends on the clock, on names or on other rows. */
const TOLD_BY_A_ROW = new Set<string>(['kind', 'empty', 'model', 'project', 'days'])

/**
 * The pages of a list as they would be answered after a change, from the first on, the newest first; the same pages where it is
 * in them already. null: they have to be asked for again. `project` is taken for a project's key, `dayOf` knows the zone.
 */
export function patchList(
  pages: readonly Placed<SessionList>[],
  criteria: Criteria,
  change: RowChange,
  dayOf: DayOf,
): readonly Placed<SessionList>[] | null {
  const { at, row, before } = change
  const isOld = pages.map((page) => page.at !== undefined && page.at < at)
  if (!isOld.includes(true)) return pages.some((page) => page.at === undefined) ? null : pages
  const asked = Object.entries(criteria).filter(([, value]) => value !== undefined)
  if (isOld.includes(false) || asked.some(([name]) => !TOLD_BY_A_ROW.has(name))) return null
  // which kinds there are, and how many are empty, a row alone does not tell
  if (before.empty !== row.empty) return null
  const former = fits(before, criteria) ? before : null
  const present = fits(row, criteria) ? row : null
  const listedFormer = former !== null && usesModel(former, criteria) ? former : null
  const listed = present !== null && usesModel(present, criteria) ? present : null
  const sums = before.kind === row.kind ? patchedSums(pages, listedFormer, listed, criteria) : null
  const days = patchDays(pages, listedFormer, listed, criteria, dayOf)
  if (days === null || sums === null) return null
  return pages.map((page, index) => {
    const sessions = placed(page, pages[index - 1], listed, row.key)
    return {
      ...page,
      at,
      sessions,
      total: page.total + Number(listed !== null) - Number(listedFormer !== null),
      sums,
      days: daysOfPage(page, sessions, days, criteria, dayOf),
      models: recounted(page.models, former, present),
    }
  })
}

function fits({ kind, empty, project }: Row, criteria: Criteria): boolean {
  const wanted = criteria.kind ?? 'main'
  if (wanted === 'empty' ? !empty : wanted !== 'all' && kind !== wanted) return false
  if (empty && criteria.empty === 'exclude') return false
  return criteria.project === undefined || project.key === criteria.project
}

function usesModel({ models }: Row, { model }: Criteria): boolean {
  return model === undefined || (models?.some(({ name }) => name === model) ?? false)
}

/** A page ends with the row that its cursor names, and the last one never: what comes after belongs to the next. */
function placed(
  page: SessionList,
  pageBefore: SessionList | undefined,
  row: SessionSummary | null,
  key: string,
): SessionSummary[] {
  const others = page.sessions.filter((session) => session.key !== key)
  if (row === null) return others
  const isAfterStart = pageBefore === undefined || follows(row, placeOfCursor(pageBefore.nextCursor))
  const isBeforeEnd = page.nextCursor === null || !follows(row, placeOfCursor(page.nextCursor))
  if (!isAfterStart || !isBeforeEnd) return others
  const index = others.findIndex((session) => follows(session, placeOf(row)))
  return others.toSpliced(index === -1 ? others.length : index, 0, row)
}

type Place = readonly [time: string | null, key: string]

function placeOf(session: SessionSummary): Place {
  return [lastTime(session), session.key]
}

/** As the server writes it. */
function placeOfCursor(cursor: string | null): Place {
  const text = atob((cursor ?? '').replaceAll('-', '+').replaceAll('_', '/'))
  return JSON.parse(text) as Place
}

/** Whether a session comes after a place: the newest is first, what has no time last. */
function follows(session: Row & { key: string }, [time, key]: Place): boolean {
  const own = lastTime(session)
  if (own === time) return session.key > key
  return own === null || (time !== null && own < time)
}

function lastTime({ endTime, startTime }: Row): string | null {
  return endTime ?? startTime
}

/** As the rows show it: those of main sessions with their sub-agents; of several kinds together each token once. */
function patchedSums(
  [first]: readonly SessionList[],
  before: Row | null,
  after: Row | null,
  { kind = 'main' }: Criteria,
): SessionList['sums'] | null {
  if (first === undefined) return null
  const [former, present] = [before, after].map((row) => row && countedFigures(row, kind))
  const spent = exchanged(first.sums, former ?? null, present ?? null)
  const { tools, refused, unanswered } = first.sums.failures
  const more = (name: 'tools' | 'refused' | 'unanswered') =>
    (present?.failures?.[name] ?? 0) - (former?.failures?.[name] ?? 0)
  return (
    spent && {
      ...spent,
      toolCalls: first.sums.toolCalls + (present?.toolCalls ?? 0) - (former?.toolCalls ?? 0),
      failures: {
        tools: tools + more('tools'),
        refused: refused + more('refused'),
        unanswered: unanswered + more('unanswered'),
      },
    }
  )
}

/** Of each day that the row left or came to, its totals, or null where no session is left; null: only the server can tell. */
function patchDays(
  pages: readonly SessionList[],
  before: Row | null,
  after: SessionSummary | null,
  { days: asked = 'all', kind = 'main' }: Criteria,
  dayOf: DayOf,
): Map<string, Day | null> | null {
  const patched = new Map<string, Day | null>()
  if (asked === 'none') return patched
  const [from, to] = [before, after].map((row) => (row === null ? null : dayOf(lastTime(row))))
  for (const name of new Set([from, to])) {
    if (name === null || name === undefined) continue
    const gone = name === from ? before : null
    const come = name === to ? after : null
    const known = pages.flatMap(({ days }) => days).find(({ day }) => day === name)
    if (known === undefined && asked === 'rows') {
      // Nothing of that day is shown, nor is its heading.
      if (come === null || isBeyond(pages, come)) continue
      // Others of it may come after what is loaded; a newer one would be known if it had another session.
      if (name === dayOfEnd(pages, dayOf)) return null
    }
    const sum = known ?? emptyDay(name)
    const own = exchanged(sum, ownSpend(gone, kind), ownSpend(come, kind))
    const whole = exchanged(
      sum.withSubagents,
      gone && countedFigures(gone, kind),
      come && countedFigures(come, kind),
    )
    const sessions = sum.sessions + Number(come !== null) - Number(gone !== null)
    if (sessions === 0) patched.set(name, null)
    else if (own === null || whole === null) return null
    else patched.set(name, { day: name, sessions, ...own, withSubagents: whole })
  }
  return patched
}

/** Without sub-agents; null where it is not counted at all. */
function ownSpend(row: Row | null, kind: NonNullable<Criteria['kind']>): Row | null {
  return row === null || countedFigures(row, kind) === null ? null : row
}

function isBeyond(pages: readonly SessionList[], row: Row & { key: string }): boolean {
  const end = pages.at(-1)?.nextCursor ?? null
  return end !== null && follows(row, placeOfCursor(end))
}

/** null: all is loaded. */
function dayOfEnd(pages: readonly SessionList[], dayOf: DayOf): string | null {
  const end = pages.at(-1)?.nextCursor ?? null
  return end === null ? null : dayOf(placeOfCursor(end)[0])
}

/** Written out: the page draws by this, and the constants of gemini-sessions would bring all schemas along. */
function emptyDay(day: string): Day {
  const usage = {
    input: 0,
    output: 0,
    cached: 0,
    thoughts: 0,
    tool: 0,
    total: 0,
    calls: 0,
    callsWithoutTokens: 0,
  }
  const spent = { usage, cost: { usd: null, unpricedCalls: 0 } }
  return { day, sessions: 0, ...spent, withSubagents: spent }
}

function daysOfPage(
  page: SessionList,
  sessions: readonly SessionSummary[],
  patched: ReadonlyMap<string, Day | null>,
  { days: asked = 'all' }: Criteria,
  dayOf: DayOf,
): Day[] {
  if (asked === 'none') return []
  const shown = asked === 'rows' ? new Set(sessions.map((session) => dayOf(lastTime(session)))) : null
  const days = new Map(page.days.map((day) => [day.day, day]))
  for (const [name, day] of patched) {
    if (day === null) days.delete(name)
    else days.set(name, day)
  }
  return [...days.values()]
    .filter(({ day }) => shown?.has(day) ?? true)
    .sort((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1))
}

/** What has no time comes last. */
function orderOf({ day }: Day): string {
  return day === 'unknown' ? '' : day
}

function recounted(
  models: SessionList['models'],
  before: Row | null,
  after: Row | null,
): SessionList['models'] {
  const counts = new Map(models.map(({ name, sessions }) => [name, sessions]))
  for (const { name } of before?.models ?? []) counts.set(name, (counts.get(name) ?? 0) - 1)
  for (const { name } of after?.models ?? []) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .filter(([, sessions]) => sessions > 0)
    .map(([name, sessions]) => ({ name, sessions }))
    .sort((a, b) => b.sessions - a.sessions || (a.name < b.name ? -1 : 1))
}
