import type { Cost, TokenUsage } from 'gemini-sessions'
import { formatCost, formatCount, formatTokens, formatUsd } from '../../../lib/figures/format.ts'

export type UsageMetric = 'cost' | 'tokens' | 'sessions'

type Figures = { usage: TokenUsage | null; cost: Cost | null; sessions: number }

/** How each metric is read from a row, written on an axis and written in full. */
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
