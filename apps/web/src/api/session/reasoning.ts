import { apiPaths } from '@gemini-dash/api/paths'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Reasoning } from 'gemini-sessions'
import { fetchJson } from '../request/fetch-json.ts'

/** What the model thought in a session, by subjects. */
export function reasoningQuery(sessionRef: string) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'reasoning'],
    queryFn: ({ signal }) => fetchJson<Reasoning>(apiPaths.reasoning(sessionRef), signal),
    placeholderData: keepPreviousData,
  })
}
