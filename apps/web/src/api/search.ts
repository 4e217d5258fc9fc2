import type { SearchQuery, SearchResult, SuggestionList } from '@gemini-dash/api'
import { foldHits } from '@gemini-dash/api/fold-hits'
import { questionPath, SEARCH_ON } from '@gemini-dash/api/paths'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { timeZone } from '../lib/dates.ts'
import { SEARCHED_FIELDS } from '../lib/page-searches.ts'
import { ask, fetchJson, fetchLines } from './request.ts'

/** Running requests that the reader can stop. */
class StoppableRuns {
  readonly #running = new Map<string, AbortController>()

  /** `signal` also ends the run: nobody waits for it any more. */
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

/** Suggestions and their query: the previous list stays until the next one arrives. */
export type Suggestions = SuggestionList & { q: string }

export type SearchRequest = Partial<Omit<SearchQuery, 'limit' | 'cursor' | 'tz' | 'timeout'>>

/** A search over the files takes a while: partial results are shown as they arrive, and stay if it is stopped. */
export type SearchAnswer = SearchResult & { state: 'growing' | 'stopped' | 'complete' }

const PAGE_SIZE = 100

const runs = new StoppableRuns()

/** Hits in all sessions, page by page. The previous answer stays until the new one arrives. */
export function searchQuery(request: SearchRequest) {
  const queryKey = ['search', request, timeZone()] as const
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal, client }): Promise<SearchAnswer> => {
      const path = questionPath('search', { ...request, tz: timeZone(), limit: PAGE_SIZE, cursor: pageParam })
      const isOverFiles = request.mode === 'substring' || request.mode === 'regex'
      if (!isOverFiles) return { ...(await fetchJson<SearchResult>(path, signal)), state: 'complete' }
      if (pageParam !== undefined) {
        const pages = client.getQueryData<{ pages: SearchAnswer[] }>(queryKey)?.pages ?? []
        return nextPage(path, {
          name: JSON.stringify(request),
          cursor: pageParam,
          before: pages.at(-1),
          signal,
        })
      }
      // A complete answer stays until the new one is complete.
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

const NO_FACETS: SearchResult['facets'] = {
  ...{ project: [], field: [], model: [], tool: [] },
  ...{ status: [], is: [], source: [], day: [] },
}

interface NextPage {
  /** Name of the run. */
  name: string
  cursor: string
  before: SearchAnswer | undefined
  signal: AbortSignal
}

/** If stopped, returns a page without hits from which the search can continue. */
async function nextPage(path: string, { name, cursor, before, signal }: NextPage): Promise<SearchAnswer> {
  const run = runs.begin(name, signal)
  try {
    return { ...(await fetchJson<SearchResult>(path, run.signal)), state: 'complete' }
  } catch (error) {
    if (!run.isStopped() || before === undefined) throw error
    const nothing = { hits: [], total: 0, messageTotal: 0, sessionTotal: 0, facets: NO_FACETS }
    return { ...before, ...nothing, nextCursor: cursor }
  } finally {
    run.end()
  }
}

/** Whether the page continues a search that hit its time limit; other pages show more of what was found. */
export function isGoingOn(cursor: string | null | undefined): boolean {
  return cursor?.startsWith(SEARCH_ON) === true
}

/** Results found so far stay. */
export function stopSearch(request: SearchRequest): void {
  runs.stop(JSON.stringify(request))
}

const MOST_QUICK = 5
/** More than are shown, as some have the same text. */
const ASKED_PLACES = 20
/** Titles are found among the sessions. */
const IN_MESSAGES = SEARCHED_FIELDS.filter((field) => field !== 'title').join(',')

/** The first matches inside sessions, without duplicates; the previous ones stay until these arrive. */
export function quickQuery(q: string) {
  return queryOptions({
    queryKey: ['search', 'quick', q, timeZone()],
    queryFn: async ({ signal }) => {
      const asked = { q, in: IN_MESSAGES, tz: timeZone(), limit: ASKED_PLACES }
      const { hits, facets, sessions, didYouMean } = await ask('search', asked, signal)
      const places = foldHits(hits)
        .slice(0, MOST_QUICK)
        .map(({ hit }) => hit)
      // of all fields: the search page counts titles, too
      const total = facets.field.reduce((sum, { count }) => sum + count, 0)
      return { q, places, titles: sessions, total, didYouMean }
    },
    enabled: q !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** How many matches there are inside sessions. */
export function hitCountQuery(q: string, project: string | undefined) {
  return queryOptions({
    queryKey: ['search', 'count', q, project, timeZone()],
    queryFn: ({ signal }) => ask('search', { q, project, tz: timeZone(), limit: 1 }, signal),
    retry: false,
  })
}

/** Completions of the word or value at the cursor. */
export function suggestQuery(q: string, at: number, isWanted: boolean) {
  return queryOptions({
    queryKey: ['suggest', q, at, timeZone()],
    queryFn: async ({ signal }): Promise<Suggestions> => ({
      ...(await ask('search/suggest', { q, at, tz: timeZone() }, signal)),
      q,
    }),
    enabled: isWanted && q.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
}
