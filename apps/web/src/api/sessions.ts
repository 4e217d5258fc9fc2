import type { SessionQuery } from '@gemini-dash/api'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { SessionProgram, SessionSummary } from 'gemini-sessions'
import { dayOfSession, timeZone } from '../lib/dates.ts'
import { ask } from './request.ts'

export type SessionCriteria = Partial<Omit<SessionQuery, 'limit' | 'cursor' | 'tz'>>

/** The first page fills the screen; later ones are larger so that long scrolls need few requests. */
const FIRST_PAGE_SIZE = 50
const NEXT_PAGE_SIZE = 500

/** Sessions of all projects under a filter, page by page. */
export function sessionsQuery(filter: SessionCriteria) {
  return infiniteQueryOptions({
    queryKey: ['sessions', filter, timeZone()],
    queryFn: ({ pageParam, signal }) => {
      const limit = pageParam === undefined ? FIRST_PAGE_SIZE : NEXT_PAGE_SIZE
      const query = { ...filter, tz: timeZone(), limit, cursor: pageParam }
      return ask('sessions', query, signal)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** How many sessions a list has. */
export function sessionCountQuery(filter: SessionCriteria) {
  return queryOptions({
    queryKey: ['sessions', 'count', filter],
    queryFn: async ({ signal }) => {
      const query = { ...filter, limit: 1, days: 'none' }
      return (await ask('sessions', query, signal)).total
    },
  })
}

/** The first day with a session of a program in a project; null if there is none. */
export function firstDayOfProgramQuery(project: string, source: SessionProgram) {
  return queryOptions({
    queryKey: ['sessions', 'first-day', project, source, timeZone()],
    queryFn: async ({ signal }) => {
      const query = { project, source, sort: 'oldest', empty: 'exclude', limit: 1, days: 'none' }
      const { sessions } = await ask('sessions', query, signal)
      return sessions[0] === undefined ? null : dayOfSession(sessions[0])
    },
  })
}

/** Keys of the first sessions of a list. */
export function sessionKeysQuery(filter: SessionCriteria, limit: number) {
  return queryOptions({
    queryKey: ['session-keys', filter, limit, timeZone()],
    queryFn: async ({ signal }) => {
      const query = { ...filter, tz: timeZone(), limit, days: 'none' }
      const { sessions } = await ask('sessions', query, signal)
      return sessions.map(({ key }) => key)
    },
    staleTime: 0,
  })
}

/** The newest sessions whose title or first prompt contains or resembles the text; for an empty text, the newest of all. */
export function titledSessionsQuery(title: string, match: 'part' | 'near', limit: number) {
  return queryOptions({
    queryKey: ['titled-sessions', title, match, limit],
    queryFn: async ({ signal }) => {
      const query = { title: title || undefined, match, empty: 'exclude', limit, days: 'none' }
      return (await ask('sessions', query, signal)).sessions
    },
    staleTime: TITLES_STAND_MS,
    retry: false,
  })
}

/** Results for the same text are reused this long. */
const TITLES_STAND_MS = 5_000

/** Upper limit of sessions that overlap one session; the next session is among them. */
const MOST_BESIDE = 50

/** Key of the next or previous session of the same project by last activity; null if there is none. */
export function sessionBesideQuery(
  { key, project, startTime, endTime }: SessionSummary,
  side: 'later' | 'earlier',
) {
  const isLater = side === 'later'
  const last = endTime ?? startTime ?? undefined
  return queryOptions({
    queryKey: ['session-beside', key, side],
    queryFn: async ({ signal }) => {
      const span = isLater ? { from: last, sort: '-recent' } : { to: last, sort: 'recent' }
      const query = { project: project.key, empty: 'exclude', ...span, limit: MOST_BESIDE, days: 'none' }
      const { sessions } = await ask('sessions', query, signal)
      const beside = sessions.find((session) => {
        const time = session.endTime ?? session.startTime
        if (session.key === key || time === null || last === undefined) return false
        return isLater ? time >= last : time <= last
      })
      return beside?.key ?? null
    },
    staleTime: 0,
  })
}
