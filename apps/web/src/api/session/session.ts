import type { SessionDetail } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '../request/fetch-json.ts'

/** One session with its outline. `sessionRef` is a key, a sessionId or a unique prefix of one. */
export function sessionQuery(sessionRef: string) {
  return queryOptions({
    queryKey: ['session', sessionRef],
    queryFn: ({ signal }) => fetchJson<SessionDetail>(apiPaths.session(sessionRef), signal),
  })
}
