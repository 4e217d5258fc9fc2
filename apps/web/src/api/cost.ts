import type { UsageSum, UsageSumQuery, UsageWhy, UsageWhyQuery } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { timeZone } from '../lib/figures/time-zone.ts'
import { fetchJson } from './request/fetch-json.ts'

/** What a figure of the usage report is the sum of. */
export function usageSumQuery(query: Omit<UsageSumQuery, 'tz'>) {
  return queryOptions({
    queryKey: ['usage', 'sum', query, timeZone()],
    queryFn: ({ signal }) => fetchJson<UsageSum>(apiPaths.usageSum({ ...query, tz: timeZone() }), signal),
  })
}

/** Where the cost of the sessions of a usage report went. */
export function usageWhyQuery(query: Omit<UsageWhyQuery, 'tz'>) {
  return queryOptions({
    queryKey: ['usage', 'why', query, timeZone()],
    queryFn: ({ signal }) => fetchJson<UsageWhy>(apiPaths.usageWhy({ ...query, tz: timeZone() }), signal),
    placeholderData: keepPreviousData,
  })
}
