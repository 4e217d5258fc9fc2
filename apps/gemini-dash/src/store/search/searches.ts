import { setTimeout } from 'node:timers/promises'
import {
  type Otherwise,
  SEARCH_SECONDS,
  type SearchQuery,
  type SearchResult,
  searchFieldSchema,
} from '@gemini-dash/api'
import { LONG_QUERY } from '@gemini-dash/api/cut-query'
import { formatPlural } from '@gemini-dash/api/figures'
import { SEARCH_ON } from '@gemini-dash/api/paths'
import { sessionName } from '@gemini-dash/api/session-name'
import {
  type HitPosition,
  type IndexCounts,
  type IndexSearchRequest,
  type IndexSearchResult,
  type ParsedQuery,
  type QueryTree,
  queryWords,
  replaceWords,
  type ScanPosition,
  type SessionIndex,
  type WrittenFilter,
  withoutFilter,
} from '@gemini-dash/session-index'
import type { SessionSummary } from 'gemini-sessions'
import { z } from 'zod'
import type { Indexing } from '../sync/indexing.ts'
import { type LeftOutRows, SearchResolver } from './resolve-search.ts'
import {
  countFacets,
  type Parameter,
  type ParsedSearch,
  parseSearch,
  relaxSearch,
  type SearchScope,
} from './search-scope.ts'

interface Rehearsal {
  search: (query: SearchQuery) => Promise<unknown>
  /** There was no search yet. */
  isNeeded: () => boolean
  /** Nothing else is waited for. */
  isQuiet: () => boolean
}

/** Late enough not to slow down a start. */
const LOOK_AFTER_MS = 1_000

/** These have many hits in most homes; which ones does not matter. */
const QUERY: SearchQuery = { q: 'the OR error OR file', mode: 'words', sort: 'recent', limit: 20 }

interface SearchesOptions {
  indexing: Indexing
  openIndex: () => Promise<SessionIndex>
  scope: () => SearchScope
  clock: () => number
  /** Resolves when this mode can find anything. */
  whenFindable: (mode: SearchQuery['mode']) => Promise<void>
  /** Nothing else is waited for. */
  isQuiet: () => boolean
}

/** Inputs of a search besides the query. */
export interface SearchExtras {
  /** Aborts when the client no longer waits. */
  signal?: AbortSignal | undefined
  /** Receives what a search over the files has found so far. */
  onPartial?: ((partial: SearchResult) => void) | undefined
  /** Rows in which no hit may be. */
  without?: LeftOutRows | undefined
}

/** Searches over all sessions. */
export class Searches {
  readonly #options: SearchesOptions
  #hasSearched = false

  constructor(options: SearchesOptions) {
    this.#options = options
  }

  search(query: SearchQuery, { signal, onPartial, without }: SearchExtras = {}): Promise<SearchResult> {
    this.#hasSearched = true
    return this.#search(query, { signal, onPartial, without })
  }

  /** Runs a search in advance, unless the user searches first. */
  warmUp(): Promise<void> {
    this.#hasSearched = false
    return warmUpSearch({
      search: (query) => this.#search(query),
      isNeeded: () => !this.#hasSearched,
      isQuiet: this.#options.isQuiet,
    })
  }

  async #search(
    query: SearchQuery,
    { signal, onPartial, without }: SearchExtras = {},
  ): Promise<SearchResult> {
    const { indexing, openIndex, scope, clock, whenFindable } = this.#options
    await whenFindable(query.mode)
    const index = await openIndex()
    const asking = {
      search: (request: IndexSearchRequest, tell?: (partial: IndexSearchResult) => void) =>
        index.search(request, {
          ...(signal !== undefined && { signal }),
          ...(tell !== undefined && { onPartial: tell }),
        }),
      closestWords: (words: string[]) => index.closestWords(words),
    }
    const found = () =>
      searchSessions(query, { scope: scope(), index: asking, nowMs: clock(), onPartial, without })
    return askWhole(indexing, found)
  }
}

/**
 * Searches while nothing is waited for: with code and tables warmed up, the user's first search takes half the time. An error is reported
 * by the next search.
 */
async function warmUpSearch({ search, isNeeded, isQuiet }: Rehearsal): Promise<void> {
  do await setTimeout(LOOK_AFTER_MS, null, { ref: false })
  while (isNeeded() && !isQuiet())
  try {
    for (const sort of ['recent', 'relevance'] as const) if (isNeeded()) await search({ ...QUERY, sort })
  } catch {
    // The program is ending, or the index cannot be read.
  }
}

