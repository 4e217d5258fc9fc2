import type { BudgetChange, BudgetReport, UsageQuery, UsageReport } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { timeZone } from '../lib/figures/time-zone.ts'
import { fetchJson, fetchPlaced } from './request/fetch-json.ts'

/** Tokens, cost, calls and sessions, grouped by `query.by`. Days are the reader's own. */
export function usageQuery(query: Partial<Omit<UsageQuery, 'tz'>>) {
  return queryOptions({
    queryKey: ['usage', query, timeZone()],
    queryFn: ({ signal }) => fetchPlaced<UsageReport>(apiPaths.usage({ ...query, tz: timeZone() }), signal),
    placeholderData: keepPreviousData,
  })
}

/** How the reader's month stands to its budgets; asked again with all that is asked of usage. */
export function budgetsQuery() {
  return queryOptions({
    queryKey: ['usage', 'budgets', timeZone()],
    queryFn: ({ signal }) => fetchJson<BudgetReport>(apiPaths.budgets({ tz: timeZone() }), signal),
  })
}

/** `scope`: `all`, or the key of a project. Answers with all budgets. */
export function changeBudget(scope: string, change: BudgetChange): Promise<BudgetReport> {
  return fetchJson<BudgetReport>(apiPaths.budget(scope, { tz: timeZone() }), undefined, {
    method: 'PUT',
    body: change,
  })
}
