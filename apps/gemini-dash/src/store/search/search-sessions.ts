import type { SearchQuery, SearchResult } from '@gemini-dash/api'
import {
  type IndexCounts,
  type IndexSearchRequest,
  type IndexSearchResult,
  type IndexTree,
  type ParsedQuery,
  parseQuery,
  type SessionIndex,
  withoutFilter,
} from '@gemini-dash/session-index'
import { ownZone } from '../times/time-zone.ts'
import { countFacets } from './count-facets.ts'
import { didYouMean } from './did-you-mean.ts'
import { nameSession } from './name-session.ts'
import { type Parameter, parameterTrees } from './parameter-trees.ts'
import { relaxSearch } from './relax-search.ts'
import type { SearchScope } from './search-scope.ts'
import { toIndexTree } from './to-index-tree.ts'

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
  const zone = query.tz ?? ownZone()
  const context = { mode: query.mode, zone, nowMs: Date.now() }
  const parsed = parseQuery(query.q, context)
  const parameters = parameterTrees(query, scope, zone)
  const beside = [...parameters.values()]
  const offset = readCursor(query.cursor)
  const chosen = [...parameters.keys()]
  const request: IndexSearchRequest = {
    ...toRequest(query, parsed, beside, scope),
    limit: query.limit,
    offset,
    countsCalls: true,
    alsoCount: chosen.map((parameter) =>
      askedTree(query, parsed, treesWithout(parameters, parameter), scope),
    ),
  }
  const countsWithout = ({ alsoCounted }: IndexSearchResult): Map<Parameter, IndexCounts> =>
    new Map(
      chosen.flatMap((parameter, place) => (alsoCounted[place] ? [[parameter, alsoCounted[place]]] : [])),
    )
  const answer = (found: IndexSearchResult): SearchResult => ({
    ...toPage(found, scope, offset),
    filters: parsed.filters.map((filter) => ({ ...filter, without: withoutFilter(query.q, filter) })),
    named: nameSession(query.q, scope),
    facets: countFacets((parameter) => countsWithout(found).get(parameter) ?? found, scope, zone),
    notes: notesOf(parsed, found, scope),
    didYouMean: null,
    relax: [],
  })

  const found = await index.search(
    request,
    onPartial && ((partial) => onPartial({ ...answer(partial), coverage: partial.scan ?? scope.coverage })),
  )
  if (found.total > 0) return answer(found)
  const countHits = async (queries: string[]): Promise<number[]> => {
    const [first, ...others] = queries.map((q) => parseQuery(q, context))
    if (first === undefined) return []
    // What is looked for is the same in all: they differ in their filters.
    const { total, alsoCounted } = await index.search({
      ...toRequest(query, first, beside, scope),
      alsoCount: others.map((other) => askedTree(query, other, beside, scope)),
    })
    return [total, ...alsoCounted.map((counts) => counts.total)]
  }
  return {
    ...answer(found),
    didYouMean:
      query.mode === 'words'
        ? await didYouMean(query.q, parsed.filters, (words) => index.closestWords(words), countHits)
        : null,
    relax: await relaxSearch(parsed.filters, query, countsWithout(found), countHits),
  }
}

function treesWithout(parameters: Map<Parameter, IndexTree>, without: Parameter | null): IndexTree[] {
  return [...parameters].filter(([name]) => name !== without).map(([, tree]) => tree)
}

function toRequest(
  query: SearchQuery,
  parsed: ParsedQuery,
  beside: IndexTree[],
  scope: SearchScope,
): IndexSearchRequest {
  const tree = askedTree(query, parsed, beside, scope)
  return { mode: query.mode, tree, pattern: parsed.text, sort: query.sort, limit: 0, offset: 0 }
}

function askedTree(
  { mode }: SearchQuery,
  { tree }: ParsedQuery,
  beside: IndexTree[],
  scope: SearchScope,
): IndexTree | null {
  const asked = tree === null ? [] : [toIndexTree(tree, scope)]
  // A query of nothing finds nothing, whatever stands beside it.
  const isEmpty = mode === 'words' && asked.length === 0
  // On one level: `in:` says where a pattern is looked for only beside which it stands.
  const all = isEmpty ? [] : [...asked, ...beside].flatMap((part) => (part.kind === 'and' ? part.of : [part]))
  return all.length === 0 ? null : { kind: 'and', of: all }
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
