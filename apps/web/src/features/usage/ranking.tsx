import '../../ui/ui.css'
import type { UsageReport, UsageRow } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isUnanswered } from '../../api/request.ts'
import { usageQuery } from '../../api/usage.ts'
import { optionsOf } from '../../lib/action-table.ts'
import {
  describeCost,
  formatAtMost,
  formatCost,
  formatCount,
  formatPercent,
  formatPlural,
  formatTokens,
} from '../../lib/figures.ts'
import {
  type FindSearch,
  toolFilter,
  USAGE_TABLE_LABELS,
  type UsageTableName,
} from '../../lib/page-searches.ts'
import { ownWords, withOwn } from '../../lib/session-words.ts'
import { Segmented } from '../../ui/controls.tsx'
import { type DataColumn, DataTable, shareColumn } from '../../ui/table.tsx'
import { NotLoaded, type UsageMetric, usageMetrics } from './metrics.tsx'
import { SessionsLink } from './usage-range.tsx'

const TABLES = optionsOf(USAGE_TABLE_LABELS)

interface Props {
  table: UsageTableName
  onTable: (table: UsageTableName) => void
  from: string | undefined
  projectKey: string | undefined
  metric: UsageMetric
  hasPrices: boolean
}

/** Top sessions, projects, models or tools. */
export function UsageTable({ table, onTable, ...scope }: Props) {
  return (
    <section className="panel" aria-label={`By ${USAGE_TABLE_LABELS[table].toLowerCase()}`}>
      <header className="panel-head">
        <Segmented label="Table" value={table} options={TABLES} onChange={onTable} />
      </header>
      {table === 'sessions' && <SessionRanking {...scope} />}
      {table === 'projects' && <ProjectRanking {...scope} />}
      {table === 'models' && <ModelRanking {...scope} />}
      {table === 'tools' && <ToolRanking from={scope.from} projectKey={scope.projectKey} />}
    </section>
  )
}

/** There may be thousands of sessions. */
const MOST_SESSIONS = 8

interface ProjectRankingProps {
  from: string | undefined
  projectKey: string | undefined
  /** Metric of the ranking. */
  metric: UsageMetric
  hasPrices: boolean
}

function ProjectRanking({ from, metric, projectKey, hasPrices }: ProjectRankingProps) {
  const usage = useQuery(usageQuery({ by: 'project', from, project: projectKey }))
  const rows = largestRows(usage.data?.rows ?? [], metric).map(({ row, share }) => ({
    key: row.key,
    share,
    name: (
      <SessionsLink days={{ from }} projectKey={row.key}>
        {row.label}
      </SessionsLink>
    ),
    cells: [{ text: formatCount(row.sessions) }, ...spentCells(row, hasPrices)],
  }))
  return (
    <RankingTable
      name="Project"
      columns={withCost(['Sessions', 'Tokens'], hasPrices)}
      rows={rows}
      asked={usage}
    />
  )
}

function ModelRanking({ from, metric, projectKey, hasPrices }: ProjectRankingProps) {
  const usage = useQuery(usageQuery({ by: 'model', from, project: projectKey }))
  const rows = largestRows(usage.data?.rows ?? [], metric).map(({ row, share }) => ({
    key: row.key,
    share,
    name: (
      <SessionsLink days={{ from }} model={row.key} projectKey={projectKey}>
        {row.label}
      </SessionsLink>
    ),
    cells: [
      { text: formatCount(row.sessions) },
      { text: formatCount(row.calls) },
      cachedCell(row),
      ...spentCells(row, hasPrices),
    ],
  }))
  const columns = withCost(['Sessions', 'Requests', 'Cached', 'Tokens'], hasPrices)
  return <RankingTable name="Model" columns={columns} rows={rows} asked={usage} />
}