const MOST_ATTEMPTS = 3

/**
 * The index can lose data while it answers. If it has read that again meanwhile, the search is repeated; otherwise the answer states how
 * much it covers.
 */
export async function askWhole<Answer extends Pick<SearchResult, 'coverage'>>(
  indexing: Pick<Indexing, 'losses' | 'isReady' | 'progress'>,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const { losses } = indexing
    const answer = await ask()
    if (losses === indexing.losses) return answer
    if (!indexing.isReady || attempt === MOST_ATTEMPTS) return { ...answer, coverage: indexing.progress() }
  }
}

/** A shorter text is more likely a word than a prefix of an id. */
const ID = /^[\w~-]{8,64}$/
/** Shorter words cannot be corrected reliably. */
const MIN_SUGGESTED_LENGTH = 3
/** With less time left nothing is counted. */
const LEAST_MS = 1_000
/** Each candidate costs a search. */
const MOST_TRIED = 6

type Index = Pick<SessionIndex, 'closestWords'> & {
  search: (
    request: IndexSearchRequest,
    onPartial?: (partial: IndexSearchResult) => void,
  ) => Promise<IndexSearchResult>
}

/** What a search runs on. */
interface Searched extends Omit<SearchExtras, 'signal'> {
  scope: SearchScope
  index: Index
  nowMs: number
}

/**
 * Answers a search: hits, their sessions, and counts for narrowing it. A search over the files reports intermediate results; `coverage`
 * then states how many of them it has searched.
 */
async function searchSessions(query: SearchQuery, searched: Searched): Promise<SearchResult> {
  const parsed = parseSearch(query, searched.nowMs)
  const asText = pastedText(query.q, parsed)
  const timeout = Math.min(query.timeout ?? SEARCH_SECONDS, TEXT_SECONDS)
  const searchText = (read: ParsedSearch) =>
    searchRead({ ...query, timeout }, read, { ...searched, onPartial: undefined })
  const looksPasted = parsed.written.filters.some(isPasted)
  const first = asText !== null && looksPasted ? await searchText(asText) : null
  if (first !== null && isText(first, query)) return first
  const result = await searchRead(query, parsed, searched)
  if (result.total > 0 || asText === null || looksPasted) return result
  const last = await searchText(asText)
  return isText(last, query) ? last : result
}

/** Time limit of the literal search for pasted text, which comes before it is read as a query. */
const TEXT_SECONDS = 3

/** It was found, or the query continues a search. */
function isText({ total }: SearchResult, { cursor }: SearchQuery): boolean {
  return total > 0 || readSearchCursor(cursor).continueAt !== null
}

/** A command option that reads as excluded words, or an address that reads as a filter: `-m`, `-rf`, `file:///home`. */
function isPasted({ field, value, isNegated }: WrittenFilter): boolean {
  return field === 'text' ? isNegated && /^\w{1,3}$/.test(value) : value.startsWith('//')
}

/** The whole text as a literal, if part of it was read as excluded words or is an address; null otherwise. */
function pastedText(q: string, parsed: ParsedSearch): ParsedSearch | null {
  const read = parsed.written.filters.filter((filter) => filter.field === 'text' || isPasted(filter))
  if (parsed.mode !== 'words' || read.length === 0) return null
  const note = `${listed(read, q)} searched for as text, because this exact text was found.`
  return { ...parsed, mode: 'substring', written: { tree: null, filters: [], text: q.trim(), notes: [note] } }
}

/** `“-m” and “-rf” were` */
function listed(filters: readonly WrittenFilter[], q: string): string {
  const names = [...new Set(filters.map(({ start, end }) => `“${q.slice(start, end)}”`))]
  const last = names.pop()
  return names.length === 0 ? `${last} was` : `${names.join(', ')} and ${last} were`
}

