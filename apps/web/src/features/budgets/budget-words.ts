import type { Budget, BudgetReport } from '@gemini-dash/api'
import { formatPlural, formatUsd } from '../../lib/figures/format.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** Whose budget it is. */
export function budgetScope({ project }: Pick<Budget, 'project'>): string {
  return project === null ? 'all projects' : project.name
}

/** How a budget stands, in a few words. */
export function budgetState({ state, spent, usdPerMonth, projectedUsd }: Budget): string {
  switch (state) {
    case 'unknown':
      return 'not known: no call of this month has a price'
    case 'passed':
      return `passed by ${formatUsd((spent.usd ?? 0) - usdPerMonth)}`
    case 'on-course':
      return `on course to ${formatUsd(projectedUsd ?? 0)}`
    case 'within':
      return projectedUsd === null ? 'too early to tell' : `on course to ${formatUsd(projectedUsd)}`
  }
}

/** What to say of a budget unasked; null where there is nothing to worry about. A pace is a pace and no promise. */
export function budgetWarning(budget: Budget, month: BudgetReport['month']): string | null {
  const { state, spent, usdPerMonth, projectedUsd } = budget
  if (state !== 'passed' && state !== 'on-course') return null
  const budgetText = `the budget of ${formatUsd(usdPerMonth)} (${budgetScope(budget)})`
  const unpriced =
    spent.unpricedCalls > 0
      ? ` ${formatPlural(spent.unpricedCalls, 'call')} of unknown price not counted.`
      : ''
  return state === 'passed'
    ? `This month has cost ${formatUsd(spent.usd ?? 0)}, ${formatUsd((spent.usd ?? 0) - usdPerMonth)} over ${budgetText}.${unpriced}`
    : `At the pace of its first ${formatPlural(daysOver(month), 'day')} this month comes to ${formatUsd(projectedUsd ?? 0)}, over ${budgetText}.${unpriced}`
}

/** Whole days of the month that are over. */
function daysOver({ from, to, elapsed }: BudgetReport['month']): number {
  return Math.floor((elapsed * (Date.parse(to) - Date.parse(from))) / DAY_MS)
}
