import { apiPaths } from '@gemini-dash/api/paths'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ContextXray } from 'gemini-sessions'
import { fetchJson } from '../request/fetch-json.ts'

/** What filled the prompt of every call of a session. */
export function contextQuery(sessionRef: string) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'context'],
    queryFn: ({ signal }) => fetchJson<ContextXray>(apiPaths.context(sessionRef), signal),
    placeholderData: keepPreviousData,
  })
}
