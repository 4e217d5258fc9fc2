import type { Terminal } from '../terminal/terminal.ts'
import { displayWidth, fitWidth, padWidth } from './display-width.ts'
import { escapeLine } from './escape-controls.ts'

export interface TableColumn<Row> {
  title: string
  text: (row: Row) => string
  align?: 'right'
  /** Gives way when the table is wider than the terminal; at least ten columns stay. */
  isFlexible?: boolean
  /** Left out where that is not enough, those with 1 first. */
  leaves?: number
}

const GAP = '  '
const MIN_FLEXIBLE_WIDTH = 10

/**
 * Writes rows as a terminal can show them: as a table that fits, without padding where nobody looks, and on demand with
 * tabs between the fields and no line of titles.
 */
export async function writeTable<Row>(
  terminal: Terminal,
  columns: TableColumn<Row>[],
  rows: Row[],
  isPlain: boolean,
): Promise<void> {
  const { columns: width } = terminal
  if (isPlain) return terminal.write(joinLines(cellsOf(columns, rows), '\t'))
  if (width === null) return terminal.write(joinLines(withTitles(columns, rows), GAP))
  const fitting = columnsThatFit(columns, rows, width)
  await terminal.write(printTable(fitting, rows, width))
  const leftOut = columns.filter((column) => !fitting.includes(column)).map(({ title }) => title)
  if (leftOut.length > 0)
    terminal.note(`Left out for want of width: ${leftOut.join(', ')}. All of it: --plain or --json.`)
}

/** Lines with aligned columns, flexible ones as narrow as the width demands. */
export function printTable<Row>(columns: TableColumn<Row>[], rows: Row[], maxWidth: number): string {
  const cells = withTitles(columns, rows)
  const widths = widthsOf(cells)
  shrink(columns, widths, maxWidth)
  const lines = cells.map((line) =>
    line.map((cell, at) => {
      const width = widths[at] ?? 0
      return padWidth(fitWidth(cell, width), width, columns[at]?.align === 'right' ? 'left' : 'right')
    }),
  )
  return joinLines(lines, GAP)
}

function joinLines(lines: string[][], gap: string): string {
  return lines.map((line) => `${line.join(gap).trimEnd()}\n`).join('')
}

function withTitles<Row>(columns: TableColumn<Row>[], rows: Row[]): string[][] {
  return [columns.map(({ title }) => title), ...cellsOf(columns, rows)]
}

function cellsOf<Row>(columns: TableColumn<Row>[], rows: Row[]): string[][] {
  return rows.map((row) => columns.map(({ text }) => escapeLine(text(row)).replaceAll('\t', ' ')))
}

function widthsOf(cells: string[][]): number[] {
  const [titles = []] = cells
  return titles.map((_, at) => Math.max(...cells.map((line) => displayWidth(line[at] ?? ''))))
}

function columnsThatFit<Row>(columns: TableColumn<Row>[], rows: Row[], maxWidth: number): TableColumn<Row>[] {
  let fitting = columns
  for (const { leaves } of columns
    .filter((column) => column.leaves !== undefined)
    .toSorted((a, b) => (a.leaves ?? 0) - (b.leaves ?? 0))) {
    const widths = widthsOf(withTitles(fitting, rows))
    if (shrink(fitting, widths, maxWidth) <= 0) return fitting
    fitting = fitting.filter((column) => column.leaves !== leaves)
  }
  return fitting
}

/** Makes `widths` narrower. Returns by how much the table is too wide all the same. */
function shrink<Row>(columns: TableColumn<Row>[], widths: number[], maxWidth: number): number {
  const total = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (columns.length - 1)
  let excess = total - maxWidth
  for (const [at, column] of columns.entries()) {
    const width = widths[at] ?? 0
    if (excess <= 0 || !column.isFlexible) continue
    const narrower = Math.max(Math.min(width, MIN_FLEXIBLE_WIDTH), width - excess)
    excess -= width - narrower
    widths[at] = narrower
  }
  return excess
}
