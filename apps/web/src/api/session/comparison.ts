import type { Comparison } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '../request/fetch-json.ts'

/** Two sessions side by side, by keys or ids. */
export function comparisonQuery(a: string, b: string) {
  return queryOptions({
    queryKey: ['sessions', 'compare', a, b],
    queryFn: ({ signal }) => fetchJson<Comparison>(apiPaths.compare(a, b), signal),
  })
}
