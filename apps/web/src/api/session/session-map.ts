import type { SessionMap } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '../request/fetch-json.ts'

/** What every message of a session is, in a few bytes each. */
export function sessionMapQuery(sessionRef: string) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'map'],
    queryFn: ({ signal }) => fetchJson<SessionMap>(apiPaths.sessionMap(sessionRef), signal),
  })
}
