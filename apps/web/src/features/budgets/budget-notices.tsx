import './budgets.css'
import type { Budget, BudgetReport } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { budgetsQuery } from '../../api/usage.ts'
import { formatPlural, formatUsd } from '../../lib/figures.ts'
import { Notice } from '../../ui/states.tsx'

/** Discreetly lists budgets that are exceeded or about to be, with links; otherwise nothing. */
export function BudgetNotices() {
  const { data } = useQuery(budgetsQuery())
  const warnings = (data?.budgets ?? []).flatMap((budget) => {
    const text = data && budgetWarning(budget, data.month)
    return text ? [{ key: budget.project?.key ?? '', text, state: budget.state }] : []
  })
  if (warnings.length === 0) return null
  return (
    <div className="budget-notices">
      <Notice tone={warnings.some(({ state }) => state === 'passed') ? 'warning' : 'info'}>
        {warnings.map(({ key, text }, position) => (
          <p key={key} dir="auto">
            {text}{' '}
            {position === warnings.length - 1 && (
              <Link to="/settings/{-$section}" params={{ section: 'prices' }} hash="budgets" className="link">
                {BUDGET_TEXT.link}
              </Link>
            )}
          </p>
        ))}
      </Notice>
    </div>
  )
}

/** Texts of the budget panel. */
export const BUDGET_TEXT = {
  title: 'Budgets per month',
  link: 'Budgets',
  set: 'Set a budget',
  notLoaded: 'The budgets could not be loaded.',
  none: 'No budget. Set one to be warned when a month gets close.',
  noPrices: 'Prices are switched off, so no cost is known.',
  spentOf: (spent: string, budget: string) => `${spent} of ${budget}`,
  change: (scope: string) => `Change the budget for ${scope}`,
  scope: 'For',
  allProjects: 'all projects',
  amount: 'Dollars a month',
  noAmount: 'Write an amount above 0, such as 20 or 12.50.',
  save: 'Save',
  remove: 'Remove',
  cancel: 'Cancel',
} as const

const DAY_MS = 24 * 60 * 60 * 1_000

/** The scope of a budget. */
export function budgetScope({ project }: Pick<Budget, 'project'>): string {
  return project === null ? BUDGET_TEXT.allProjects : project.name
}

/** State of a budget in a few words. */
export function budgetState({ state, spent, usdPerMonth, projectedUsd }: Budget): string {
  switch (state) {
    case 'unknown':
      return 'not known: no request of this month has a price'
    case 'passed':
      return `${formatUsd((spent.usd ?? 0) - usdPerMonth)} over`
    case 'on-course':
      return `on track for ${formatUsd(projectedUsd ?? 0)}`
    case 'within':
      return projectedUsd === null ? 'not enough data' : `on track for ${formatUsd(projectedUsd)}`
  }
}

/** A warning about a budget; null if there is no reason for one. A projection is worded as such, not as a promise. */
export function budgetWarning(budget: Budget, month: BudgetReport['month']): string | null {
  const { state, spent, usdPerMonth, projectedUsd } = budget
  if (state !== 'passed' && state !== 'on-course') return null
  const budgetText = `the budget of ${formatUsd(usdPerMonth)} (${budgetScope(budget)})`
  const unpriced =
    spent.unpricedCalls > 0
      ? ` ${formatPlural(spent.unpricedCalls, 'request')} of unknown price not counted.`
      : ''
  return state === 'passed'
    ? `This month has cost ${formatUsd(spent.usd ?? 0)}, ${formatUsd((spent.usd ?? 0) - usdPerMonth)} over ${budgetText}.${unpriced}`
    : `At the pace of its first ${formatPlural(daysOver(month), 'day')} this month comes to ${formatUsd(projectedUsd ?? 0)}, over ${budgetText}.${unpriced}`
}

/** Elapsed whole days of the month. */
function daysOver({ from, to, elapsed }: BudgetReport['month']): number {
  return Math.floor((elapsed * (Date.parse(to) - Date.parse(from))) / DAY_MS)
}
