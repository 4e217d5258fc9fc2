export type Cell = string | number | null | undefined

/** Lines of cells as RFC 4180 has them. */
export function toCsv(lines: readonly (readonly Cell[])[]): string {
  return lines.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')
}

/** Nothing recorded is empty, never 0. */
function toCell(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  const text = disarm(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Titles and names come from anywhere: a spreadsheet would run one that begins like a formula. */
function disarm(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}
