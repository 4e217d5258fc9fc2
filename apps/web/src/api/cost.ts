import type { CallExplanation, SessionCost, UsageSum, UsageSumQuery } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions } from '@tanstack/react-query'
import { timeZone } from '../lib/figures/time-zone.ts'
import { fetchJson } from './request/fetch-json.ts'

/** How the cost of a session, or of one of its turns, came about. */
export function costReportQuery(sessionRef: string, turn?: number) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'cost', turn],
    queryFn: ({ signal }) => fetchJson<SessionCost>(apiPaths.costReport(sessionRef, { turn }), signal),
  })
}

/** How the tokens and the cost of one call came about. */
export function callCostQuery(sessionRef: string, messageKey: string) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'cost-of', messageKey],
    queryFn: ({ signal }) => fetchJson<CallExplanation>(apiPaths.cost(sessionRef, messageKey), signal),
  })
}

/** What a figure of the usage report is the sum of. */
export function usageSumQuery(query: Omit<UsageSumQuery, 'tz'>) {
  return queryOptions({
    queryKey: ['usage', 'sum', query, timeZone()],
    queryFn: ({ signal }) => fetchJson<UsageSum>(apiPaths.usageSum({ ...query, tz: timeZone() }), signal),
  })
}
