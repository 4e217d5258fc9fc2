import { LISTED_KINDS, type SessionList, type SessionOrder, type SessionQuery } from '@gemini-dash/api'
import { findNear, nearWords } from '@gemini-dash/api/near-text'
import { areToolsRecorded } from '@gemini-dash/api/tools-recorded'
import { foldTextOnly } from '@gemini-dash/session-index'
import {
  addCost,
  addFailures,
  type Cost,
  NO_COST,
  NO_USAGE,
  type SessionFailures,
  type SessionFigures,
  type SessionProgram,
  type SessionSummary,
  sessionProgramSchema,
  type TokenUsage,
} from 'gemini-sessions'
import { localDay, overlaps, ownZone, type TimeRange, timeRange } from './times.ts'
import { addUsageTo } from './usage/usage-source.ts'

/** The fields that a list needs: known for some rows before the rest of them is. */
export type ListedSession = Pick<
  SessionSummary,
  | 'key'
  | 'kind'
  | 'source'
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
  /** Omitted if only the file name is known: nothing is recorded about it yet. */
  deletedSeen?: SessionSummary['deletedSeen']
}

/** The basis of every page of a list. */
interface OrderedSessions<Session> {
  matching: readonly Session[]
  /** What would match without the filter on models. */
  ofAnyModel: readonly Session[]
  /** How many matching sessions are empty, whether included or left out. */
  empty: number
  /** All sessions, regardless of the query. */
  all: readonly Session[]
}

/** The basis of one page. */
interface FoundSessions<Session> extends OrderedSessions<Session> {
  page: Session[]
  nextCursor: string | null
  query: Pick<ResolvedList, 'kind' | 'zone' | 'days'>
}

export function toList(found: FoundSessions<ListedSession>): Omit<SessionList, 'sessions' | 'coverage'> {
  const { nextCursor, query } = found
  return { ...totalsOf(found, query.kind), days: totalsByDay(found), nextCursor }
}

type Totals = Pick<SessionList, 'total' | 'sums' | 'models' | 'kinds' | 'sources' | 'empty' | 'deleted'>

const knownTotals = new WeakMap<OrderedSessions<ListedSession>['matching'], Totals>()

/** The same for every page of a list: computed once, as long as its order is cached. */
function totalsOf(found: OrderedSessions<ListedSession>, kind: ResolvedList['kind']): Totals {
  const { all, matching, ofAnyModel } = found
  const known = knownTotals.get(matching)
  if (known !== undefined) return known
  const totals = {
    total: matching.length,
    sums: addUp(matching, kind),
    models: countModels(ofAnyModel),
    kinds: countKinds(all),
    sources: countSources(all),
    empty: found.empty,
    deleted: all.filter(isDeleted).length,
  }
  knownTotals.set(matching, totals)
  return totals
}

/** Determines the day heading under which a list shows a session: that of its last message. */
function lastTime(session: ListedSession): string | null {
  return session.endTime ?? session.startTime
}

function isDeleted({ deletedSeen }: ListedSession): boolean {
  return deletedSeen !== undefined && deletedSeen !== null
}

/** Sums of the rows; over several kinds each token, call and failure counts once. */
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

/**
 * The figures counted for a row: main sessions include their sub-agents, as shown. In a list of all kinds each token and call counts once,
 * so each session counts alone, and a saved chat not at all: its session has the figures.
 */
