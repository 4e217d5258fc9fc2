export type Cell = string | number | null | undefined

/** Lines of cells according to RFC 4180. */
export function toCsv(lines: readonly (readonly Cell[])[]): string {
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
