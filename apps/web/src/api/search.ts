import type { SearchQuery, SearchResult } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { timeZone } from '../lib/figures/time-zone.ts'
import { fetchJson } from './request/fetch-json.ts'
import { fetchLines } from './request/fetch-lines.ts'
import { StoppableRuns } from './request/stoppable-runs.ts'

export type SearchRequest = Partial<Omit<SearchQuery, 'limit' | 'cursor' | 'tz'>>

/** A search over the files takes a while: what is there of it is shown while it grows, and stays where it was stopped. */
export type SearchAnswer = SearchResult & { state: 'growing' | 'stopped' | 'complete' }

const PAGE_SIZE = 100

const runs = new StoppableRuns()

/** Hits over all sessions, page by page. An earlier answer stays until the new one comes. */
export function searchQuery(request: SearchRequest) {
  const queryKey = ['search', request, timeZone()] as const
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal, client }): Promise<SearchAnswer> => {
      const path = apiPaths.search({ ...request, tz: timeZone(), limit: PAGE_SIZE, cursor: pageParam })
      const isOverFiles = request.mode === 'substring' || request.mode === 'regex'
      if (!isOverFiles || pageParam !== undefined)
        return { ...(await fetchJson<SearchResult>(path, signal)), state: 'complete' }
      // What was complete stays until it is complete again.
      const isShown = client.getQueryData<{ pages: SearchAnswer[] }>(queryKey)?.pages[0]?.state !== 'complete'
      let last: SearchResult | undefined
      const run = runs.begin(JSON.stringify(request), signal)
      try {
        const result = await fetchLines<SearchResult>(path, run.signal, (partial) => {
          last = partial
          const page: SearchAnswer = { ...partial, nextCursor: null, state: 'growing' }
          if (isShown) client.setQueryData(queryKey, { pages: [page], pageParams: [undefined] })
        })
        return { ...result, state: 'complete' }
      } catch (error) {
        if (run.isStopped() && last !== undefined) return { ...last, nextCursor: null, state: 'stopped' }
        throw error
      } finally {
        run.end()
      }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    enabled: (request.q ?? '').trim() !== '',
  })
}

/** What has been found by then stays. */
export function stopSearch(request: SearchRequest): void {
  runs.stop(JSON.stringify(request))
}
