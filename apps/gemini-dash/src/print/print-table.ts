import type { Terminal } from '../terminal/cli-error.ts'
import { escapeLine } from './escape-controls.ts'
import { createPaint, cutApart, displayWidth, padWidth, type Tone } from './paint.ts'

/** The content of a column, and its title. */
interface ColumnText<Row> {
  title: string
  text: (row: Row) => string
}

export interface TableColumn<Row> extends ColumnText<Row> {
  align?: 'right'
  tone?: (row: Row) => Tone | null
  /** Shrinks when the table is wider than the terminal, down to this many columns. */
  narrowsTo?: number
  /** Replaces the text if shrinking is not enough. */
  short?: ColumnText<Row>
  /** Left out if that is not enough either, lowest number first; columns with the same number together. */
  leaves?: number
}

const GAP = '  '

/**
 * Writes rows as a table that fits the terminal, or without padding if the output is not one. Resolves with the titles of columns that did
 * not fit.
 */
export async function writeTable<Row>(
  terminal: Terminal,
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
): Promise<string[]> {
  const { columns: width, isColorful } = terminal
  if (width === null) {
    await terminal.write(joinLines(withTitles(columns, rows), GAP))
    return []
  }
  const fitting = columnsThatFit(columns, rows, width)
  await terminal.write(printTable(fitting, rows, width, isColorful))
  return columns
    .filter(
      ({ title, short }) => !fitting.some((each) => each.title === title || each.title === short?.title),
    )
    .map(({ title }) => title)
}

/** One line per row with tabs between fields and no titles, for programs. */
export function plainTable<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string {
  return joinLines(cellsOf(columns, rows), '\t')
}

/** Lines with aligned columns, shrunk as far as the width requires. */
export function printTable<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  maxWidth: number,
  isColorful = false,
): string {
  const paint = createPaint(isColorful)
  const cells = withTitles(columns, rows)
  const widths = widthsOf(cells)
  shrink(columns, widths, maxWidth)
  const cut = columns.map((_, at) =>
    cutApart(
      cells.map((line) => line[at] ?? ''),
      widths[at] ?? 0,
    ),
  )
  const lines = cells.map((_, line) =>
    columns.map(({ align, tone }, at) => {
      const cell = cut[at]?.[line] ?? ''
      const padded = padWidth(cell, widths[at] ?? 0, align === 'right' ? 'left' : 'right')
      const row = line === 0 ? undefined : rows[line - 1]
      const painted = row === undefined ? null : (tone?.(row) ?? null)
      return painted === null || cell === '' ? padded : padded.replace(cell, () => paint[painted](cell))
    }),
  )
  return joinLines(lines, GAP)
}

function joinLines(lines: string[][], gap: string): string {
  return lines.map((line) => `${line.join(gap).trimEnd()}\n`).join('')
}

function withTitles<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string[][] {
  return [columns.map(({ title }) => title), ...cellsOf(columns, rows)]
}

function cellsOf<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string[][] {
  return rows.map((row) => columns.map(({ text }) => escapeLine(text(row)).replaceAll('\t', ' ')))
}

function widthsOf(cells: string[][]): number[] {
  const [titles = []] = cells
  return titles.map((_, at) => Math.max(...cells.map((line) => displayWidth(line[at] ?? ''))))
}

function columnsThatFit<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  maxWidth: number,
): TableColumn<Row>[] {
  const isTooWide = (tried: TableColumn<Row>[]) =>
    shrink(tried, widthsOf(withTitles(tried, rows)), maxWidth) > 0
  let fitting = [...columns]
  if (isTooWide(fitting)) fitting = fitting.map((column) => ({ ...column, ...column.short }))
  const steps = [...new Set(columns.flatMap(({ leaves }) => leaves ?? []))].toSorted((a, b) => a - b)
  for (const step of steps) {
    if (!isTooWide(fitting)) break
    fitting = fitting.filter(({ leaves }) => leaves !== step)
  }
  return fitting
}

/** Makes `widths` narrower. Returns by how much the table is still too wide. */
function shrink<Row>(columns: readonly TableColumn<Row>[], widths: number[], maxWidth: number): number {
  const total = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (columns.length - 1)
  let excess = total - maxWidth
  for (const [at, { narrowsTo }] of columns.entries()) {
    const width = widths[at] ?? 0
    if (excess <= 0 || narrowsTo === undefined) continue
    const narrower = Math.max(Math.min(width, narrowsTo), width - excess)
    excess -= width - narrower
    widths[at] = narrower
  }
  return excess
}