/** Runs a search as parsed. */
async function searchRead(
  query: SearchQuery,
  parsed: ParsedSearch,
  { scope, index, nowMs, onPartial, without }: Searched,
): Promise<SearchResult> {
  const resolver = new SearchResolver(scope)
  const { query: resolved, treesWithout } = resolver.resolve(parsed, without)
  const cursor = readSearchCursor(query.cursor)
  const { after, continueAt, endAt } = cursor
  const seconds = query.timeout ?? SEARCH_SECONDS
  const startMs = performance.now()
  const chosen = [...treesWithout.keys()]
  const request: IndexSearchRequest = {
    ...resolved,
    sort: query.sort,
    limit: query.limit,
    ...(after && { after }),
    limitMs: seconds * 1_000,
    ...(endAt && { endAt }),
    ...(continueAt && { continueAt }),
    countsCalls: true,
    alsoCount: [...treesWithout.values()],
  }
  const countsWithout = ({ alsoCounted }: IndexSearchResult): Map<Parameter, IndexCounts> =>
    new Map(
      chosen.flatMap((parameter, place) => (alsoCounted[place] ? [[parameter, alsoCounted[place]]] : [])),
    )
  const answer = (found: IndexSearchResult): SearchResult => ({
    ...toPage(found, scope, cursor, seconds),
    filters: parsed.written.filters.map((filter) => ({ ...filter, without: withoutFilter(query.q, filter) })),
    named: nameSession(query.q, scope),
    facets: countFacets((parameter) => countsWithout(found).get(parameter) ?? found, scope, parsed.zone),
    notes: notesOf(parsed.written, found, scope),
    didYouMean: null,
    relax: [],
  })

  const found = await index.search(
    request,
    onPartial &&
      ((partial) => onPartial({ ...answer(partial), coverage: progressOf(partial) ?? scope.coverage })),
  )
  const leftMs = seconds * 1_000 - (performance.now() - startMs)
  // With the remaining time, counts what removing filters would find, provided that everything was searched.
  if (found.total > 0 || isPartial(found) || continueAt !== null || leftMs < LEAST_MS) return answer(found)
  const countHits = async (queries: string[]): Promise<number[]> => {
    const [first, ...others] = queries.map(
      (q) => resolver.resolve(parseSearch({ ...query, q }, nowMs), without).query,
    )
    if (first === undefined) return []
    // The text is the same in all of them; only the filters differ.
    const counted = await index.search({
      ...first,
      sort: query.sort,
      limit: 0,
      limitMs: leftMs,
      alsoCount: others.map(({ tree }) => tree),
    })
    if (isPartial(counted)) return []
    return [counted.total, ...counted.alsoCounted.map((counts) => counts.total)]
  }
  const look = (read: ParsedSearch, limitMs = leftMs) =>
    index.search({ ...resolver.resolve(read, without).query, sort: query.sort, limit: 0, limitMs })
  const otherwise = parsed.mode === 'words' ? await readOtherwise(query, parsed, scope, nowMs, look) : []
  return {
    ...answer(found),
    ...(otherwise.length > 0 && { otherwise }),
    didYouMean:
      parsed.mode === 'words' && query.q.length <= LONG_QUERY
        ? await didYouMean(query.q, parsed.written.filters, (words) => index.closestWords(words), countHits)
        : null,
    relax: await relaxSearch(parsed.written.filters, query, countsWithout(found), countHits),
  }
}

/** More than a person searches for at once; each word costs a search. */
const MOST_WORDS = 12
const MOST_SESSIONS = 20
/** Time limit of a search for exact text that was not requested. */
const EXACT_MS = 2_000

/** Advice for a person, program or agent if words find nothing. */
async function readOtherwise(
  query: SearchQuery,
  parsed: ParsedSearch,
  scope: SearchScope,
  nowMs: number,
  look: (read: ParsedSearch, limitMs?: number) => Promise<IndexSearchResult>,
): Promise<Otherwise[]> {
  const { filters } = parsed.written
  const leftOut = filters.filter(({ field }) => field === 'text')
  const addresses = filters.filter((filter) => filter.field !== 'text' && isPasted(filter))
  const read = [
    ...(leftOut.length === 0 ? [] : [`${listed(leftOut, query.q)} read as words to leave out`]),
    ...(addresses.length === 0 ? [] : [`${listed(addresses, query.q)} read as a filter`]),
  ]
  const answers: Otherwise[] = []
  if (read.length > 0)
    answers.push({ kind: 'read', sentence: `${read.join(', and ')}.`, total: null, sessions: [] })
  const exact = parseSearch({ ...query, mode: 'substring' }, nowMs)
  const { total } = exact.written.text === '' ? { total: 0 } : await look(exact, EXACT_MS)
  if (total > 0)
    answers.push({
      kind: 'exact',
      sentence: `Exact text has ${formatPlural(total, 'result')}.`,
      ...{ total, sessions: [] },
    })
  const apart = await sessionsWithAll(parsed, scope, look)
  if (apart.length > 0)
    answers.push({
      kind: 'sessions',
      sentence: `${formatPlural(apart.length, 'session has', 'sessions have')} all these words, in different messages.`,
      total: apart.length,
      sessions: apart.slice(0, MOST_SESSIONS).map(({ key, title }) => ({ key, title })),
    })
  if (exact.written.text === '' || total > 0 || apart.length > 0) return answers
  const { total: withData } = await look(withTree(parsed, [{ kind: 'has', what: 'data' }]))
  if (withData > 0)
    answers.push({
      kind: 'data',
      sentence: `Words are not looked for in the base64 data of ${formatPlural(withData, 'message')}.`,
      ...{ total: withData, sessions: [] },
    })
  const { total: withSaved } = await look(withTree(parsed, [{ kind: 'has', what: 'saved' }]))
  if (withSaved > 0)
    answers.push({
      kind: 'saved',
      sentence: `Outputs that Gemini CLI saved to separate files are not searched: those of ${formatPlural(withSaved, 'message')}.`,
      ...{ total: withSaved, sessions: [] },
    })
  return answers
}

