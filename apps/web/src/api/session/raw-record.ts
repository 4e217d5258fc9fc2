import type { RawRecord } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '../request/fetch-json.ts'

/** A message as its file holds it. */
export function rawRecordQuery(sessionRef: string, messageKey: string) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'raw', messageKey],
    queryFn: ({ signal }) => fetchJson<RawRecord>(apiPaths.raw(sessionRef, messageKey), signal),
  })
}
