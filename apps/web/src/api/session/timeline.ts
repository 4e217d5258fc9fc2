import { apiPaths } from '@gemini-dash/api/paths'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Timeline } from 'gemini-sessions'
import { fetchJson } from '../request/fetch-json.ts'

/** A session on one time axis; within `window` (milliseconds since its start) in more detail. */
export function timelineQuery(sessionRef: string, window: { from: number; to: number } | null) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'timeline', window],
    queryFn: ({ signal }) => fetchJson<Timeline>(apiPaths.timeline(sessionRef, window ?? {}), signal),
    placeholderData: keepPreviousData,
  })
}