/** The same filters with other words. */
function withTree(parsed: ParsedSearch, words: QueryTree[]): ParsedSearch {
  const { tree } = parsed.written
  const parts = tree?.kind === 'and' ? tree.of : tree === null ? [] : [tree]
  const filters = parts.filter(({ kind }) => kind !== 'text')
  return { ...parsed, written: { ...parsed.written, tree: { kind: 'and', of: [...words, ...filters] } } }
}

/** Sessions that have all words, though no single message does, newest first. The filters apply to each of the messages. */
async function sessionsWithAll(
  parsed: ParsedSearch,
  { sessions }: SearchScope,
  look: (read: ParsedSearch) => Promise<IndexSearchResult>,
): Promise<SessionSummary[]> {
  const parts = parsed.written.tree?.kind === 'and' ? parsed.written.tree.of : []
  const words = parts.filter(({ kind }) => kind === 'text')
  if (words.length < 2 || words.length > MOST_WORDS) return []
  let keys: string[] | null = null
  for (const word of words) {
    const found = await look(withTree(parsed, [word]))
    const has = new Set(found.sessionHits.map(([key]) => key))
    keys = keys === null ? [...has] : keys.filter((key) => has.has(key))
    if (keys.length === 0) return []
  }
  return (keys ?? [])
    .flatMap((key) => sessions.get(key)?.summary ?? [])
    .sort((a, b) => ((a.startTime ?? '') < (b.startTime ?? '') ? 1 : -1))
}

/** The session whose key or id (at least eight characters of it) is the whole query. */
function nameSession(q: string, { sessions, resolve }: SearchScope): SearchResult['named'] {
  const text = q.trim()
  const resolution = ID.test(text) ? resolve(text) : null
  if (resolution?.kind !== 'one') return null
  const summary = sessions.get(resolution.key)?.summary
  return summary === undefined ? null : { key: summary.key, title: sessionName(summary) }
}

/** If the typed query finds nothing, a query with existing words: corrects each word in turn, then all of them. */
async function didYouMean(
  query: string,
  filters: WrittenFilter[],
  closestWords: (words: string[]) => Promise<Map<string, string[]>>,
  countHits: (queries: string[]) => Promise<number[]>,
): Promise<string | null> {
  const words = queryWords(query, filters)
  const wanted = [...new Set(words.map(({ word }) => word))].filter(
    (word) => word.length >= MIN_SUGGESTED_LENGTH && word !== 'and',
  )
  const closest = [...(await closestWords(wanted))].filter(([, others]) => others.length > 0)
  const best = new Map(closest.map(([word, [other = word]]) => [word, other]))
  const single = closest.flatMap(([word, others]) => others.map((other) => new Map([[word, other]])))
  const candidates = [...single.slice(0, MOST_TRIED), best]
    .map((replaced) => replaceWords(query, words, replaced))
    .filter((candidate) => candidate !== query)
  const totals = await countHits(candidates)
  return candidates.find((_, place) => (totals[place] ?? 0) > 0) ?? null
}

function toPage(
  found: IndexSearchResult,
  { sessions: known, coverage }: SearchScope,
  { continueAt }: SearchCursor,
  seconds: number,
) {
  const hitsBySession = new Map(found.sessionHits)
  const sessions: SearchResult['sessions'] = {}
  for (const { sessionKey } of found.hits) {
    const summary = known.get(sessionKey)?.summary
    if (summary === undefined) continue
    const { kind, source, project, startTime, models } = summary
    const hits = hitsBySession.get(sessionKey) ?? 0
    const title = sessionName(summary)
    sessions[sessionKey] = { title, kind, source, project, startTime, models, hits }
  }
  const last = found.hasMore ? (found.positions.at(-1) ?? null) : null
  return {
    total: found.total,
    messageTotal: found.messageTotal,
    sessionTotal: found.sessionTotal,
    // A session can be deleted between the search and its answer.
    hits: found.hits.filter(({ sessionKey }) => known.has(sessionKey)),
    sessions,
    ...partly(found, coverage, seconds),
    nextCursor:
      last === null
        ? goingOn(found)
        : writeSearchCursor({ after: last, continueAt, endAt: found.scan?.continueAt ?? null }),
  }
}

