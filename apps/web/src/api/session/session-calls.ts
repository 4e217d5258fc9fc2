import type { SessionCalls } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '../request/fetch-json.ts'

/** The model calls of a session with their tokens and prices, by columns. */
export function sessionCallsQuery(sessionRef: string) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'calls'],
    queryFn: ({ signal }) => fetchJson<SessionCalls>(apiPaths.calls(sessionRef), signal),
  })
}
