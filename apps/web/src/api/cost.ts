import type { CostExplanation, CostReport } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from './fetch-json.ts'

/** How the cost of a session, or of one of its turns, came about. */
export function costReportQuery(sessionRef: string, turn?: number) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'cost', turn],
    queryFn: ({ signal }) => fetchJson<CostReport>(apiPaths.costReport(sessionRef, { turn }), signal),
  })
}

/** How the cost of one call came about. */
export function callCostQuery(sessionRef: string, messageKey: string) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'cost-of', messageKey],
    queryFn: ({ signal }) => fetchJson<CostExplanation>(apiPaths.cost(sessionRef, messageKey), signal),
  })
}
