import type { UsageRow } from '@gemini-dash/api'
import type { Explained } from '../../../content/explain/explain-context.ts'
import {
  describeCost,
  formatCost,
  formatCount,
  formatPercent,
  formatTokens,
} from '../../../lib/figures/format.ts'
import { type UsageMetric, usageMetrics } from '../frame/usage-metric.ts'
import type { RankingRow } from './ranking-table.tsx'

/** The largest rows by a metric, each with its share of the largest. */
export function largestRows(
  rows: UsageRow[],
  metric: UsageMetric,
  most: number,
): { row: UsageRow; share: number }[] {
  const { read } = usageMetrics[metric]
  const sorted = [...rows].sort((a, b) => read(b) - read(a) || tokensOf(b) - tokensOf(a)).slice(0, most)
  const largest = sorted[0] ? read(sorted[0]) : 0
  return sorted.map((row) => ({ row, share: largest > 0 ? read(row) / largest : 0 }))
}

function tokensOf(row: UsageRow): number {
  return row.usage?.total ?? 0
}

export function tokensCell(row: UsageRow, explains?: Explained): RankingRow['cells'][number] {
  if (!row.usage) return { text: '-' }
  return {
    text: formatTokens(row.usage.total),
    title: `${formatCount(row.usage.total)} tokens`,
    explains: explains && { ...explains, figure: 'total' },
  }
}

export function costCell(row: UsageRow, explains?: Explained): RankingRow['cells'][number] {
  const isUnknown = row.cost?.usd == null
  return {
    text: isUnknown ? 'unknown' : formatCost(row.cost),
    title: describeCost(row.cost),
    explains: explains && { ...explains, figure: 'cost' },
  }
}

export function cachedCell(row: UsageRow): RankingRow['cells'][number] {
  if (!row.usage || row.usage.input === 0) return { text: '-' }
  return { text: formatPercent(row.usage.cached / row.usage.input) }
}
