import '../../ui/frames/panel.css'
import './budgets.css'
import type { Budget } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import type { Project } from 'gemini-sessions'
import { useState } from 'react'
import { budgetsQuery } from '../../api/budgets.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { BudgetForm } from './budget-form.tsx'
import { BudgetRow } from './budget-row.tsx'

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
