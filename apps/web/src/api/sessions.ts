import type { SessionList, SessionQuery } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { timeZone } from '../lib/figures/time-zone.ts'
import { fetchPlaced } from './request/fetch-json.ts'

export type SessionCriteria = Partial<Omit<SessionQuery, 'limit' | 'cursor' | 'tz'>>

/** The first page fills the screen; later ones are larger, so that a far scroll needs few calls. */
const FIRST_PAGE_SIZE = 50
const NEXT_PAGE_SIZE = 500

/** Sessions of all projects under a filter, page by page. */
export function sessionsQuery(filter: SessionCriteria) {
  return infiniteQueryOptions({
    queryKey: ['sessions', filter, timeZone()],
    queryFn: ({ pageParam, signal }) => {
      const limit = pageParam === undefined ? FIRST_PAGE_SIZE : NEXT_PAGE_SIZE
      const query = { ...filter, tz: timeZone(), limit, cursor: pageParam }
      return fetchPlaced<SessionList>(apiPaths.sessions(query), signal)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}
