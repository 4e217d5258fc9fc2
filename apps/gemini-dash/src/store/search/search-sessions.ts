import type { SearchQuery, SearchResult } from '@gemini-dash/api'
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
import type { SearchScope } from './search-scope.ts'

/** Shorter, it is more likely a word than the beginning of an id. */
const ID = /^[\w~-]{8,64}$/
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
  const offset = readCursor(query.cursor)
  const chosen = [...treesWithout.keys()]
  const request: IndexSearchRequest = {
    ...resolved,
    sort: query.sort,
    limit: query.limit,
    offset,
    countsCalls: true,
    alsoCount: [...treesWithout.values()],
  }
  const countsWithout = ({ alsoCounted }: IndexSearchResult): Map<Parameter, IndexCounts> =>
    new Map(
      chosen.flatMap((parameter, place) => (alsoCounted[place] ? [[parameter, alsoCounted[place]]] : [])),
    )
  const answer = (found: IndexSearchResult): SearchResult => ({
    ...toPage(found, scope, offset),
    filters: parsed.written.filters.map((filter) => ({ ...filter, without: withoutFilter(query.q, filter) })),
    named: nameSession(query.q, scope),
    facets: countFacets((parameter) => countsWithout(found).get(parameter) ?? found, scope, parsed.zone),
    notes: notesOf(parsed.written, found, scope),
    didYouMean: null,
    relax: [],
  })

  const found = await index.search(
    request,
    onPartial && ((partial) => onPartial({ ...answer(partial), coverage: partial.scan ?? scope.coverage })),
  )
  if (found.total > 0) return answer(found)
  const countHits = async (queries: string[]): Promise<number[]> => {
    const [first, ...others] = queries.map((q) => resolver.resolve(parseSearch({ ...query, q }, nowMs)).query)
    if (first === undefined) return []
    // What is looked for is the same in all: they differ in their filters.
    const { total, alsoCounted } = await index.search({
      ...first,
      sort: query.sort,
      limit: 0,
      offset: 0,
      alsoCount: others.map(({ tree }) => tree),
    })
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

function toPage(found: IndexSearchResult, { sessions: known, coverage }: SearchScope, offset: number) {
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
  return {
    total: found.total,
    messageTotal: found.messageTotal,
    sessionTotal: found.sessionTotal,
    // A session can be deleted between the search and its answer.
    hits: found.hits.filter(({ sessionKey }) => known.has(sessionKey)),
    sessions,
    coverage,
    nextCursor: end < found.total && found.hits.length > 0 ? String(end) : null,
  }
}

function notesOf(parsed: ParsedQuery, found: IndexSearchResult, { isReady }: SearchScope): string[] {
  const notes = new Set([...parsed.notes, ...found.notes])
  if (!isReady) notes.add('The index is still being built: more may be found.')
  return [...notes]
}

/** How many hits the pages before had. */
export function readCursor(cursor: string | undefined): number {
  const offset = Number(cursor ?? 0)
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0
}
