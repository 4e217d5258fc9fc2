import type { SearchResult } from '@gemini-dash/api'
import { isGoingOn, type SearchAnswer } from '../../api/search.ts'

/** `sessionTotal` is null if several parts were searched: a session may have hits in more than one. */
export type JoinedSearch = Omit<SearchAnswer, 'sessionTotal'> & { sessionTotal: number | null }

/** Combines the parts of a search that was stopped and continued; the counts are on the first page of each part. */
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
  // days keep their order, which is that of the parts
  return name === 'day' ? [...sums.values()] : [...sums.values()].sort((a, b) => b.count - a.count)
}
