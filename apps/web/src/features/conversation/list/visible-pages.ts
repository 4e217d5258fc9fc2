import type { Fold, Row } from '../rows/row.ts'
import { pageOf } from './page-size.ts'

/** Rows beyond the window whose page is fetched ahead, and how many more in the direction of the scrolling. */
const BESIDE_ROWS = 20
const AHEAD_ROWS = 80

/** Pages of the rows in sight and of those about to be; what is in sight first. `direction`: of the scrolling, if any. */
export function visiblePages(
  rows: readonly Row[],
  { startIndex, endIndex }: { startIndex: number; endIndex: number },
  direction: 'forward' | 'backward' | null,
): number[] {
  const pages = new Set<number>()
  addPages(pages, rows, startIndex, endIndex)
  addPages(pages, rows, startIndex - (direction === 'backward' ? AHEAD_ROWS : BESIDE_ROWS), startIndex)
  addPages(pages, rows, endIndex, endIndex + (direction === 'forward' ? AHEAD_ROWS : BESIDE_ROWS))
  return [...pages]
}

function addPages(pages: Set<number>, rows: readonly Row[], from: number, to: number): void {
  for (let index = Math.max(from, 0); index <= Math.min(to, rows.length - 1); index += 1) {
    const row = rows[index]
    if (row?.kind === 'fold') for (const at of placesOf(row.fold)) pages.add(pageOf(at))
    else if (row !== undefined) pages.add(pageOf(row.at))
  }
}

/** Of a branch its beginning is enough, where a seam may stand above it: what it shows has rows of its own. */
function placesOf({ branch, at, messages }: Fold): number[] {
  return branch === null ? messages.map((message) => message.at) : [at]
}
