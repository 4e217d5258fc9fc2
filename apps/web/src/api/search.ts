import type { SearchQuery, SearchResult, SessionList, SuggestionList } from '@gemini-dash/api'
import { apiPaths, SEARCH_ON } from '@gemini-dash/api/paths'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { timeZone } from '../lib/figures/time-zone.ts'
import { fetchJson } from './request/fetch-json.ts'
import { fetchLines } from './request/fetch-lines.ts'

/** Requests under way that somebody at the page may stop. */
class StoppableRuns {
  readonly #running = new Map<string, AbortController>()

  /** `signal` ends the run as well: nobody waits for it any more. */
  begin(name: string, signal: AbortSignal) {
    const controller = new AbortController()
    const onAbort = () => controller.abort(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#running.set(name, controller)
    return {
      signal: controller.signal,
      isStopped: () => controller.signal.aborted && !signal.aborted,
      end: () => {
        signal.removeEventListener('abort', onAbort)
        if (this.#running.get(name) === controller) this.#running.delete(name)
      },
    }
  }

  stop(name: string): void {
    this.#running.get(name)?.abort()
  }
}

/** Suggestions, and the query that they are for: an earlier list stays until the next one comes. */
export type Suggestions = SuggestionList & { q: string }

export type SearchRequest = Partial<Omit<SearchQuery, 'limit' | 'cursor' | 'tz' | 'timeout'>>

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

/** Leads on to what a search that stopped has not searched; other pages hold further hits of what it has. */
export function leadsOn({ nextCursor }: Pick<SearchResult, 'nextCursor'>): boolean {
  return nextCursor?.startsWith(SEARCH_ON) === true
}

/** What has been found by then stays. */
export function stopSearch(request: SearchRequest): void {
  runs.stop(JSON.stringify(request))
}

const MOST_QUICK = 5
/** Of these some are titles, which stand among the sessions. */
const ASKED_PLACES = 20

/** The first sessions whose title has the words, and the first places inside sessions; those of before stay until these come. */
export function quickQuery(q: string) {
  return queryOptions({
    queryKey: ['search', 'quick', q, timeZone()],
    queryFn: async ({ signal }) => {
      const ofTitles = apiPaths.sessions({ title: q, days: 'none', limit: MOST_QUICK })
      const ofPlaces = apiPaths.search({ q, tz: timeZone(), limit: ASKED_PLACES })
      const [titled, found] = await Promise.all([
        fetchJson<SessionList>(ofTitles, signal),
        fetchJson<SearchResult>(ofPlaces, signal),
      ])
      const places = found.hits.filter(({ field }) => field !== 'title').slice(0, MOST_QUICK)
      return { q, sessions: titled.sessions, places, titles: found.sessions, total: found.total }
    },
    enabled: q !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** How much of something there is inside sessions. */
export function hitCountQuery(q: string, project: string | undefined) {
  return queryOptions({
    queryKey: ['search', 'count', q, project, timeZone()],
    queryFn: ({ signal }) =>
      fetchJson<SearchResult>(apiPaths.search({ q, project, tz: timeZone(), limit: 1 }), signal),
    retry: false,
  })
}

/** What the word or value at the caret could go on as. */
export function suggestQuery(q: string, at: number, isWanted: boolean) {
  return queryOptions({
    queryKey: ['suggest', q, at, timeZone()],
    queryFn: async ({ signal }): Promise<Suggestions> => ({
      ...(await fetchJson<SuggestionList>(apiPaths.suggest(q, { at, tz: timeZone() }), signal)),
      q,
    }),
    enabled: isWanted && q.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** How much there is inside sessions, and what was meant perhaps; the hits are not asked for. */
export function countedSearchQuery(q: string) {
  return queryOptions({
    queryKey: ['search-count', q, timeZone()],
    queryFn: ({ signal }) =>
      fetchJson<SearchResult>(apiPaths.search({ q, tz: timeZone(), limit: 1 }), signal),
    retry: false,
  })
}
