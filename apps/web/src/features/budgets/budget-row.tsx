import type { Budget } from '@gemini-dash/api'
import { Pencil, TriangleAlert } from 'lucide-react'
import { describeCost, formatCost, formatUsd } from '../../lib/figures/format.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { BudgetBar } from './budget-bar.tsx'
import { budgetScope, budgetState } from './budget-words.ts'

interface Props {
  budget: Budget
  /** How much of the month is over, 0 to 1. */
  elapsed: number
  onEdit: () => void
}

/** What a month may cost, what it has cost so far, and where that leads. */
export function BudgetRow({ budget, elapsed, onEdit }: Props) {
  const { spent, usdPerMonth, state } = budget
  const isWarning = state === 'passed' || state === 'on-course'
  return (
    <li className="budget-row">
      <b dir="auto">{budgetScope(budget)}</b>
      <span className="tabular" title={describeCost(spent)}>
        {spent.usd === null && spent.unpricedCalls === 0 ? '$0.00' : formatCost(spent)} of{' '}
        {formatUsd(usdPerMonth)}
      </span>
      <span className={isWarning ? 'budget-state warning' : 'budget-state'}>
        {isWarning && <Icon of={TriangleAlert} small />}
        {budgetState(budget)}
      </span>
      <IconButton icon={Pencil} label={`Change the budget for ${budgetScope(budget)}`} onClick={onEdit} />
      <BudgetBar share={(spent.usd ?? 0) / usdPerMonth} elapsed={elapsed} isWarning={isWarning} />
    </li>
  )
}