/** Sessions are ranked by cost or tokens; ranking by count makes no sense for them. */
function SessionRanking({ from, metric, projectKey, hasPrices }: ProjectRankingProps) {
  const by = metric === 'tokens' || !hasPrices ? 'tokens' : 'cost'
  const order = by === 'tokens' ? by : undefined
  const asked = { by: 'session', from, project: projectKey, order, limit: MOST_SESSIONS } as const
  const usage = useQuery(usageQuery(asked))
  const rows = largestRows(usage.data?.rows ?? [], by).map(({ row, share }) => ({
    key: row.key,
    share,
    name: (
      <Link to="/s/$key" params={{ key: row.key }} title={row.label}>
        {row.label || row.key}
      </Link>
    ),
    cells: [{ text: row.project ?? '-' }, { text: formatCount(row.calls) }, ...spentCells(row, hasPrices)],
  }))
  const left = (usage.data?.total.sessions ?? 0) - rows.length
  return (
    <RankingTable
      name="Session"
      columns={withCost(['Project', 'Requests', 'Tokens'], hasPrices)}
      rows={rows}
      asked={usage}
      more={
        left > 0 && (
          <p className="panel-body ranking-more">
            <SessionsLink days={{ from }} projectKey={projectKey} sort={by} className="link">
              {formatPlural(left, 'more session')}
            </SessionsLink>
          </p>
        )
      }
    />
  )
}

/** Omits the cost column for users who want no prices. */
function withCost(columns: string[], hasPrices: boolean): string[] {
  return hasPrices ? [...columns, 'Cost'] : columns
}

function spentCells(row: UsageRow, hasPrices: boolean) {
  return hasPrices ? [tokensCell(row), costCell(row)] : [tokensCell(row)]
}

/** Rows by a metric, largest first, each with its ratio to the largest. */
function largestRows(rows: UsageRow[], metric: UsageMetric): { row: UsageRow; share: number }[] {
  const { read } = usageMetrics[metric]
  const sorted = [...rows].sort((a, b) => read(b) - read(a) || tokensOf(b) - tokensOf(a))
  const largest = sorted[0] ? read(sorted[0]) : 0
  return sorted.map((row) => ({ row, share: largest > 0 ? read(row) / largest : 0 }))
}

function tokensOf(row: UsageRow): number {
  return row.usage?.total ?? 0
}

function tokensCell(row: UsageRow): RankingRow['cells'][number] {
  if (!row.usage) return { text: '-' }
  return {
    text: formatTokens(row.usage.total),
    title: withOwn(
      `${formatCount(row.usage.total)} tokens`,
      row.own && ownWords(formatCount(row.own.usage.total)),
    ),
  }
}

function costCell(row: UsageRow): RankingRow['cells'][number] {
  return {
    text: row.cost?.usd == null ? 'unknown' : formatCost(row.cost),
    title: withOwn(describeCost(row.cost), row.own && ownWords(describeCost(row.own.cost))),
  }
}

function cachedCell(row: UsageRow): RankingRow['cells'][number] {
  if (!row.usage || row.usage.input === 0) return { text: '-' }
  return { text: formatPercent(row.usage.cached / row.usage.input) }
}

type RankingRow = {
  key: string
  name: ReactNode
  /** Ratio to the largest row, 0 to 1. */
  share: number
  failedShare?: number
  /** One text per column; `-` and `unknown` are dimmed. The last one is the main figure. */
  cells: {
    text: string
    title?: string
    tone?: 'error'
    /** A search for what it counts. */
    search?: FindSearch
  }[]
}

type RankingRowProps = {
  /** Head of the name column: `Session`. */
  name: string
  columns: string[]
  rows: RankingRow[]
  /** The query behind the rows. */
  asked: UseQueryResult<UsageReport>
  /** Link to the remaining rows. */
  more?: ReactNode
}

const FIRST_ROWS = 8
/** On a phone only the last columns fit. */
const MOST_ON_PHONE = 2

const QUIET = new Set<string>(['-', 'unknown'])

