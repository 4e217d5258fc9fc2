import type { UsageRow, UsageSum } from '@gemini-dash/api'
import { NO_COST, NO_USAGE, type SessionSummary } from 'gemini-sessions'
import type { UsageFigures } from './report-usage.ts'
import type { UsageSource } from './usage-source.ts'

const MOST_SESSIONS = 50

/** What a figure of the usage report is the sum of: by model, and by session. Made of the reports that it stands in. */
export function sumUpUsage(
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
export function ofModel(source: UsageSource, model: string): UsageSource[] {
  const buckets = source.buckets.filter((bucket) => (bucket.model ?? 'unknown') === model)
  return buckets.length === 0 ? [] : [{ ...source, buckets }]
}

function figuresOf({ usage, cost }: UsageRow) {
  return { usage: usage ?? NO_USAGE, cost: cost ?? NO_COST }
}
