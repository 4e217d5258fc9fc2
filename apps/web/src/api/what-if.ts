import type { SessionWhatIf, WhatIfQuery } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fetchJson } from './request/fetch-json.ts'

/** What a session would have cost under other conditions. */
export function whatIfQuery(sessionRef: string, subagents: WhatIfQuery['subagents']) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'what-if', subagents],
    queryFn: ({ signal }) => fetchJson<SessionWhatIf>(apiPaths.whatIf(sessionRef, { subagents }), signal),
    placeholderData: keepPreviousData,
  })
}
