import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usageQuery } from '../../api/usage.ts'
import { formatCount } from '../../lib/format.ts'
import { toolLabel } from '../../lib/tool-label.ts'
import { RankingTable } from './ranking-table.tsx'
import { cachedCell, costCell, largestRows, tokensCell } from './to-ranking.ts'
import type { UsageMetric } from './usage-metric.ts'

const MOST_ROWS = 10

type Props = { from: string | undefined; metric: UsageMetric; projectKey?: string }

export function ProjectRanking({ from, metric, projectKey }: Props) {
  const { data } = useQuery(usageQuery({ by: 'project', from, project: projectKey }))
  const rows = largestRows(data?.rows ?? [], metric, MOST_ROWS).map(({ row, share }) => ({
    key: row.key,
    share,
    name: (
      <Link to="/p/$project" params={{ project: row.key }}>
        {row.label}
      </Link>
    ),
    cells: [{ text: formatCount(row.sessions) }, tokensCell(row), costCell(row)],
  }))
  return <RankingTable title="Project" columns={['Sessions', 'Tokens', 'Cost']} rows={rows} />
}

export function ModelRanking({ from, metric, projectKey }: Props) {
  const { data } = useQuery(usageQuery({ by: 'model', from, project: projectKey }))
  const rows = largestRows(data?.rows ?? [], metric, MOST_ROWS).map(({ row, share }) => ({
    key: row.key,
    share,
    name: (
      <Link to="/" search={{ model: row.key }}>
        {row.label}
      </Link>
    ),
    cells: [{ text: formatCount(row.calls) }, cachedCell(row), costCell(row)],
  }))
  return <RankingTable title="Model" columns={['Calls', 'Cached', 'Cost']} rows={rows} />
}

/** Sessions are ranked by cost or tokens; by number each of them is one. */
export function SessionRanking({ from, metric, projectKey }: Props) {
  const { data } = useQuery(usageQuery({ by: 'session', from, project: projectKey }))
  const by = metric === 'tokens' ? 'tokens' : 'cost'
  const rows = largestRows(data?.rows ?? [], by, MOST_ROWS).map(({ row, share }) => ({
    key: row.key,
    share,
    name: (
      <Link to="/s/$key" params={{ key: row.key }} title={row.label}>
        {row.label || row.key}
      </Link>
    ),
    cells: [{ text: formatCount(row.calls) }, tokensCell(row), costCell(row)],
  }))
  const title = by === 'cost' ? 'Most expensive sessions' : 'Largest sessions'
  return <RankingTable title={title} columns={['Calls', 'Tokens', 'Cost']} rows={rows} />
}

export function ToolRanking({ from, projectKey }: Omit<Props, 'metric'>) {
  const { data } = useQuery(usageQuery({ by: 'tool', from, project: projectKey }))
  const tools = [...(data?.rows ?? [])].sort((a, b) => b.calls - a.calls)
  const most = tools[0]?.calls ?? 0
  const rows = tools.slice(0, MOST_ROWS).map((row) => ({
    key: row.key,
    share: most > 0 ? row.calls / most : 0,
    failedShare: row.calls > 0 ? (row.errors ?? 0) / row.calls : 0,
    name: <span title={row.key}>{toolLabel(row.label)}</span>,
    cells: [
      { text: formatCount(row.sessions) },
      row.errors ? { text: formatCount(row.errors), tone: 'error' as const } : { text: '-' },
      { text: formatCount(row.calls) },
    ],
  }))
  const callCount = tools.reduce((sum, row) => sum + row.calls, 0)
  const errorCount = tools.reduce((sum, row) => sum + (row.errors ?? 0), 0)
  const note = `${formatCount(callCount)} calls${errorCount > 0 ? `, ${formatCount(errorCount)} failed` : ''}`
  return (
    <RankingTable
      title="Tool calls"
      note={note}
      columns={['Sessions', 'Failed', 'Calls']}
      rows={rows}
      keepsBars
    />
  )
}
