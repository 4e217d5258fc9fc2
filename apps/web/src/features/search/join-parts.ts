import type { SearchResult } from '@gemini-dash/api'
import { isGoingOn, type SearchAnswer } from '../../api/search.ts'

/** `sessionTotal` is null where several parts were searched: one session may have hits in two of them. */
export type JoinedSearch = Omit<SearchAnswer, 'sessionTotal'> & { sessionTotal: number | null }

/** What all parts of a search say together that stopped and was gone on with; of each its first page has the counts. */
export function joinParts(pages: SearchAnswer[]): JoinedSearch | undefined {
  const parts = pages.filter((_, at) => {
    const before = pages[at - 1]
    return before === undefined || isGoingOn(before.nextCursor)
  })
  const [first, ...others] = parts
  const last = pages.at(-1)
  if (first === undefined || last === undefined || others.length === 0) return first
  const { coverage, partial, nextCursor } = last
  return {
    ...first,
    ...{ coverage, partial, nextCursor, sessionTotal: null },
    total: parts.reduce((sum, { total }) => sum + total, 0),
    notes: [...new Set(parts.flatMap(({ notes }) => notes))],
    facets: Object.fromEntries(
      Object.keys(first.facets).map((name) => [name, sumFacet(parts, name as keyof SearchResult['facets'])]),
    ) as SearchResult['facets'],
  }
}

function sumFacet(parts: SearchAnswer[], name: keyof SearchResult['facets']) {
  const sums = new Map<string, SearchResult['facets']['day'][number]>()
  for (const facet of parts.flatMap(({ facets }) => facets[name]))
    sums.set(facet.value, { ...facet, count: facet.count + (sums.get(facet.value)?.count ?? 0) })
  // days are in their own order, which is that of the parts
  return name === 'day' ? [...sums.values()] : [...sums.values()].sort((a, b) => b.count - a.count)
}