/** A ranking: name, bar, figures. */
function RankingTable({ name, columns, rows, asked, more }: RankingRowProps) {
  if (isUnanswered(asked)) return <NotLoaded asked={[asked]} />
  if (asked.data === undefined) return <div className="ranking" aria-busy="true" />
  if (rows.length === 0) return <p className="panel-body dim">Nothing recorded in this time.</p>
  return (
    <>
      <DataTable
        label={`${name}s`}
        className="data-table ranking"
        rows={rows}
        keyOf={({ key }) => key}
        pages={{ first: FIRST_ROWS, unit: name.toLowerCase() }}
        columns={[
          { name, cell: (row) => row.name },
          shareColumn<RankingRow>(({ share, failedShare }) => ({ share, failedShare })),
          ...columns.map((column, position) => figureColumn(column, position, columns.length)),
        ]}
      />
      {more}
    </>
  )
}

function figureColumn(name: string, position: number, count: number): DataColumn<RankingRow> {
  return {
    name,
    isFigure: true,
    // the last columns stay visible
    isWideOnly: position < count - MOST_ON_PHONE,
    title: ({ cells }) => cells[position]?.title,
    cellClass: ({ cells }) =>
      cells[position]?.tone ??
      (QUIET.has(cells[position]?.text ?? '') ? 'none' : position === count - 1 && 'main'),
    cell: ({ cells }) => <CellText {...cells[position]} />,
  }
}

function CellText({ text, tone, search }: Partial<RankingRow['cells'][number]>) {
  if (search === undefined) return text
  return (
    <Link to="/search" search={search} className={tone === 'error' ? 'failure-link' : undefined}>
      {text}
    </Link>
  )
}

interface ToolRankingProps {
  from: string | undefined
  projectKey: string | undefined
}

/** The most called tools, each linked to its calls. */
function ToolRanking({ from, projectKey }: ToolRankingProps) {
  const usage = useQuery(usageQuery({ by: 'tool', from, project: projectKey }))
  const tools = [...(usage.data?.rows ?? [])].sort((a, b) => b.calls - a.calls)
  const most = tools[0]?.calls ?? 0
  const rows = tools.map((row) => ({
    key: row.key,
    share: most > 0 ? row.calls / most : 0,
    failedShare: row.calls > 0 ? (row.errors ?? 0) / row.calls : 0,
    name: (
      <Link to="/search" search={{ q: callsOf(row.key, from), project: projectKey }} title={row.key}>
        {toolLabel(row.label)}
      </Link>
    ),
    cells: [
      {
        text: formatTokens(row.outputTokensEstimate ?? 0),
        title: 'Estimated: a quarter of the characters that were sent to the model',
      },
      timeCell(row),
      failedCell(row, { from, projectKey }),
      { text: formatCount(row.calls) },
    ],
  }))
  return (
    <RankingTable
      name="Tool"
      columns={['Output tokens (est.)', 'Max. time', 'Failed', 'Calls']}
      rows={rows}
      asked={usage}
    />
  )
}

/** Links to the failed calls it counts. */
function failedCell(
  { errors, key }: UsageRow,
  { from, projectKey }: ToolRankingProps,
): RankingRow['cells'][number] {
  if (!errors) return { text: '-' }
  const search = { q: `${callsOf(key, from)} is:error`, project: projectKey }
  return { text: formatCount(errors), tone: 'error', search }
}

/** Query for a tool's calls. */
function callsOf(tool: string, from: string | undefined): string {
  return from === undefined ? toolFilter(tool) : `${toolFilter(tool)} after:${from}`
}

function timeCell({ maxTimeMs = 0, timedCalls = 0, calls }: UsageRow) {
  if (timedCalls === 0) return { text: '-' }
  const coverage = timedCalls < calls ? ` Recorded of ${formatPlural(timedCalls, 'call')}.` : ''
  return {
    text: formatAtMost(maxTimeMs),
    title: `From answers to results: at most, as starts are not recorded, and with the waiting for you.${coverage}`,
  }
}
