import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect } from 'react'
import { pageOf } from '../feed/page-size.ts'
import type { Fold, Row } from '../rows/row.ts'

/** Messages beyond the window whose page is fetched ahead, and how many more in the direction of the scrolling. */
const BESIDE = 20
const AHEAD = 80

interface Sight {
  virtualizer: Virtualizer<Window, HTMLDivElement>
  rows: readonly Row[]
  want: (pages: readonly number[]) => void
  /** Where the reader is about to be; null: nowhere else. */
  also: readonly [number | null, number | null]
}

/** Asks for the pages of what is in sight, and of where the reader is going. */
export function useWantedPages({ virtualizer, rows, want, also: [one, other] }: Sight): void {
  const range = virtualizer.range
  const direction = virtualizer.scrollDirection
  useEffect(() => {
    const seen = range === null ? [0] : visiblePages(rows, range, direction)
    want([...new Set([...seen, ...[one, other].filter((page) => page !== null)])])
  }, [rows, range, direction, one, other, want])
}

/** Pages of the rows in sight and of those about to be; what is in sight first. `direction`: of the scrolling, if any. */
export function visiblePages(
  rows: readonly Row[],
  { startIndex, endIndex }: { startIndex: number; endIndex: number },
  direction: 'forward' | 'backward' | null,
): number[] {
  const pages = new Set<number>()
  for (let index = startIndex; index <= endIndex; index += 1) addPages(pages, rows[index])
  addBeyond(pages, rows, startIndex - 1, -1, direction === 'backward' ? AHEAD : BESIDE)
  addBeyond(pages, rows, endIndex + 1, 1, direction === 'forward' ? AHEAD : BESIDE)
  return [...pages]
}

/** One row of what is not loaded is a whole page of messages. */
function addBeyond(pages: Set<number>, rows: readonly Row[], from: number, by: 1 | -1, most: number): void {
  let left = most
  for (let index = from; left > 0 && index >= 0 && index < rows.length; index += by) {
    const row = rows[index]
    addPages(pages, row)
    left -= row?.kind === 'unloaded' ? row.count : 1
  }
}

function addPages(pages: Set<number>, row: Row | undefined): void {
  if (row?.kind === 'fold') for (const at of placesOf(row.fold)) pages.add(pageOf(at))
  else if (row !== undefined) pages.add(pageOf(row.at))
}

/** Of a branch its beginning is enough, where a seam may stand above it: what it shows has rows of its own. */
function placesOf({ branch, at, messages }: Fold): number[] {
  return branch === null ? messages.map((message) => message.at) : [at]
}
