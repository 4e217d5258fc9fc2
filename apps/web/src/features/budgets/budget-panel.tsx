import '../../ui/ui.css'
import './budgets.css'
import type { Budget, BudgetReport } from '@gemini-dash/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Project } from 'gemini-sessions'
import { Pencil, TriangleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { budgetsQuery, changeBudget } from '../../api/usage.ts'
import { describeCost, formatCost, formatUsd } from '../../lib/figures.ts'
import { useHeldFocus } from '../../lib/list-hooks.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Failed, Notice } from '../../ui/states.tsx'
import { budgetScope, budgetState, BUDGET_TEXT as TEXT } from './budget-notices.tsx'

interface Props {
  projects: readonly Project[]
  /** The user is on a plan: no cost is known anywhere. */
  isWithoutPrices: boolean
}

/** The budgets of the current month, with a form to set them. */
export function BudgetPanel({ projects, isWithoutPrices }: Props) {
  const { data, error, refetch } = useQuery(budgetsQuery())
  /** The edited scope and the one the form was opened for: choosing another scope keeps the form's input. */
  const [edited, setEdited] = useState<{ scope: string; begunAs: string } | null>(null)
  const edit = (scope: string) => setEdited({ scope, begunAs: scope })
  const around = useHeldFocus<HTMLElement>()
  const budgets = data?.budgets ?? []
  return (
    <section className="panel" id="budgets" aria-label={TEXT.title} ref={around}>
      <header className="panel-head">
        <h2>{TEXT.title}</h2>
        {edited === null && (
          <div className="push">
            <Button look="quiet" size="tiny" onClick={() => edit('all')}>
              {TEXT.set}
            </Button>
          </div>
        )}
      </header>
      <div className="panel-body budget-body">
        {error !== null && data === undefined && (
          <Failed what={TEXT.notLoaded} error={error} onRetry={() => void refetch()} />
        )}
        {data?.budgets.length === 0 && edited === null && <p className="dim">{TEXT.none}</p>}
        {isWithoutPrices && budgets.length > 0 && <p className="dim">{TEXT.noPrices}</p>}
        {budgets.length > 0 && (
          <ul className="budget-list">
            {budgets.map((budget) => (
              <BudgetRow
                key={scopeOf(budget)}
                budget={budget}
                elapsed={data?.month.elapsed ?? 0}
                onEdit={() => edit(scopeOf(budget))}
              />
            ))}
          </ul>
        )}
        {edited !== null && (
          <BudgetForm
            key={edited.begunAs}
            scope={edited.scope}
            usdPerMonth={budgets.find((budget) => scopeOf(budget) === edited.scope)?.usdPerMonth}
            projects={projects}
            onScope={(scope) => setEdited({ ...edited, scope })}
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
  /** Elapsed share of the month, 0 to 1. */
  elapsed: number
  onEdit: () => void
}

/** What a month may cost, has cost so far, and is projected to cost. */
function BudgetRow({ budget, elapsed, onEdit }: BudgetRowProps) {
  const { spent, usdPerMonth, state } = budget
  const isWarning = state === 'passed' || state === 'on-course'
  return (
    <li className="budget-row">
      <b dir="auto">{budgetScope(budget)}</b>
      <span className="tabular" title={describeCost(spent)}>
        {TEXT.spentOf(
          spent.usd === null && spent.unpricedCalls === 0 ? '$0.00' : formatCost(spent),
          formatUsd(usdPerMonth),
        )}
      </span>
      <span className={isWarning ? 'budget-state warning' : 'budget-state'}>
        {isWarning && <Icon of={TriangleAlert} small />}
        {budgetState(budget)}
      </span>
      <IconButton icon={Pencil} label={TEXT.change(budgetScope(budget))} onClick={onEdit} />
      <BudgetBar share={(spent.usd ?? 0) / usdPerMonth} elapsed={elapsed} isWarning={isWarning} />
    </li>
  )
}

interface BudgetBarProps {
  /** Spent share of the budget; above 1 if exceeded. */
  share: number
  elapsed: number
  isWarning: boolean
}

/** Fill level of a budget, with a line at the current date. Decoration for the figures above it. */
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

interface BudgetFormProps {
  /** `all` or a project key. */
  scope: string
  /** The current budget; undefined if none is set. */
  usdPerMonth: number | undefined
  projects: readonly Project[]
  onScope: (scope: string) => void
  onClose: () => void
}

/** Sets, changes or removes a budget. It is stored only in a file of gemini-dash. */
function BudgetForm({ scope, usdPerMonth, projects, onScope, onClose }: BudgetFormProps) {
  const client = useQueryClient()
  /** null: nothing was typed, the current budget is shown. */
  const [amount, setAmount] = useState<string | null>(null)
  const [isNoAmount, setIsNoAmount] = useState(false)
  const change = useMutation({
    mutationFn: (usd: number | null) => changeBudget(scope, { usdPerMonth: usd }),
    onSuccess: (report: BudgetReport) => {
      client.setQueryData(budgetsQuery().queryKey, report)
      onClose()
    },
  })
  const written = amount ?? String(usdPerMonth ?? '')
  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const usd = readAmount(written)
    setIsNoAmount(usd === null)
    if (usd !== null) change.mutate(usd)
  }
  return (
    <form className="budget-form" onSubmit={save}>
      <label>
        <span>{TEXT.scope}</span>
        <select className="field" value={scope} onChange={(event) => onScope(event.target.value)}>
          <option value="all">{TEXT.allProjects}</option>
          {projects.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{TEXT.amount}</span>
        <input
          className="field"
          type="text"
          inputMode="decimal"
          autoComplete="off"
          value={written}
          onChange={({ target }) => setAmount(target.value)}
          placeholder="20"
          aria-invalid={isNoAmount}
          aria-describedby={isNoAmount ? 'budget-amount-problem' : undefined}
        />
      </label>
      <div className="budget-actions">
        <Button type="submit" look="primary" disabled={change.isPending}>
          {TEXT.save}
        </Button>
        {usdPerMonth !== undefined && (
          <Button disabled={change.isPending} onClick={() => change.mutate(null)}>
            {TEXT.remove}
          </Button>
        )}
        <Button look="quiet" onClick={onClose}>
          {TEXT.cancel}
        </Button>
      </div>
      {isNoAmount && (
        <p id="budget-amount-problem" className="tone-error" role="alert">
          {TEXT.noAmount}
        </p>
      )}
      {change.isError && <Notice tone="error">{change.error.message}</Notice>}
    </form>
  )
}

/** Parses `20`, `12.50`, `12,5` or `$20` as dollars; null unless it is an amount above 0. */
export function readAmount(text: string): number | null {
  const digits = text.replace(/^\s*\$/, '').trim()
  if (!/^\d{1,9}(?:[.,]\d{1,2})?$/.test(digits)) return null
  const usd = Number(digits.replace(',', '.'))
  return usd > 0 ? usd : null
}
