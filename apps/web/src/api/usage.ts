import type { UsageQuery, UsageReport } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { timeZone } from '../lib/figures/time-zone.ts'
import { fetchJson } from './request/fetch-json.ts'

/** Tokens, cost, calls and sessions, grouped by `query.by`. Days are the reader's own. */
export function usageQuery(query: Partial<Omit<UsageQuery, 'tz'>>) {
  return queryOptions({
    queryKey: ['usage', query, timeZone()],
    queryFn: ({ signal }) => fetchJson<UsageReport>(apiPaths.usage({ ...query, tz: timeZone() }), signal),
    placeholderData: keepPreviousData,
  })
}
