import type { SearchQuery, SearchResult } from '@gemini-dash/api'
import {
  type IndexSearchRequest,
  type IndexSearchResult,
  type IndexTree,
  type ParsedQuery,
  parseQuery,
  type SessionIndex,
  withoutFilter,
} from '@gemini-dash/session-index'
import { countFacets } from './search/count-facets.ts'
import { didYouMean } from './search/did-you-mean.ts'
import { nameSession } from './search/name-session.ts'
import { type Parameter, parameterTrees } from './search/parameter-trees.ts'
import { relaxSearch } from './search/relax-search.ts'
import type { SearchScope } from './search/search-scope.ts'
import { toIndexTree } from './search/to-index-tree.ts'
import { ownZone } from './time-zone.ts'

type Index = Pick<SessionIndex, 'closestWords'> & {
  search: (request: IndexSearchRequest) => Promise<IndexSearchResult>
}

/** Answers a search: hits, the sessions they lie in, and counts to narrow them by. */
export async function searchSessions(
  query: SearchQuery,
  scope: SearchScope,
  index: Index,
): Promise<SearchResult> {
  const zone = query.tz ?? ownZone()
  const context = { mode: query.mode, zone, nowMs: Date.now() }
  const parsed = parseQuery(query.q, context)
  const parameters = parameterTrees(query, scope, zone)
  const offset = readCursor(query.cursor)
  const request = (of: ParsedQuery, without: Parameter | null, rest: Partial<IndexSearchRequest> = {}) => ({
    ...toRequest(query, of, treesWithout(parameters, without), scope),
    ...rest,
  })

  const chosen = [...parameters.keys()]
  const [found, ...others] = await Promise.all([
    index.search(request(parsed, null, { limit: query.limit, offset, countsCalls: true })),
    ...chosen.map((parameter) => index.search(request(parsed, parameter, { countsCalls: true }))),
  ])
  const foundWithout = new Map(chosen.map((parameter, index) => [parameter, others[index] ?? found]))
  const countHits = async (q: string) => (await index.search(request(parseQuery(q, context), null))).total
  const isNothing = found.total === 0
  return {
    ...toPage(found, scope, offset),
    filters: parsed.filters.map((filter) => ({ ...filter, without: withoutFilter(query.q, filter) })),
    named: nameSession(query.q, scope),
    facets: countFacets((parameter) => foundWithout.get(parameter) ?? found, scope, zone),
    notes: notesOf(parsed, found, scope),
    didYouMean:
      isNothing && query.mode === 'words'
        ? await didYouMean(query.q, parsed.filters, (words) => index.closestWords(words), countHits)
        : null,
    relax: isNothing ? await relaxSearch(parsed.filters, query, foundWithout, countHits) : [],
  }
}

function treesWithout(parameters: Map<Parameter, IndexTree>, without: Parameter | null): IndexTree[] {
  return [...parameters].filter(([name]) => name !== without).map(([, tree]) => tree)
}

function toRequest(
  { mode, sort }: SearchQuery,
  { tree, text }: ParsedQuery,
  beside: IndexTree[],
  scope: SearchScope,
): IndexSearchRequest {
  const asked = tree === null ? [] : [toIndexTree(tree, scope)]
  // A query of nothing finds nothing, whatever stands beside it.
  const isEmpty = mode === 'words' && asked.length === 0
  const all = isEmpty ? [] : [...asked, ...beside]
  return {
    mode,
    tree: all.length === 0 ? null : { kind: 'and', of: all },
    pattern: text,
    sort,
    limit: 0,
    offset: 0,
  }
}

function toPage(found: IndexSearchResult, { sessions: known, coverage }: SearchScope, offset: number) {
  const hitsBySession = new Map(found.sessionHits)
  const sessions: SearchResult['sessions'] = {}
  for (const { sessionKey } of found.hits) {
    const summary = known.get(sessionKey)?.summary
    if (summary === undefined) continue
    const { title, project, startTime, models } = summary
    sessions[sessionKey] = { title, project, startTime, models, hits: hitsBySession.get(sessionKey) ?? 0 }
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
