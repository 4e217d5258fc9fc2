import { displayWidth, fitWidth, padWidth } from './display-width.ts'
import { escapeLine } from './escape-controls.ts'

export interface Column<Row> {
  title: string
  text: (row: Row) => string
  align?: 'right'
  /** Gives way when the table is wider than the terminal; at least ten columns stay. */
  isFlexible?: boolean
}

const GAP = '  '
const MIN_FLEXIBLE_WIDTH = 10

/** Lines with aligned columns. `maxWidth` null: as wide as it gets, for pipes. */
export function printTable<Row>(columns: Column<Row>[], rows: Row[], maxWidth: number | null): string {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ text }) => escapeLine(text(row)))),
  ]
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => displayWidth(line[at] ?? ''))))
  shrink(columns, widths, maxWidth)

  const lines = cells.map((line) => {
    const padded = line.map((cell, at) => {
      const width = widths[at] ?? 0
      return padWidth(fitWidth(cell, width), width, columns[at]?.align === 'right' ? 'left' : 'right')
    })
    return padded.join(GAP).trimEnd()
  })
  return `${lines.join('\n')}\n`
}

function shrink<Row>(columns: Column<Row>[], widths: number[], maxWidth: number | null): void {
  if (maxWidth === null) return
  const total = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (columns.length - 1)
  let excess = total - maxWidth
  for (const [at, column] of columns.entries()) {
    const width = widths[at] ?? 0
    if (excess <= 0 || !column.isFlexible) continue
    const narrower = Math.max(Math.min(width, MIN_FLEXIBLE_WIDTH), width - excess)
    excess -= width - narrower
    widths[at] = narrower
  }
}
