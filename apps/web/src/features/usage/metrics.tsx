import type { Cost, TokenUsage } from 'gemini-sessions'
import { type Asked, isUnanswered } from '../../api/request.ts'
import { formatCost, formatCount, formatTokens, formatUsd } from '../../lib/figures.ts'
import { Failed } from '../../ui/states.tsx'

export type UsageMetric = 'cost' | 'tokens' | 'sessions'

type Figures = { usage: TokenUsage | null; cost: Cost | null; sessions: number }

/** How each metric is read from a row, and written on an axis and in full. */
export const usageMetrics: Record<
  UsageMetric,
  {
    label: string
    read: (row: Figures) => number
    write: (value: number) => string
    writeRow: (row: Figures) => string
  }
> = {
  cost: {
    label: 'Cost',
    read: (row) => row.cost?.usd ?? 0,
    write: formatUsd,
    writeRow: (row) => formatCost(row.cost),
  },
  tokens: {
    label: 'Tokens',
    read: (row) => row.usage?.total ?? 0,
    write: formatTokens,
    writeRow: (row) => (row.usage ? formatTokens(row.usage.total) : '-'),
  },
  sessions: {
    label: 'Sessions',
    read: (row) => row.sessions,
    write: formatCount,
    writeRow: (row) => formatCount(row.sessions),
  },
}

interface Props {
  title: string
  /** Its queries, including the failed ones. */
  asked: readonly Asked[]
}

/** Replaces a panel whose data could not be loaded. */
export function FailedPanel({ title, asked }: Props) {
  return (
    <section className="panel" aria-label={title}>
      <header className="panel-head">
        <h2>{title}</h2>
      </header>
      <div className="panel-body">
        <NotLoaded asked={asked} />
      </div>
    </section>
  )
}

/** Renders nothing if everything is loaded or loading. */
export function NotLoaded({ asked }: Pick<Props, 'asked'>) {
  const failed = asked.filter(isUnanswered)
  const error = failed[0]?.error
  if (!error) return null
  return (
    <Failed
      what="These figures could not be loaded."
      error={error}
      onRetry={() => {
        for (const each of failed) void each.refetch()
      }}
    />
  )
}
