import type { Doctor } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from './request/fetch-json.ts'

/** What could not be read, and what the CLI is about to delete. */
export function doctorQuery() {
  return queryOptions({
    queryKey: ['doctor'],
    queryFn: ({ signal }) => fetchJson<Doctor>(apiPaths.doctor(), signal),
  })
}
