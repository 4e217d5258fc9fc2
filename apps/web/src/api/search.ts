import type { SearchQuery, SearchResult } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { localTimeZone } from '../lib/local-time-zone.ts'
import { fetchJson } from './fetch-json.ts'

export type SearchRequest = Partial<Omit<SearchQuery, 'limit' | 'cursor' | 'tz'>>

const PAGE_SIZE = 100

/** Hits over all sessions, page by page. An earlier answer stays until the new one comes. */
export function searchQuery(request: SearchRequest) {
  return infiniteQueryOptions({
    queryKey: ['search', request],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...request, tz: localTimeZone(), limit: PAGE_SIZE, cursor: pageParam }
      return fetchJson<SearchResult>(apiPaths.search(query), signal)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    enabled: (request.q ?? '').trim() !== '',
  })
}
