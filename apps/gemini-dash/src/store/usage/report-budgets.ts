import type { Budget, BudgetReport } from '@gemini-dash/api'
import type { Cost } from 'gemini-sessions'
import { NO_COST } from 'gemini-sessions'
import type { ProjectIdentity } from 'gemini-sessions/node'
import type { KeptBudget } from '../../own-data/budget-book.ts'
import { areOfProject } from '../../own-data/project-words.ts'
import { startOfTime } from '../times/time-range.ts'
import { localDayOf } from '../times/time-zone.ts'
import type { UsageFigures } from './report-usage.ts'

export interface BudgetSources {
  budgets: readonly KeptBudget[]
  projects: readonly ProjectIdentity[]
  /** Usage by project between two days. */
  usageByProject: (from: string, to: string) => UsageFigures
  nowMs: number
  zone: string
}

/** Before, one busy day would foretell a ruin. */
const LEAST_DAYS = 3
const DAY_MS = 24 * 60 * 60 * 1000

/** How the month that runs stands to each budget. Nothing is added up where none is set. */
export function reportBudgets(sources: BudgetSources): BudgetReport {
  const { budgets, projects, usageByProject, nowMs, zone } = sources
  const from = `${localDayOf(nowMs, zone).slice(0, 'YYYY-MM'.length)}-01`
  const to = firstOfNextMonth(from)
  const [startMs, endMs] = [startOfTime(from, zone), startOfTime(to, zone)]
  const elapsed = (nowMs - startMs) / (endMs - startMs)
  const isTelling = nowMs - startMs >= LEAST_DAYS * DAY_MS
  const usage = budgets.length === 0 ? null : usageByProject(from, to)
  const spentBy = (key: string) => usage?.rows.find((row) => row.key === key)?.cost ?? NO_COST
  const all = budgets.flatMap(({ project, usdPerMonth }): Budget[] => {
    if (project === null)
      return [{ project, ...judge(usdPerMonth, usage?.total.cost ?? NO_COST, isTelling ? elapsed : null) }]
    const known = projects.find((identity) => areOfProject(project, identity))
    if (known === undefined) return []
    const { key, name } = known
    return [{ project: { key, name }, ...judge(usdPerMonth, spentBy(key), isTelling ? elapsed : null) }]
  })
  return { month: { from, to, elapsed }, budgets: all.sort(allThenByName) }
}

function firstOfNextMonth(first: string): string {
  const date = new Date(`${first}T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + 1)
  return date.toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/** `elapsed` null: the month is too young to be foretold. */
function judge(usdPerMonth: number, spent: Cost, elapsed: number | null): Omit<Budget, 'project'> {
  const { usd, unpricedCalls } = spent
  if (usd === null && unpricedCalls > 0) return { usdPerMonth, spent, projectedUsd: null, state: 'unknown' }
  const projectedUsd = elapsed === null ? null : (usd ?? 0) / elapsed
  if ((usd ?? 0) > usdPerMonth) return { usdPerMonth, spent, projectedUsd, state: 'passed' }
  const isOnCourse = projectedUsd !== null && projectedUsd > usdPerMonth
  return { usdPerMonth, spent, projectedUsd, state: isOnCourse ? 'on-course' : 'within' }
}

/** Equal ones keep their order. */
function allThenByName(one: Budget, other: Budget): number {
  const [name, otherName] = [one.project?.name ?? '', other.project?.name ?? '']
  return name < otherName ? -1 : name > otherName ? 1 : 0
}
