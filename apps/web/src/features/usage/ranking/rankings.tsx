import type { UsageRow } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usageQuery } from '../../../api/usage.ts'
import type { Explained } from '../../../content/explain/explain-context.ts'
import {
  describeCost,
  formatCost,
  formatCount,
  formatPercent,
  formatTokens,
} from '../../../lib/figures/format.ts'
import { ownWords, withOwn } from '../../../lib/session/own-share.ts'
import { SessionsLink } from '../frame/sessions-link.tsx'
import type { UsageMetric } from '../frame/usage-metric.ts'
import { usageMetrics } from '../frame/usage-metric.ts'
import type { RankingRow } from './ranking-table.tsx'
import { RankingTable } from './ranking-table.tsx'

const MOST_ROWS = 10

interface Props {
  from: string | undefined
  metric: UsageMetric
  projectKey?: string | undefined
  hasPrices: boolean
}

export function ProjectRanking({ from, metric, projectKey, hasPrices }: Props) {
  const usage = useQuery(usageQuery({ by: 'project', from, project: projectKey }))
  const rows = largestRows(usage.data?.rows ?? [], metric, MOST_ROWS).map(({ row, share }) => ({
    key: row.key,
    share,
    name: (
      <SessionsLink days={{ from }} projectKey={row.key}>
        {row.label}
      </SessionsLink>
    ),
    cells: [
      { text: formatCount(row.sessions) },
      ...spentCells(row, { kind: 'usage', name: row.label, scope: { from, project: row.key } }, hasPrices),
    ],
  }))
  return (
    <RankingTable
      title="Projects"
      query={{ by: 'project', from, project: projectKey }}
      columns={withCost(['Sessions', 'Tokens'], hasPrices)}
      rows={rows}
      asked={usage}
    />
  )
}

export function ModelRanking({ from, metric, projectKey, hasPrices }: Props) {
  const usage = useQuery(usageQuery({ by: 'model', from, project: projectKey }))
  const rows = largestRows(usage.data?.rows ?? [], metric, MOST_ROWS).map(({ row, share }) => ({
    key: row.key,
    share,
    name: (
      <SessionsLink days={{ from }} model={row.key} projectKey={projectKey}>
        {row.label}
      </SessionsLink>
    ),
    cells: [
      { text: formatCount(row.calls) },
      cachedCell(row),
      ...spentCells(
        row,
        { kind: 'usage', name: row.label, scope: { from, project: projectKey, model: row.key } },
        hasPrices,
      ),
    ],
  }))
  return (
    <RankingTable
      title="Models"
      query={{ by: 'model', from, project: projectKey }}
      columns={withCost(['Calls', 'Cached', 'Tokens'], hasPrices)}
      rows={rows}
      asked={usage}
    />
  )
}

/** Sessions are ranked by cost or tokens; by number each of them is one. */
export function SessionRanking({ from, metric, projectKey, hasPrices }: Props) {
  const by = metric === 'tokens' || !hasPrices ? 'tokens' : 'cost'
  // there may be thousands, of which ten are shown
  const order = by === 'tokens' ? by : undefined
  const usage = useQuery(usageQuery({ by: 'session', from, project: projectKey, order, limit: MOST_ROWS }))
  const rows = largestRows(usage.data?.rows ?? [], by, MOST_ROWS).map(({ row, share }) => ({
    key: row.key,
    share,
    name: (
      <Link to="/s/$key" params={{ key: row.key }} title={row.label}>
        {row.label || row.key}
      </Link>
    ),
    cells: [
      { text: formatCount(row.calls) },
      ...spentCells(row, { kind: 'session', sessionRef: row.key }, hasPrices),
    ],
  }))
  const title = by === 'cost' ? 'Most expensive sessions' : 'Largest sessions'
  return (
    <RankingTable
      title={title}
      query={{ by: 'session', from, project: projectKey }}
      columns={withCost(['Calls', 'Tokens'], hasPrices)}
      rows={rows}
      asked={usage}
    />
  )
}

/** No column of unknown costs for who wants no prices. */
function withCost(columns: string[], hasPrices: boolean): string[] {
  return hasPrices ? [...columns, 'Cost'] : columns
}

/** Tokens and cost of a row, which say how they came about. */
function spentCells(row: UsageRow, explains: Explained, hasPrices: boolean) {
  return hasPrices ? [tokensCell(row, explains), costCell(row, explains)] : [tokensCell(row, explains)]
}

/** The largest rows by a metric, each with its share of the largest. */
function largestRows(
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

function tokensCell(row: UsageRow, explains?: Explained): RankingRow['cells'][number] {
  if (!row.usage) return { text: '-' }
  return {
    text: formatTokens(row.usage.total),
    title: withOwn(
      `${formatCount(row.usage.total)} tokens`,
      row.own && ownWords(formatCount(row.own.usage.total)),
    ),
    explains: explains && { ...explains, figure: 'total' },
  }
}

function costCell(row: UsageRow, explains?: Explained): RankingRow['cells'][number] {
  const isUnknown = row.cost?.usd == null
  return {
    text: isUnknown ? 'unknown' : formatCost(row.cost),
    title: withOwn(describeCost(row.cost), row.own && ownWords(describeCost(row.own.cost))),
    explains: explains && { ...explains, figure: 'cost' },
  }
}

function cachedCell(row: UsageRow): RankingRow['cells'][number] {
  if (!row.usage || row.usage.input === 0) return { text: '-' }
  return { text: formatPercent(row.usage.cached / row.usage.input) }
}
