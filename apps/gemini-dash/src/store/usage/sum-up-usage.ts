import type { UsageRow, UsageSum, UsageSumQuery } from '@gemini-dash/api'
import { NO_COST, NO_USAGE } from 'gemini-sessions'
import { reportUsage } from '../report-usage.ts'
import type { UsageSource } from './usage-source.ts'

const MOST_SESSIONS = 50

/** What a figure of the usage report is the sum of: by model, and by session. */
export function sumUpUsage(
  sources: readonly UsageSource[],
  { model, ...query }: UsageSumQuery,
  projectKeys: ReadonlySet<string> | null,
): UsageSum {
  const wanted = model === undefined ? [...sources] : sources.flatMap((source) => ofModel(source, model))
  const { rows, total } = reportUsage(wanted, { ...query, by: 'session' }, projectKeys)
  const models = reportUsage(wanted, { ...query, by: 'model' }, projectKeys).rows
  const summaries = new Map(wanted.map(({ summary }) => [summary.key, summary]))
  return {
    total,
    models: models.map((row) => ({ name: row.label, ...figuresOf(row) })),
    sessions: rows.slice(0, MOST_SESSIONS).flatMap((row) => {
      const summary = summaries.get(row.key)
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
