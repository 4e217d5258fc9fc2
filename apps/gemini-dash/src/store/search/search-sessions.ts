import type { SearchQuery, SearchResult } from '@gemini-dash/api'
import {
  type IndexCounts,
  type IndexSearchRequest,
  type IndexSearchResult,
  type ParsedQuery,
  type SessionIndex,
  withoutFilter,
} from '@gemini-dash/session-index'
import { countFacets } from './count-facets.ts'
import { didYouMean } from './did-you-mean.ts'
import { nameSession } from './name-session.ts'
import { type Parameter, parseSearch } from './parse-search.ts'
import { relaxSearch } from './relax-search.ts'
import { SearchResolver } from './resolve-search.ts'
import type { SearchScope } from './search-scope.ts'

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
  onPartial?: (partial: SearchResult) => void,
): Promise<SearchResult> {
  const nowMs = Date.now()
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

function readCursor(cursor: string | undefined): number {
  const offset = Number(cursor ?? 0)
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0
}
