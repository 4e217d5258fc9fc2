import type {
  Budget,
  BudgetChange,
  BudgetQuery,
  BudgetReport,
  Doctor,
  UsageQuery,
  UsageReport,
  UsageRow,
  UsageWhy,
  UsageWhyQuery,
} from '@gemini-dash/api'
import { formatPlural, formatUsd } from '@gemini-dash/api/figures'
import { explainWhy, readReasons, shownAmounts, type WhyPart } from '@gemini-dash/pricing/why'
import { addCost, addSplits, type Cost, type CostSplit, NO_COST, type SessionSummary } from 'gemini-sessions'
import type { ProjectIdentity } from 'gemini-sessions/node'
import { areOfProject, type BudgetStore, type KeptBudget } from '../../own-data/price-file.ts'
import { endOfMonth, ownZone, periodOf, startOfTime } from '../times.ts'
import {
  reportUsage,
  sliceSources,
  UsageAnswers,
  type UsageFigures,
  type UsageRows,
  type UsageSource,
} from './usage-source.ts'

interface UsageQuestionsOptions {
  rows: UsageRows
  budgets: BudgetStore
  sources: () => readonly UsageSource[]
  findProjects: (wanted: string) => ReadonlySet<string>
  clock: () => number
}

/** The usage of sessions, and how it compares with the budgets. */
export class UsageQuestions {
  readonly #options: UsageQuestionsOptions
  readonly #answers: UsageAnswers

  constructor(options: UsageQuestionsOptions) {
    this.#options = options
    this.#answers = new UsageAnswers(options.rows, (query) =>
      reportUsage(options.sources(), query, this.#projectKeys(query.project)),
    )
  }

  /** Precomputes the reports that a page is likely to request. */
  prepare(): Promise<void> {
    return this.#answers.prepare()
  }

  usage(query: UsageQuery): Omit<UsageReport, 'coverage' | 'unread'> {
    const report = this.#answers.answer(query)
    return { ...report, rows: largestRows(report.rows, query) }
  }