function countedFigures(row: ListedSession, asked: ResolvedList['kind']): SessionFigures | null {
  if (asked === 'main') return row.withSubagents
  if (asked === 'all' && row.kind === 'checkpoint') return null
  const { usage, cost, recorded, failures } = row
  return { usage, cost, toolCalls: recorded?.toolCalls ?? null, failures }
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

function countSources(sessions: readonly ListedSession[]): SessionList['sources'] {
  const counts = new Map<SessionProgram, number>()
  for (const { source } of sessions) counts.set(source, (counts.get(source) ?? 0) + 1)
  return sessionProgramSchema.options.flatMap((source) => {
    const count = counts.get(source)
    return count === undefined ? [] : [{ source, sessions: count }]
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

/** Sessions without a time come last. */
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

/** Adds in place: a list can have many sessions per day. null: not read yet. */
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

function countFailures({ tools, refused, unanswered }: SessionFailures): number {
  return tools + refused + unanswered
}

/** One page of the matching sessions, with totals per day over the whole filter. */
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

/** All matching sessions, in order: the basis of every page of a list. */
function orderSessions<Session extends ListedSession>(
  all: readonly Session[],
  query: ResolvedList,
): OrderedSessions<Session> {
  const wanted = all.filter((session) => isWanted(session, query))
  const empty = wanted.filter((session) => session.empty && usesModel(session, query.model)).length
  const ofAnyModel = query.empty === 'exclude' ? wanted.filter((session) => !session.empty) : wanted
  const matching = ofAnyModel.filter((session) => usesModel(session, query.model))
  return { matching: sorted(matching, query.sort), ofAnyModel, empty, all }
}

function cutPage<Session extends ListedSession>(
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

/** The most expensive check comes last. */
function isWanted(session: ListedSession, query: ResolvedList): boolean {
  const { kind, source, parent, has, deleted, projectKeys, range, title, nearTitle, isStarred, tag } = query
  if (kind === 'empty' ? !session.empty : kind !== 'all' && session.kind !== kind) return false
  if (source !== undefined && session.source !== source) return false
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
/** null: unknown, always last. */
type SortValue = string | number | null

/** The sort values, with sub-agents as in the figures shown. Largest first, except for `oldest`. */
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

/** Each sort value is computed once, not for each of the hundred thousands of comparisons. */
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

/** A position in the order, not an offset: sessions added or removed between two pages shift nothing. */
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

/** Whether it is the `nextCursor` of a list. A list itself begins anew at an unknown one. */
export function isListCursor(cursor: string): boolean {
  return readCursor(cursor) !== null
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

/** Whether anything failed in a session or its sub-agents, as far as they have been read. */
function hasFailures({ withSubagents: { failures } }: ListedSession): boolean {
  return failures !== null && countFailures(failures) > 0
}

/** A session counts as starred if one of its messages is. */
export function hasStar(mark: SessionSummary['mark']): boolean {
  return mark !== null && (mark.star || mark.messages.starred > 0)
}

function hasTag(mark: SessionSummary['mark'], tag: string): boolean {
  return mark?.tags.some((own) => foldTextOnly(own) === tag) === true
}

/** A list query with everything looked up. */
interface ResolvedList
  extends Pick<
    SessionQuery,
    | 'kind'
    | 'source'
    | 'empty'
    | 'parent'
    | 'has'
    | 'deleted'
    | 'model'
    | 'sort'
    | 'days'
    | 'cursor'
    | 'limit'
  > {
  /** null: any project. */
  projectKeys: ReadonlySet<string> | null
  range: TimeRange
  /** null: starred or not. */
  isStarred: boolean | null
  /** Folded; empty: no filter. */
  tag: string
  /** The time zone of the days. */
  zone: string
  /** Part of the title or first prompt, folded like them; empty: any. */
  title: string
  /** The same, word by word, if matching words are enough; null: it must occur as a whole. */
  nearTitle: readonly string[] | null
}

/** Resolves what a person refers to by name: projects, days, and letters in any case. */
export function resolveList(
  {
    kind,
    source,
    empty,
    parent,
    has,
    deleted,
    model,
    sort,
    days,
    cursor,
    limit,
    project,
    title,
    match,
    starred,
    tag,
    tz,
    from,
    to,
  }: SessionQuery,
  findProjects: (wanted: string) => ReadonlySet<string>,
): ResolvedList {
  const zone = tz ?? ownZone()
  return {
    ...{ kind, source, empty, parent, has, deleted, model, sort, days, cursor, limit, zone },
    projectKeys: project === undefined || project === '' ? null : findProjects(project),
    isStarred: starred === undefined ? null : starred === 'true',
    tag: foldTextOnly(tag ?? ''),
    range: timeRange({ from, to }, zone),
    title: foldTextOnly(title ?? ''),
    nearTitle: match === 'near' ? nearWords(title ?? '') : null,
  }
}

/** Display names of several homes, by path: the user's name, or else the shortest end of the path that is unique. */
export function homeLabels(
  paths: readonly string[],
  given: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const parts = new Map([...new Set(paths)].map((path) => [path, namingParts(path)]))
  return new Map([...parts].map(([path, own]) => [path, given.get(path) ?? shortestOwn(own, path, parts)]))
}

/** `.gemini` is not distinctive: the folder that contains it is. */
function namingParts(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.length > 1 && parts.at(-1) === '.gemini' ? parts.slice(0, -1) : parts
}

/** If the end of one path is the whole of another, more of the path is needed. */
function shortestOwn(
  own: readonly string[],
  path: string,
  all: ReadonlyMap<string, readonly string[]>,
): string {
  for (let count = 1; count <= own.length; count++) {
    const label = own.slice(-count).join('/')
    const isShared = [...all].some(
      ([other, parts]) => other !== path && parts.slice(-count).join('/') === label,
    )
    if (!isShared) return label
  }
  return path
}

/** The path of the home with this name or path; the parent of `.gemini` is enough. */
export function findHome(
  wanted: string,
  paths: readonly string[],
  given: ReadonlyMap<string, string> = new Map(),
): string {
  const called = [...homeLabels(paths, given)].find(([, label]) => label === wanted)?.[0]
  return called ?? paths.find((path) => path === `${wanted}/.gemini`) ?? wanted
}

type Listed = Omit<SessionList, 'coverage'>

interface SessionListSources {
  sync: {
    /** `revision` grows with every change of a row. */
    rows: { readonly revision: number; sessions: () => unknown; projects: () => unknown }
    /** null: all rows exist. */
    firstList: {
      answer: (query: SessionQuery, rows: () => readonly SessionSummary[]) => Promise<Listed | null>
    }
  }
  shown: {
    summaries: () => readonly SessionSummary[]
    findProjects: (wanted: string) => ReadonlySet<string>
    /** null: the query filters neither by tool nor by attachments. */
    using: (query: SessionQuery) => ReadonlySet<string> | null
  }
  homes: readonly { path: string }[]
  homeNames: { all: () => ReadonlyMap<string, string> }
}

interface Ordered {
  resolved: ResolvedList
  sessions: OrderedSessions<SessionSummary>
}

/** Number of different filters and orders cached at the same time. */
const MOST_ORDERS = 8

/**
 * Lists of sessions: from file names while rows are being created, afterwards from the rows. As long as no row changes, the order and
 * totals of a list are computed once for all of its pages.
 */
export class SessionLists {
  readonly #sources: SessionListSources
  readonly #orders = new Map<string, Ordered>()
  /** The state that the cached orders were computed from. */
  #state: readonly unknown[] = []

  constructor(sources: SessionListSources) {
    this.#sources = sources
  }

  async answer(query: SessionQuery): Promise<Listed> {
    const { sync, shown } = this.#sources
    const early = await sync.firstList.answer(query, () => shown.summaries())
    if (early !== null) return early
    const { resolved, sessions } = this.#ordered(query)
    const { cursor, limit, days } = query
    const found = cutPage(sessions, { ...resolved, cursor, limit, days })
    return { sessions: found.page, ...toList(found) }
  }

  #ordered(query: SessionQuery): Ordered {
    const { sync, homeNames } = this.#sources
    const { rows } = sync
    const state = [rows.sessions(), rows.projects(), rows.revision, homeNames.all()]
    const isKept = state.every((part, index) => part === this.#state[index])
    if (!isKept || this.#orders.size >= MOST_ORDERS) this.#orders.clear()
    this.#state = state
    const { cursor: _cursor, limit: _limit, days: _days, ...asked } = query
    const name = JSON.stringify(asked)
    const ordered = this.#orders.get(name) ?? this.#order(query)
    this.#orders.set(name, ordered)
    return ordered
  }

  /** Filters by tool need the calls, filters by home the files. */
  #order(query: SessionQuery): Ordered {
    const { shown, homes, homeNames } = this.#sources
    const paths = homes.map(({ path }) => path)
    const home = query.home === undefined ? null : findHome(query.home, paths, homeNames.all())
    const all = shown.summaries()
    const using = shown.using(query)
    const listed = all.filter(
      ({ key, files }) =>
        (using?.has(key) ?? true) && (home === null || files.some((file) => file.home === home)),
    )
    const resolved = resolveList(query, (wanted) => shown.findProjects(wanted))
    return { resolved, sessions: { ...orderSessions(listed, resolved), all } }
  }
}