function progressOf({ scan }: IndexSearchResult): SearchResult['coverage'] | null {
  return scan && { filesDone: scan.filesDone, filesTotal: scan.filesTotal }
}

function goingOn({ scan }: IndexSearchResult): string | null {
  const continueAt = scan?.continueAt ?? null
  return continueAt && writeSearchCursor({ after: null, continueAt, endAt: null })
}

function isPartial({ scan }: IndexSearchResult): boolean {
  return scan !== null && (scan.continueAt !== null || scan.messagesLeftOut > 0)
}

/** How much was searched, if that is not everything known. */
function partly(
  found: IndexSearchResult,
  coverage: SearchScope['coverage'],
  seconds: number,
): Pick<SearchResult, 'coverage' | 'partial'> {
  const { scan } = found
  if (scan === null || !isPartial(found)) return { coverage, partial: null }
  const { filesDone, filesTotal, messagesLeftOut, continueAt } = scan
  return {
    coverage: continueAt === null ? coverage : { filesDone, filesTotal },
    partial: { seconds: continueAt === null ? null : seconds, messagesLeftOut },
  }
}

function notesOf(parsed: ParsedQuery, found: IndexSearchResult, { isReady }: SearchScope): string[] {
  const notes = new Set([...parsed.notes, ...found.notes])
  if (!isReady) notes.add('The index is still being built. More results may follow.')
  const left = found.scan?.messagesLeftOut ?? 0
  if (left > 0)
    notes.add(
      `${formatPlural(left, 'message')} not fully searched: the pattern takes too long there. Try a simpler one.`,
    )
  return [...notes]
}

/** Where a page of search results begins. */
interface SearchCursor {
  /** The last hit of the previous page; null: none. */
  after: HitPosition | null
  /** Where the search began, per shard; null: at the newest message. */
  continueAt: (ScanPosition | null)[] | null
  /** Where the search ended when its first page was made; null: at the end, or there was no page yet. */
  endAt: (ScanPosition | null)[] | null
}

const hitSchema = z.tuple([z.number(), z.number(), z.string(), z.number(), z.number(), searchFieldSchema])
const placesSchema = z.array(z.tuple([z.int(), z.int(), z.int()]).nullable()).nullable()
const cursorSchema = z.tuple([hitSchema.nullable(), placesSchema, placesSchema])

/** An invalid cursor means the beginning. */
function readSearchCursor(cursor: string | undefined): SearchCursor {
  const [, text = ''] = cursor?.split('~', 2) ?? []
  const read = cursorSchema.safeParse(parsed(Buffer.from(text, 'base64url').toString()))
  if (!read.success) return { after: null, continueAt: null, endAt: null }
  const [hit, continueAt, endAt] = read.data
  return { after: hit && toHit(hit), continueAt: toPlaces(continueAt), endAt: toPlaces(endAt) }
}

/** Whether it is the `nextCursor` of a search. */
export function isSearchCursor(cursor: string): boolean {
  const { after, continueAt } = readSearchCursor(cursor)
  return after !== null || continueAt !== null
}

/** Begins with `0~` to continue a search whose time ran out, with `at~` for a further page. */
function writeSearchCursor({ after, continueAt, endAt }: SearchCursor): string {
  const hit = after && [after.score, after.timeMs, after.sessionKey, after.place, after.group, after.field]
  const json = JSON.stringify([hit, ofPlaces(continueAt), ofPlaces(endAt)])
  return `${hit === null ? SEARCH_ON : 'at~'}${Buffer.from(json).toString('base64url')}`
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

function toHit([score, timeMs, sessionKey, place, group, field]: z.infer<typeof hitSchema>): HitPosition {
  return { score, timeMs, sessionKey, place, group, field }
}

function toPlaces(places: z.infer<typeof placesSchema>): SearchCursor['continueAt'] {
  return places?.map((place) => place && { timeMs: place[0], group: place[1], messages: place[2] }) ?? null
}

function ofPlaces(places: SearchCursor['continueAt']): z.infer<typeof placesSchema> {
  return places?.map((place) => place && [place.timeMs, place.group, place.messages]) ?? null
}
