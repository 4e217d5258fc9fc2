import '../../ui/frames/panel.css'
import './budgets.css'
import type { Budget } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import type { Project } from 'gemini-sessions'
import { Pencil, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { budgetsQuery } from '../../api/budgets.ts'
import { describeCost, formatCost, formatUsd } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { BudgetForm } from './budget-form.tsx'
import { budgetScope, budgetState } from './budget-words.ts'

interface Props {
  projects: readonly Project[]
  /** The project that the page is about. */
  projectKey: string | undefined
  /** The user is on a plan: no cost is known anywhere. */
  isWithoutPrices: boolean
}

/** The budgets of the month that runs, and the place to set them. */
export function BudgetPanel({ projects, projectKey, isWithoutPrices }: Props) {
  const { data } = useQuery(budgetsQuery())
  const [edited, setEdited] = useState<string | null>(null)
  const budgets = data?.budgets ?? []
  return (
    <section className="panel" id="budgets" aria-label="Budgets per month">
      <header className="panel-head">
        <h2>Budgets per month</h2>
        {edited === null && (
          <div className="push">
            <Button look="quiet" size="tiny" onClick={() => setEdited(projectKey ?? 'all')}>
              Set a budget
            </Button>
          </div>
        )}
      </header>
      <div className="panel-body budget-body">
        {budgets.length === 0 && edited === null && (
          <p className="dim">
            None is set. With one, this page and the list say when a month has passed it or is about to.
          </p>
        )}
        {isWithoutPrices && budgets.length > 0 && (
          <p className="dim">Prices are switched off, so no cost is known.</p>
        )}
        {budgets.length > 0 && (
          <ul className="budget-list">
            {budgets.map((budget) => (
              <BudgetRow
                key={scopeOf(budget)}
                budget={budget}
                elapsed={data?.month.elapsed ?? 0}
                onEdit={() => setEdited(scopeOf(budget))}
              />
            ))}
          </ul>
        )}
        {edited !== null && (
          <BudgetForm
            key={edited}
            scope={edited}
            usdPerMonth={budgets.find((budget) => scopeOf(budget) === edited)?.usdPerMonth}
            projects={projects}
            onScope={setEdited}
            onClose={() => setEdited(null)}
          />
        )}
      </div>
    </section>
  )
}

function scopeOf({ project }: Budget): string {
  return project?.key ?? 'all'
}

interface BudgetRowProps {
  budget: Budget
  /** How much of the month is over, 0 to 1. */
  elapsed: number
  onEdit: () => void
}

/** What a month may cost, what it has cost so far, and where that leads. */
function BudgetRow({ budget, elapsed, onEdit }: BudgetRowProps) {
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

interface BudgetBarProps {
  /** Spent of the budget; beyond 1 it is passed. */
  share: number
  elapsed: number
  isWarning: boolean
}

/** How full a budget is, with a line where the month is. Decoration for the figures above it. */
function BudgetBar({ share, elapsed, isWarning }: BudgetBarProps) {
  return (
    <svg className="budget-bar" aria-hidden="true">
      <rect className="budget-whole" width="100%" height="100%" />
      <rect
        className={isWarning ? 'budget-spent warning' : 'budget-spent'}
        width={percent(Math.min(share, 1))}
        height="100%"
      />
      <line className="budget-now" x1={percent(elapsed)} x2={percent(elapsed)} y1="0" y2="100%" />
    </svg>
  )
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}
