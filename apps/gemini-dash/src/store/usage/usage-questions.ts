import type {
  BudgetChange,
  BudgetQuery,
  BudgetReport,
  Doctor,
  UsageQuery,
  UsageReport,
  UsageRow,
  UsageSum,
  UsageSumQuery,
  UsageWhy,
  UsageWhyQuery,
} from '@gemini-dash/api'
import { NO_COST, NO_USAGE, type SessionSummary } from 'gemini-sessions'
import type { BudgetBook } from '../../own-data/budget-book.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { ownZone } from '../times/time-zone.ts'
import { reportBudgets } from './report-budgets.ts'
import { reportUnpriced } from './report-unpriced.ts'
import { reportUsage, sliceSources, type UsageFigures } from './report-usage.ts'
import { reportWhy } from './report-why.ts'
import { sessionsInHour } from './sessions-in-hour.ts'
import { UsageAnswers } from './usage-answers.ts'
import type { UsageSource } from './usage-source.ts'

export interface UsageQuestionsOptions {
  catalog: Catalog
  budgets: BudgetBook
  sources: () => UsageSource[]
  findProjects: (wanted: string) => ReadonlySet<string>
  clock: () => number
}

/** What the sessions used, and how that stands to the budgets. */
export class UsageQuestions {
  readonly #options: UsageQuestionsOptions
  readonly #answers: UsageAnswers

  constructor(options: UsageQuestionsOptions) {
    this.#options = options
    this.#answers = new UsageAnswers(options.catalog, (query) =>
      reportUsage(options.sources(), query, this.#projectKeys(query.project)),
    )
  }

  /** Makes the reports that a page is likely to ask for. */
  prepare(): Promise<void> {
    return this.#answers.prepare()
  }

  usage(query: UsageQuery): Omit<UsageReport, 'coverage' | 'unread'> {
    const report = this.#answers.answer(query)
    return { ...report, rows: largestRows(report.rows, query) }
  }

  sum({ model, ...query }: UsageSumQuery): UsageSum {
    const { catalog, sources } = this.#options
    const summaryOf = (key: string) => catalog.sessions().get(key)?.summary
    if (model === undefined) return sumUpUsage((by) => this.#answers.answer({ ...query, by }), summaryOf)
    const ofThatModel = sources().flatMap((source) => ofModel(source, model))
    const projectKeys = this.#projectKeys(query.project)
    return sumUpUsage((by) => reportUsage(ofThatModel, { ...query, by }, projectKeys), summaryOf)
  }

  /** Where the cost of these sessions went. */
  why({ model, project, ...query }: UsageWhyQuery): Pick<UsageWhy, 'total' | 'items'> {
    const all = this.#options.sources()
    const sources = model === undefined ? all : all.flatMap((source) => ofModel(source, model))
    return reportWhy(sliceSources(sources, query, this.#projectKeys(project)))
  }

  /** Models without a price, of all sessions. */
  unpriced(): Doctor['unpriced'] {
    return reportUnpriced(sliceSources(this.#options.sources(), {}, null))
  }

  /** Keys of the sessions with calls in this hour of the week: only calls tell. */
  sessionsInHour(
    hour: string,
    { from, to, tz }: { from?: string; to?: string; tz?: string },
  ): ReadonlySet<string> {
    return sessionsInHour(this.#options.sources(), { hour, from, to }, tz ?? ownZone())
  }

  budgets({ tz }: BudgetQuery): BudgetReport {
    const { budgets, catalog, clock } = this.#options
    return reportBudgets({
      budgets: budgets.all(),
      projects: catalog.projects(),
      usageByProject: (from, to) => this.usage({ by: 'project', format: 'json', from, to, tz }),
      nowMs: clock(),
      zone: tz ?? ownZone(),
    })
  }

  /** null: there is no such project. */
  setBudget(scope: string, { usdPerMonth }: BudgetChange): true | null {
    const { budgets, catalog } = this.#options
    const project = scope === 'all' ? null : catalog.projects().find(({ key }) => key === scope)
    if (project === undefined) return null
    budgets.set(project, usdPerMonth)
    return true
  }

  #projectKeys(wanted: string | undefined): ReadonlySet<string> | null {
    return wanted === undefined || wanted === '' ? null : this.#options.findProjects(wanted)
  }
}

/** The largest rows by what is asked for, no more of them than that; as they are where nothing is. */
function largestRows(rows: UsageRow[], { order, limit }: Pick<UsageQuery, 'order' | 'limit'>): UsageRow[] {
  const ordered =
    order === 'tokens' ? rows.toSorted((a, b) => (b.usage?.total ?? 0) - (a.usage?.total ?? 0)) : rows
  return limit === undefined ? ordered : ordered.slice(0, limit)
}

const MOST_SESSIONS = 50

/** What a figure of the usage report is the sum of: by model, and by session. Made of the reports that it stands in. */
function sumUpUsage(
  report: (by: 'session' | 'model') => UsageFigures,
  summaryOf: (sessionKey: string) => SessionSummary | undefined,
): UsageSum {
  const { rows, total } = report('session')
  return {
    total,
    models: report('model').rows.map((row) => ({ name: row.label, ...figuresOf(row) })),
    sessions: rows.slice(0, MOST_SESSIONS).flatMap((row) => {
      const summary = summaryOf(row.key)
      if (summary === undefined) return []
      const { key, title, kind, project, startTime } = summary
      return [{ key, title, kind, project: project.name, startTime, ...figuresOf(row) }]
    }),
    sessionTotal: rows.length,
  }
}

/** The calls of one model; nothing where a session has none. */
function ofModel(source: UsageSource, model: string): UsageSource[] {
  const buckets = source.buckets.filter((bucket) => (bucket.model ?? 'unknown') === model)
  return buckets.length === 0 ? [] : [{ ...source, buckets }]
}

function figuresOf({ usage, cost }: UsageRow) {
  return { usage: usage ?? NO_USAGE, cost: cost ?? NO_COST }
}
