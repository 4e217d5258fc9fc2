import { LISTED_KINDS, type SessionList } from '@gemini-dash/api'
import { countedFigures } from '@gemini-dash/api/patches'
import {
  addCost,
  addFailures,
  type Cost,
  NO_COST,
  NO_USAGE,
  type SessionFailures,
  type SessionSummary,
  type TokenUsage,
} from 'gemini-sessions'
import { localDay } from '../times/time-zone.ts'
import { addUsageTo } from '../usage/tally.ts'
import type { ResolvedList } from './resolve-list.ts'

/** What a list asks of a session: known of some rows before the rest of them is. */
export type ListedSession = Pick<
  SessionSummary,
  | 'key'
  | 'kind'
  | 'empty'
  | 'parentKey'
  | 'title'
  | 'firstPrompt'
  | 'startTime'
  | 'endTime'
  | 'live'
  | 'mark'
  | 'models'
  | 'counts'
  | 'recorded'
  | 'files'
  | 'failures'
  | 'usage'
  | 'cost'
  | 'withSubagents'
> & {
  project: Pick<SessionSummary['project'], 'key'>
  /** Left out of what is known by its name alone: nothing says so of it yet. */
  deletedSeen?: SessionSummary['deletedSeen']
}

/** What every page of a list is made of. */
export interface OrderedSessions<Session> {
  matching: readonly Session[]
  /** What would match if no model were asked for. */
  ofAnyModel: readonly Session[]
  /** How many of those that match are empty, whether they are among them or left out. */
  empty: number
  /** All that there are, whatever was asked for. */
  all: readonly Session[]
}

/** What a list is made of. */
export interface FoundSessions<Session> extends OrderedSessions<Session> {
  page: Session[]
  nextCursor: string | null
  query: Pick<ResolvedList, 'kind' | 'zone' | 'days'>
}

export function toList(found: FoundSessions<ListedSession>): Omit<SessionList, 'sessions' | 'coverage'> {
  const { nextCursor, query } = found
  return { ...totalsOf(found, query.kind), days: totalsByDay(found), nextCursor }
}

type Totals = Pick<SessionList, 'total' | 'sums' | 'models' | 'kinds' | 'empty' | 'deleted'>

const knownTotals = new WeakMap<OrderedSessions<ListedSession>['matching'], Totals>()

/** The same on every page of a list: added up once, for as long as its order is kept. */
function totalsOf(found: OrderedSessions<ListedSession>, kind: ResolvedList['kind']): Totals {
  const { all, matching, ofAnyModel } = found
  const known = knownTotals.get(matching)
  if (known !== undefined) return known
  const totals = {
    total: matching.length,
    sums: addUp(matching, kind),
    models: countModels(ofAnyModel),
    kinds: countKinds(all),
    empty: found.empty,
    deleted: all.filter(isDeleted).length,
  }
  knownTotals.set(matching, totals)
  return totals
}

/** The day heading under which a list shows a session: that of its last message. */
export function lastTime(session: ListedSession): string | null {
  return session.endTime ?? session.startTime
}

export function isDeleted({ deletedSeen }: ListedSession): boolean {
  return deletedSeen !== undefined && deletedSeen !== null
}

/** What the rows show, added up; of several kinds together each token, call and failure once. */
function addUp(matching: readonly ListedSession[], kind: ResolvedList['kind']): SessionList['sums'] {
  const spent = nothing()
  let failures: SessionFailures = { tools: 0, refused: 0, unanswered: 0 }
  let toolCalls = 0
  for (const session of matching) {
    const counted = countedFigures(session, kind)
    if (counted === null) continue
    addSpent(spent, counted)
    toolCalls += counted.toolCalls ?? 0
    if (counted.failures !== null) failures = addFailures(failures, counted.failures)
  }
  return { ...spent, toolCalls, failures }
}

function countKinds(sessions: readonly ListedSession[]): SessionList['kinds'] {
  const counts = new Map<SessionList['kinds'][number]['kind'], number>()
  for (const { kind, empty } of sessions)
    for (const each of empty ? ([kind, 'empty'] as const) : [kind])
      counts.set(each, (counts.get(each) ?? 0) + 1)
  return LISTED_KINDS.flatMap((kind) => {
    const count = counts.get(kind)
    return count === undefined ? [] : [{ kind, sessions: count }]
  })
}

function totalsByDay({
  matching,
  page,
  query: { kind, zone, days: wanted },
}: FoundSessions<ListedSession>): SessionList['days'] {
  if (wanted === 'none') return []
  const dayOf = (session: ListedSession) => localDay(lastTime(session) ?? '', zone)
  const daysOfRows = wanted === 'rows' ? new Set(page.map(dayOf)) : null
  const days = new Map<string, SessionList['days'][number]>()
  for (const session of matching) {
    const day = dayOf(session)
    if (daysOfRows?.has(day) === false) continue
    let row = days.get(day)
    if (row === undefined) {
      row = { day, sessions: 0, ...nothing(), withSubagents: nothing() }
      days.set(day, row)
    }
    row.sessions += 1
    const counted = countedFigures(session, kind)
    if (counted === null) continue
    addSpent(row, session)
    addSpent(row.withSubagents, counted)
  }
  return [...days.values()].sort((a, b) => (dayOrder(a) < dayOrder(b) ? 1 : -1))
}

/** What has no time comes last. */
function dayOrder({ day }: { day: string }): string {
  return day === 'unknown' ? '' : day
}

interface Spent {
  usage: TokenUsage
  cost: Cost
}

function nothing(): Spent {
  return { usage: { ...NO_USAGE }, cost: NO_COST }
}

/** Adds in place: a list has a day for each of many sessions. null: not read yet. */
function addSpent(sum: Spent, { usage, cost }: { usage: TokenUsage | null; cost: Cost | null }): void {
  if (usage !== null) addUsageTo(sum.usage, usage)
  if (cost !== null) sum.cost = addCost(sum.cost, cost)
}

function countModels(sessions: readonly ListedSession[]): SessionList['models'] {
  const counts = new Map<string, number>()
  for (const session of sessions) {
    for (const { name } of session.models ?? []) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .map(([name, count]) => ({ name, sessions: count }))
    .sort((a, b) => b.sessions - a.sessions || (a.name < b.name ? -1 : 1))
}

export function countFailures({ tools, refused, unanswered }: SessionFailures): number {
  return tools + refused + unanswered
}
