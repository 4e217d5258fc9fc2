import type { SessionList, SessionOrder, SessionQuery } from '@gemini-dash/api'
import { findNear } from '@gemini-dash/api/near-text'
import { areToolsRecorded } from '@gemini-dash/api/tools-recorded'
import { foldTextOnly } from '@gemini-dash/session-index'
import type { SessionSummary } from 'gemini-sessions'
import { overlaps } from '../times/session-span.ts'
import {
  countFailures,
  type FoundSessions,
  isDeleted,
  type ListedSession,
  lastTime,
  type OrderedSessions,
  toList,
} from './list-totals.ts'
import type { ResolvedList } from './resolve-list.ts'

/** One page of the sessions that match, with totals per day over the whole filter. */
export function listPage<Session extends ListedSession>(
  all: readonly Session[],
  query: ResolvedList,
): Omit<SessionList, 'sessions' | 'coverage'> & { sessions: Session[] } {
  const found = findSessions(all, query)
  return { sessions: found.page, ...toList(found) }
}

export function findSessions<Session extends ListedSession>(
  all: readonly Session[],
  query: ResolvedList,
): FoundSessions<Session> {
  return cutPage(orderSessions(all, query), query)
}

/** All that match, in their order: what every page of a list is made of. */
export function orderSessions<Session extends ListedSession>(
  all: readonly Session[],
  query: ResolvedList,
): OrderedSessions<Session> {
  const wanted = all.filter((session) => isWanted(session, query))
  const empty = wanted.filter((session) => session.empty && usesModel(session, query.model)).length
  const ofAnyModel = query.empty === 'exclude' ? wanted.filter((session) => !session.empty) : wanted
  const matching = ofAnyModel.filter((session) => usesModel(session, query.model))
  return { matching: sorted(matching, query.sort), ofAnyModel, empty, all }
}

export function cutPage<Session extends ListedSession>(
  ordered: OrderedSessions<Session>,
  query: ResolvedList,
): FoundSessions<Session> {
  const { matching } = ordered
  const start = query.cursor === undefined ? 0 : positionAfter(matching, query.cursor, query.sort)
  const page = matching.slice(start, start + query.limit)
  const last = page.at(-1)
  const isMore = start + page.length < matching.length
  return {
    page,
    nextCursor: isMore && last !== undefined ? cursorOf(last, query.sort) : null,
    ...ordered,
    query,
  }
}

/** The costliest question comes last. */
function isWanted(session: ListedSession, query: ResolvedList): boolean {
  const { kind, parent, has, deleted, projectKeys, range, title, nearTitle, isStarred, tag } = query
  if (kind === 'empty' ? !session.empty : kind !== 'all' && session.kind !== kind) return false
  if (parent !== undefined && session.parentKey !== parent) return false
  if (projectKeys !== null && !projectKeys.has(session.project.key)) return false
  if (has === 'live' && !session.live) return false
  if (deleted === 'only' && !isDeleted(session)) return false
  if (deleted === 'exclude' && isDeleted(session)) return false
  if (has === 'errors' && !hasFailures(session)) return false
  if (isStarred !== null && isStarred !== hasStar(session.mark)) return false
  if (tag !== '' && !hasTag(session.mark, tag)) return false
  if (!overlaps(session, range)) return false
  if (title === '') return true
  const text = foldTextOnly(`${session.title}\n${session.firstPrompt ?? ''}`)
  return nearTitle === null ? text.includes(title) : findNear(text, nearTitle) !== null
}

function usesModel(session: ListedSession, model: string | undefined): boolean {
  return model === undefined || (session.models?.some(({ name }) => name === model) ?? false)
}

type Sort = SessionQuery['sort']
/** null: unknown, which comes last whichever way round. */
type SortValue = string | number | null

/** What the rows are ordered by, figures as they show them: with sub-agents. The most comes first, but for `oldest`. */
const SORT_VALUES: Record<SessionOrder, (session: ListedSession) => SortValue> = {
  recent: lastTime,
  oldest: ({ startTime }) => startTime,
  tokens: ({ withSubagents }) => withSubagents.usage?.total ?? null,
  cost: ({ withSubagents }) => withSubagents.cost?.usd ?? null,
  messages: ({ counts }) => counts?.messages ?? null,
  turns: ({ recorded }) => recorded?.turns ?? null,
  tools: (session) => (areToolsRecorded(session) ? session.withSubagents.toolCalls : null),
  failed: ({ withSubagents: { failures } }) => failures && countFailures(failures),
  duration: ({ startTime, endTime }) =>
    startTime === null || endTime === null ? null : Date.parse(endTime) - Date.parse(startTime),
}

/** What each is ordered by is asked once, not for each of the hundred thousands of comparisons. */
function sorted<Session extends ListedSession>(sessions: readonly Session[], sort: Sort): Session[] {
  const placed = sessions.map((session) => ({ session, value: sortValue(session, sort) }))
  placed.sort((a, b) => compareValues(a.value, a.session.key, b.value, b.session.key, sort))
  return placed.map(({ session }) => session)
}

function compareValues(a: SortValue, aKey: string, b: SortValue, bKey: string, sort: Sort): number {
  if (a !== b) {
    if (a === null || b === null) return a === null ? 1 : -1
    return a < b === isAscending(sort) ? -1 : 1
  }
  return aKey < bKey ? -1 : aKey > bKey ? 1 : 0
}

function isAscending(sort: Sort): boolean {
  return sort.startsWith('-') !== (sort === 'oldest' || sort === '-oldest')
}

function sortValue(session: ListedSession, sort: Sort): SortValue {
  return SORT_VALUES[sort.replace(/^-/, '') as SessionOrder](session)
}

/** A place in the order, not a number of rows: sessions that come or go between two pages shift nothing. */
function cursorOf(session: ListedSession, sort: Sort): string {
  return Buffer.from(JSON.stringify([sortValue(session, sort), session.key])).toString('base64url')
}

function positionAfter(sorted: readonly ListedSession[], cursor: string, sort: Sort): number {
  const place = readCursor(cursor)
  if (place === null) return 0
  const [value, key] = place
  const index = sorted.findIndex(
    (session) => compareValues(sortValue(session, sort), session.key, value, key, sort) > 0,
  )
  return index === -1 ? sorted.length : index
}

function readCursor(cursor: string): [SortValue, string] | null {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (!Array.isArray(place)) return null
    const [value, key] = place
    const isValue = value === null || typeof value === 'string' || typeof value === 'number'
    return isValue && typeof key === 'string' ? [value, key] : null
  } catch {
    return null
  }
}

/** Whether anything failed in a session or its sub-agents, as far as they are read. */
function hasFailures({ withSubagents: { failures } }: ListedSession): boolean {
  return failures !== null && countFailures(failures) > 0
}

/** A session is starred also by one of its messages. */
export function hasStar(mark: SessionSummary['mark']): boolean {
  return mark !== null && (mark.star || mark.messages.starred > 0)
}

function hasTag(mark: SessionSummary['mark'], tag: string): boolean {
  return mark?.tags.some((own) => foldTextOnly(own) === tag) === true
}
