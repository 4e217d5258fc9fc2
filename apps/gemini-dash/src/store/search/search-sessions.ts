import type { SearchQuery, SearchResult } from '@gemini-dash/api'
import { formatPlural } from '@gemini-dash/api/figures'
import {
  type IndexCounts,
  type IndexSearchRequest,
  type IndexSearchResult,
  type ParsedQuery,
  queryWords,
  replaceWords,
  type SessionIndex,
  type WrittenFilter,
  withoutFilter,
} from '@gemini-dash/session-index'
import { countFacets } from './count-facets.ts'
import { type Parameter, parseSearch } from './parse-search.ts'
import { relaxSearch } from './relax-search.ts'
import { SearchResolver } from './resolve-search.ts'
import { readSearchCursor, type SearchCursor, writeSearchCursor } from './search-cursor.ts'
import type { SearchScope } from './search-scope.ts'

/** Shorter, it is more likely a word than the beginning of an id. */
const ID = /^[\w~-]{8,64}$/
/** After so long somebody who waits wants to see what was found. */
const SEARCH_SECONDS = 10
/** Fewer letters than this are a slip of nothing in particular. */
const MIN_LENGTH = 3
/** Each candidate costs a search. */
const MOST_TRIED = 6

type Index = Pick<SessionIndex, 'closestWords'> & {
  search: (
    request: IndexSearchRequest,
    onPartial?: (partial: IndexSearchResult) => void,
  ) => Promise<IndexSearchResult>
}

/**
 * Answers a search: hits, the sessions they lie in, and counts to narrow them by. A search over the files themselves
 * tells on its way what it has found so far; `coverage` then says how many of them it has looked at.
 */
export async function searchSessions(
  query: SearchQuery,
  scope: SearchScope,
  index: Index,
  nowMs: number,
  onPartial?: (partial: SearchResult) => void,
): Promise<SearchResult> {
  const resolver = new SearchResolver(scope)
  const parsed = parseSearch(query, nowMs)
  const { query: resolved, treesWithout } = resolver.resolve(parsed)
  const { offset, scanFrom, scanTo } = readSearchCursor(query.cursor)
  const seconds = query.timeout ?? SEARCH_SECONDS
  const limitMs = seconds * 1_000
  const chosen = [...treesWithout.keys()]
  const request: IndexSearchRequest = {
    ...resolved,
    sort: query.sort,
    limit: query.limit,
    offset,
    scanFrom,
    scanTo,
    // A further page looks at what the first one did.
    ...(scanTo.length === 0 && { limitMs }),
    countsCalls: true,
    alsoCount: [...treesWithout.values()],
  }
  const countsWithout = ({ alsoCounted }: IndexSearchResult): Map<Parameter, IndexCounts> =>
    new Map(
      chosen.flatMap((parameter, place) => (alsoCounted[place] ? [[parameter, alsoCounted[place]]] : [])),
    )
  const answer = (found: IndexSearchResult): SearchResult => ({
    ...toPage(found, scope, { offset, scanFrom, scanTo }),
    partial: partOf(found, { scanTo, seconds }),
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
  if (found.total > 0 || partOf(found, { scanTo, seconds }) !== null || scanFrom.length > 0)
    return answer(found)
  const countHits = async (queries: string[]): Promise<number[]> => {
    const [first, ...others] = queries.map((q) => resolver.resolve(parseSearch({ ...query, q }, nowMs)).query)
    if (first === undefined) return []
    // What is looked for is the same in all: they differ in their filters.
    const { total, alsoCounted, scan } = await index.search({
      ...first,
      sort: query.sort,
      limit: 0,
      offset: 0,
      limitMs,
      alsoCount: others.map(({ tree }) => tree),
    })
    // Counts of a part say less than there is.
    if (scan !== null && scan.stoppedAt !== null) return []
    return [total, ...alsoCounted.map((counts) => counts.total)]
  }
  return {
    ...answer(found),
    didYouMean:
      query.mode === 'words'
        ? await didYouMean(query.q, parsed.written.filters, (words) => index.closestWords(words), countHits)
        : null,
    relax: await relaxSearch(parsed.written.filters, query, countsWithout(found), countHits),
  }
}

/** The session whose id (or at least eight characters of it) or key the whole query is. */
function nameSession(q: string, { sessions, resolve }: SearchScope): SearchResult['named'] {
  const text = q.trim()
  const resolution = ID.test(text) ? resolve(text) : null
  if (resolution?.kind !== 'one') return null
  const summary = sessions.get(resolution.key)?.summary
  return summary === undefined ? null : { key: summary.key, title: summary.title }
}

/** A query of words that are there, where the one that was typed finds nothing: each word in turn is taken for a slip, then all. */
async function didYouMean(
  query: string,
  filters: WrittenFilter[],
  closestWords: (words: string[]) => Promise<Map<string, string[]>>,
  countHits: (queries: string[]) => Promise<number[]>,
): Promise<string | null> {
  const words = queryWords(query, filters)
  const wanted = [...new Set(words.map(({ word }) => word))].filter(
    (word) => word.length >= MIN_LENGTH && word !== 'and',
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
  { offset, scanFrom, scanTo }: SearchCursor,
) {
  const hitsBySession = new Map(found.sessionHits)
  const sessions: SearchResult['sessions'] = {}
  for (const { sessionKey } of found.hits) {
    const summary = known.get(sessionKey)?.summary
    if (summary === undefined) continue
    const { title, kind, project, startTime, models } = summary
    const hits = hitsBySession.get(sessionKey) ?? 0
    sessions[sessionKey] = { title, kind, project, startTime, models, hits }
  }
  const end = offset + found.hits.length
  const stoppedAt = found.scan?.stoppedAt ?? scanTo
  const hasMore = end < found.total && found.hits.length > 0
  return {
    total: found.total,
    messageTotal: found.messageTotal,
    sessionTotal: found.sessionTotal,
    // A session can be deleted between the search and its answer.
    hits: found.hits.filter(({ sessionKey }) => known.has(sessionKey)),
    sessions,
    coverage: (stoppedAt.length > 0 && progressOf(found)) || coverage,
    nextCursor: hasMore
      ? writeSearchCursor({ offset: end, scanFrom, scanTo: stoppedAt })
      : stoppedAt.length > 0
        ? writeSearchCursor({ offset: 0, scanFrom: stoppedAt, scanTo: [] })
        : null,
  }
}

function progressOf({ scan }: IndexSearchResult): SearchResult['coverage'] | null {
  return scan && { filesDone: scan.filesDone, filesTotal: scan.filesTotal }
}

function partOf(
  { scan }: IndexSearchResult,
  { scanTo, seconds }: Pick<SearchCursor, 'scanTo'> & { seconds: number },
): SearchResult['partial'] {
  if (scan === null) return null
  const isStopped = scan.stoppedAt !== null || scanTo.length > 0
  const { messagesLeftOut } = scan
  return isStopped || messagesLeftOut > 0 ? { seconds: isStopped ? seconds : null, messagesLeftOut } : null
}

function notesOf(parsed: ParsedQuery, found: IndexSearchResult, { isReady }: SearchScope): string[] {
  const notes = new Set([...parsed.notes, ...found.notes])
  if (!isReady) notes.add('The index is still being built: more may be found.')
  const left = found.scan?.messagesLeftOut ?? 0
  if (left > 0)
    notes.add(
      `${formatPlural(left, 'message')} not searched whole: the pattern takes too long there. A simpler one may not.`,
    )
  return [...notes]
}
