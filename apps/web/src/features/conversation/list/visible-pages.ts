import type { Row } from '../rows/row.ts'
import { pageOf } from './page-size.ts'

/** Rows beyond the window whose page is fetched ahead. */
const AHEAD_ROWS = 20

/** Pages of the rows in sight and of those about to be. */
export function visiblePages(rows: readonly Row[], startIndex: number, endIndex: number): number[] {
  const pages = new Set<number>()
  const first = Math.max(startIndex - AHEAD_ROWS, 0)
  const last = Math.min(endIndex + AHEAD_ROWS, rows.length - 1)
  for (let index = first; index <= last; index += 1) {
    const row = rows[index]
    if (row?.kind === 'fold') for (const { offset } of row.fold.messages) pages.add(pageOf(offset))
    else if (row !== undefined) pages.add(pageOf(row.offset))
  }
  return [...pages].sort((one, other) => one - other)
}
