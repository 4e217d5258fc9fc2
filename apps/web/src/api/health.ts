import type { Health } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { fetchJson } from './request/fetch-json.ts'

/** Version, homes and how far the index is. */
export function healthQuery() {
  return queryOptions({
    queryKey: ['health'],
    queryFn: ({ signal }) => fetchJson<Health>(apiPaths.health(), signal),
  })
}

/** The homes, where there are several; one needs no name. */
export function useHomes(): Health['homes'] {
  const homes = useQuery(healthQuery()).data?.homes ?? []
  return homes.length > 1 ? homes : []
}

/** Not for who is on a plan and wants no prices: they see no cost, not an unknown one. */
export function useHasPrices(): boolean {
  return useQuery(healthQuery()).data?.prices.plan !== 'nothing'
}
