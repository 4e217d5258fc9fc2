import type { SessionNeighbours } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '../request/fetch-json.ts'

/** What the CLI keeps of a session outside its file. Asked again when the session changes. */
export function neighboursQuery(sessionRef: string) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'neighbours'],
    queryFn: ({ signal }) => fetchJson<SessionNeighbours>(apiPaths.neighbours(sessionRef), signal),
  })
}
