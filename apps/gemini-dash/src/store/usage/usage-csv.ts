import type { UsageQuery, UsageReport, UsageRow } from '@gemini-dash/api'
import { isPeriod } from '../times.ts'

type Cell = string | number | null | undefined
type Part = Pick<UsageRow, 'usage' | 'cost' | 'sessions'>

/** The rows of a report as RFC 4180 lines, with one line per part of a day, week or month if a split was requested. */
export function usageCsv(
  report: Pick<UsageReport, 'rows' | 'total'>,
  { by, split }: Pick<UsageQuery, 'by' | 'split'>,
): string {
  const lines =
    by === 'tool'
      ? toolLines(report.rows)
      : isPeriod(by) && split !== undefined
        ? splitLines(report.rows, by, split)
        : plainLines(report.rows, by)
  return toCsv(lines)
}

const FIGURES = [
  'sessions',
  'calls',
  'calls_without_tokens',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'thoughts_tokens',
  'tool_tokens',
  'total_tokens',
  'cost_usd',
  'calls_without_price',
]

function figuresOf({ usage, cost, sessions }: Part): Cell[] {
  return [
    sessions,
    usage?.calls,
    usage?.callsWithoutTokens,
    usage?.input,
    usage?.cached,
    usage?.output,
    usage?.thoughts,
    usage?.tool,
    usage?.total,
    cost?.usd,
    cost?.unpricedCalls,
  ]
}

/** Projects and sessions have a name besides their API key. */
function plainLines(rows: UsageRow[], by: Exclude<UsageQuery['by'], 'tool'>): Cell[][] {
  const isNamed = by === 'project' || by === 'session'
  const head = [...(isNamed ? [by, 'key'] : [by.replaceAll('-', '_')]), ...FIGURES]
  return [head, ...rows.map((row) => [...(isNamed ? [row.label, row.key] : [row.key]), ...figuresOf(row)])]
}

function splitLines(
  rows: UsageRow[],
  by: UsageQuery['by'],
  split: NonNullable<UsageQuery['split']>,
): Cell[][] {
  const partsOf = ({ models, projects }: UsageRow) => (split === 'model' ? models : projects) ?? []
  return [
    [by, split, ...FIGURES],
    ...rows.flatMap((row) => partsOf(row).map((part) => [row.key, part.name, ...figuresOf(part)])),
  ]
}

function toolLines(rows: UsageRow[]): Cell[][] {
  return [
    ['tool', 'sessions', 'calls', 'failed_calls', 'output_tokens_estimate', 'max_time_ms', 'timed_calls'],
    ...rows.map((row) => [
      row.key,
      row.sessions,
      row.calls,
      row.errors,
      row.outputTokensEstimate,
      row.maxTimeMs,
      row.timedCalls,
    ]),
  ]
}

/** Lines of cells according to RFC 4180. */
function toCsv(lines: readonly (readonly Cell[])[]): string {
  return lines.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')
}

/** A missing value is empty, never 0. */
function toCell(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  const text = disarm(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Titles and names come from anywhere: a spreadsheet would execute one that begins like a formula. */
function disarm(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}
