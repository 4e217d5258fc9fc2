import './budgets.css'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { budgetsQuery } from '../../api/usage.ts'
import { Notice } from '../../ui/states/notice.tsx'
import { budgetWarning } from './budget-words.ts'

/** Says quietly which budgets the month has passed or is about to pass; nothing else. `children`: the way to them. */
export function BudgetNotices({ children }: { children?: ReactNode }) {
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
            {text} {position === warnings.length - 1 && children}
          </p>
        ))}
      </Notice>
    </div>
  )
}
