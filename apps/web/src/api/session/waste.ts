import { apiPaths } from '@gemini-dash/api/paths'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Waste } from 'gemini-sessions'
import { fetchJson } from '../request/fetch-json.ts'

/** What a session did twice. */
export function wasteQuery(sessionRef: string) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'waste'],
    queryFn: ({ signal }) => fetchJson<Waste>(apiPaths.waste(sessionRef), signal),
    placeholderData: keepPreviousData,
  })
}