  /** Why these sessions cost what they did. */
  why({ project, ...query }: UsageWhyQuery): Omit<UsageWhy, 'coverage' | 'unread'> {
    return reportWhy(sliceSources(this.#options.sources(), query, this.#projectKeys(project)))
  }

  /** Models without a price, over all sessions. */
  unpriced(): Doctor['unpriced'] {
    return reportUnpriced(sliceSources(this.#options.sources(), {}, null))
  }

  budgets({ tz }: BudgetQuery): BudgetReport {
    const { budgets, rows, clock } = this.#options
    return reportBudgets({
      budgets: budgets.all(),
      projects: rows.projects(),
      usageByProject: (from, to) => this.usage({ by: 'project', format: 'json', from, to, tz }),
      nowMs: clock(),
      zone: tz ?? ownZone(),
    })
  }

  /** null: no such project. */
  setBudget(scope: string, { usdPerMonth }: BudgetChange): true | null {
    const { budgets, rows } = this.#options
    const project = scope === 'all' ? null : rows.projects().find(({ key }) => key === scope)
    if (project === undefined) return null
    budgets.set(project, usdPerMonth)
    return true
  }

  #projectKeys(wanted: string | undefined): ReadonlySet<string> | null {
    return wanted === undefined || wanted === '' ? null : this.#options.findProjects(wanted)
  }
}

/** The largest rows by the requested order, up to the limit; without an order they are unchanged. */
function largestRows(rows: UsageRow[], { order, limit }: Pick<UsageQuery, 'order' | 'limit'>): UsageRow[] {
  const ordered =
    order === 'tokens' ? rows.toSorted((a, b) => (b.usage?.total ?? 0) - (a.usage?.total ?? 0)) : rows
  return limit === undefined ? ordered : ordered.slice(0, limit)
}

interface BudgetSources {
  budgets: readonly KeptBudget[]
  projects: readonly ProjectIdentity[]
  /** Usage by project between two days. */
  usageByProject: (from: string, to: string) => UsageFigures
  nowMs: number
  zone: string
}

/** Earlier, a single busy day would distort the forecast. */
const LEAST_DAYS = 3
const DAY_MS = 24 * 60 * 60 * 1000

/** The current month compared with each budget. Sums nothing if no budget is set. */
export function reportBudgets(sources: BudgetSources): BudgetReport {
  const { budgets, projects, usageByProject, nowMs, zone } = sources
  const month = periodOf(nowMs, 'month', zone)
  const [from, to] = [`${month}-01`, endOfMonth(month)]
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

/** `elapsed` null: too early in the month for a forecast. */
function judge(usdPerMonth: number, spent: Cost, elapsed: number | null): Omit<Budget, 'project'> {
  const { usd, unpricedCalls } = spent
  if (usd === null && unpricedCalls > 0) return { usdPerMonth, spent, projectedUsd: null, state: 'unknown' }
  const projectedUsd = elapsed === null ? null : (usd ?? 0) / elapsed
  if ((usd ?? 0) > usdPerMonth) return { usdPerMonth, spent, projectedUsd, state: 'passed' }
  const isOnCourse = projectedUsd !== null && projectedUsd > usdPerMonth
  return { usdPerMonth, spent, projectedUsd, state: isOnCourse ? 'on-course' : 'within' }
}

/** Equal names keep their order. */
function allThenByName(one: Budget, other: Budget): number {
  const [name, otherName] = [one.project?.name ?? '', other.project?.name ?? '']
  return name < otherName ? -1 : name > otherName ? 1 : 0
}

type Unpriced = Doctor['unpriced'][number]

/** Models without a price, and the usage that is missing from sums of costs because of them; most tokens first. */
function reportUnpriced(slices: readonly UsageSource[]): Unpriced[] {
  const models = new Map<string | null, Unpriced>()
  for (const { model, usage, cost } of slices.flatMap(({ buckets }) => buckets)) {
    if (cost.unpricedCalls === 0) continue
    const sum = models.get(model) ?? { model, calls: 0, tokens: 0 }
    models.set(model, sum)
    sum.calls += cost.unpricedCalls
    // calls of one model within a quarter of an hour either all have a price or none
    if (cost.usd === null) sum.tokens += usage.total
  }
  return [...models.values()].sort(
    (a, b) => b.tokens - a.tokens || b.calls - a.calls || ((a.model ?? '') < (b.model ?? '') ? -1 : 1),
  )
}

/** Share of the total that is listed; the rest is "other". */
const ENOUGH = 0.8
const MOST_LINES = 8

type Figures = Pick<UsageWhy, 'total' | 'shown' | 'by' | 'lines' | 'other' | 'kinds'>
type Line = UsageWhy['lines'][number]
type Kind = UsageWhy['kinds'][number]['kind']

/** What a session and its sub-agents spent within the slices. */
interface Spent {
  owner: SessionSummary
  parts: UsageSource[]
  usd: number
}

/** Sessions combined into one line. */
interface Group {
  key: string
  name: string
  usd: number
  sessions: Spent[]
}

/** Why these slices of sessions cost what they did, and what was paid for. */
function reportWhy(slices: readonly UsageSource[]): Figures {
  const spent = bySession(slices)
  if (spent.length === 0)
    return { total: null, shown: null, by: 'session', lines: [], other: null, kinds: [] }
  const total = sumUsd(spent)
  const { by, groups } = chooseGroups(spent, total)
  const named = new Set(groups.flatMap(({ sessions }) => sessions))
  const left = spent.filter((session) => !named.has(session))
  const rest = left.length === 0 ? [] : [sumUsd(left)]
  const shown = showAmounts([...groups.map(({ usd }) => usd), ...rest], total)
  const words = by === 'session' ? wordsOfSession : wordsOfProject
  const [largest] = left
  return {
    total,
    shown: formatUsd(total),
    by,
    lines: groups.map((group, index): Line => {
      const { key, name, sessions } = group
      return { key, name, ...shown(index), sessions: sessions.length, ...words(group) }
    }),
    other:
      largest === undefined
        ? null
        : { ...shown(groups.length), sessions: left.length, largest: formatUsd(largest.usd) },
    kinds: kindsOf(slices, total),
  }
}

/** Largest first; sessions without a known price are left out. */
function bySession(slices: readonly UsageSource[]): Spent[] {
  const sessions = new Map<string, Spent>()
  for (const slice of slices) {
    const { owner, buckets } = slice
    const { usd } = buckets.reduce((sum, { cost }) => addCost(sum, cost), NO_COST)
    if (usd === null) continue
    const known = sessions.get(owner.key)
    if (known === undefined) sessions.set(owner.key, { owner, parts: [slice], usd })
    else {
      known.parts.push(slice)
      known.usd = sumUsd([known, { usd }])
    }
  }
  return [...sessions.values()].sort(largestFirst)
}

/** The sessions that make up enough of the total; projects instead only if that takes fewer lines. */
function chooseGroups(spent: readonly Spent[], total: number): { by: UsageWhy['by']; groups: Group[] } {
  const sessions = spent.map((session): Group => {
    const { owner, usd } = session
    return { key: owner.key, name: owner.title, usd, sessions: [session] }
  })
  const named = untilEnough(sessions, total)
  if (sumUsd(named) >= ENOUGH * total) return { by: 'session', groups: named }
  const projects = untilEnough(byProject(spent), total)
  const isBetter = projects.length > 1 && sumUsd(projects) > sumUsd(named)
  return isBetter ? { by: 'project', groups: projects } : { by: 'session', groups: named }
}

function byProject(spent: readonly Spent[]): Group[] {
  const projects = new Map<string, Group>()
  for (const session of spent) {
    const { key, name } = session.owner.project
    const known = projects.get(key) ?? { key, name, usd: 0, sessions: [] }
    known.sessions.push(session)
    projects.set(key, known)
  }
  return [...projects.values()]
    .map((project) => ({ ...project, usd: sumUsd(project.sessions) }))
    .sort(largestFirst)
}

function untilEnough(groups: readonly Group[], total: number): Group[] {
  const named: Group[] = []
  for (const group of groups) {
    if (named.length === MOST_LINES || sumUsd(named) >= ENOUGH * total) break
    named.push(group)
  }
  return named
}

type Words = Pick<Line, 'text' | 'advice'>

/** The main reason of a whole session; for part of a session only that it is a part, as reasons apply to the whole. */
function wordsOfSession({ sessions, usd }: Group): Words {
  const [session] = sessions
  const whole = session?.owner.withSubagents.cost?.usd ?? usd
  if (session === undefined || whole !== usd)
    return { text: `Part of a session that cost ${formatUsd(whole)}`, advice: null }
  const parts = session.parts.flatMap(({ summary, reasons }): WhyPart[] => {
    const known = readReasons(reasons)
    return known === null ? [] : [{ key: summary.key, title: summary.title, reasons: known }]
  })
  const [first] = explainWhy(session.owner.key, parts).lines
  return { text: first?.text ?? '', advice: first?.advice ?? null }
}

function wordsOfProject({ sessions }: Group): Words {
  const [largest] = sessions
  return {
    text: `${formatPlural(sessions.length, 'session')}, the largest ${formatUsd(largest?.usd ?? 0)}`,
    advice: null,
  }
}

const KINDS: readonly [Kind, keyof CostSplit][] = [
  ['cached-input', 'cached'],
  ['surcharge', 'surcharge'],
  ['answers', 'answers'],
  ['thinking', 'thinking'],
]

function kindsOf(slices: readonly UsageSource[], total: number): UsageWhy['kinds'] {
  const paidFor = slices
    .flatMap(({ buckets }) => buckets.map((bucket) => bucket.paidFor ?? null))
    .reduce(addSplits, null)
  const others = KINDS.map(([kind, name]) => ({ kind, usd: paidFor?.[name] ?? 0 }))
  const newInput = sumUsd([{ usd: total }, ...others.map(({ usd }) => ({ usd: -usd }))])
  const kinds = [{ kind: 'new-input' as const, usd: newInput }, ...others].filter(({ usd }) => usd > 0)
  const shown = showAmounts(
    kinds.map(({ usd }) => usd),
    total,
  )
  return kinds.map(({ kind }, index) => ({ kind, ...shown(index) }))
}

/** Returns how to show each amount, by index. */
function showAmounts(amounts: readonly number[], total: number) {
  const shown = shownAmounts(amounts, total)
  return (index: number) => ({
    usd: amounts[index] ?? 0,
    shown: shown[index]?.amount ?? '',
    percent: shown[index]?.percent ?? 0,
  })
}

function sumUsd(amounts: readonly { usd: number }[]): number {
  return amounts.reduce((sum, { usd }) => addCost(sum, { usd, unpricedCalls: 0 }), NO_COST).usd ?? 0
}

function largestFirst(one: { usd: number }, other: { usd: number }): number {
  return other.usd - one.usd
}
