import type { FindResult } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { timeZone } from '../../lib/figures/time-zone.ts'
import { fetchJson } from '../request/fetch-json.ts'

/** Everything that a search finds in one session, in reading order. */
export function findQuery(sessionRef: string, q: string, mode: 'substring' | 'regex' | undefined) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'find', q, mode, timeZone()],
    queryFn: ({ signal }) =>
      fetchJson<FindResult>(apiPaths.find(sessionRef, q, { mode, tz: timeZone() }), signal),
    enabled: q.trim() !== '',
    placeholderData: keepPreviousData,
  })
}
