import type { BudgetReport } from '@gemini-dash/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Project } from 'gemini-sessions'
import { type FormEvent, useState } from 'react'
import { budgetsQuery, changeBudget } from '../../api/budgets.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { readAmount } from './read-amount.ts'

interface Props {
  /** `all`, or the key of a project. */
  scope: string
  /** What is set for it; undefined: nothing. */
  usdPerMonth: number | undefined
  projects: readonly Project[]
  onScope: (scope: string) => void
  onClose: () => void
}

/** Sets, changes or takes back one budget. Only a file of gemini-dash keeps it. */
export function BudgetForm({ scope, usdPerMonth, projects, onScope, onClose }: Props) {
  const client = useQueryClient()
  const [isNoAmount, setIsNoAmount] = useState(false)
  const change = useMutation({
    mutationFn: (usd: number | null) => changeBudget(scope, { usdPerMonth: usd }),
    onSuccess: (report: BudgetReport) => {
      client.setQueryData(budgetsQuery().queryKey, report)
      onClose()
    },
  })
  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const text = new FormData(event.currentTarget).get('amount')
    const usd = readAmount(typeof text === 'string' ? text : '')
    setIsNoAmount(usd === null)
    if (usd !== null) change.mutate(usd)
  }
  return (
    <form className="budget-form" onSubmit={save}>
      <label>
        <span>For</span>
        <select value={scope} onChange={(event) => onScope(event.target.value)}>
          <option value="all">all projects</option>
          {projects.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Dollars a month</span>
        <input
          name="amount"
          type="text"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={usdPerMonth ?? ''}
          placeholder="20"
          aria-invalid={isNoAmount}
          aria-describedby={isNoAmount ? 'budget-amount-problem' : undefined}
        />
      </label>
      <div className="budget-actions">
        <Button type="submit" look="primary" disabled={change.isPending}>
          Save
        </Button>
        {usdPerMonth !== undefined && (
          <Button disabled={change.isPending} onClick={() => change.mutate(null)}>
            Remove
          </Button>
        )}
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
      {isNoAmount && (
        <p id="budget-amount-problem" className="tone-error" role="alert">
          Write an amount above 0, such as 20 or 12.50.
        </p>
      )}
      {change.isError && <Notice tone="error">{change.error.message}</Notice>}
    </form>
  )
}
