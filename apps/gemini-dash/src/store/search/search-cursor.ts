import type { ScanPosition } from '@gemini-dash/session-index'

/** Where a page of hits begins. */
export interface SearchCursor {
  /** How many hits the pages before had. */
  offset: number
  /** Where the part of the search to which the page belongs began and ended, shard by shard; empty: where all of it does. */
  scanFrom: ScanPosition[]
  scanTo: ScanPosition[]
}

const NUMBER = /^-?[\da-z]{1,9}$/

/** `50`: behind 50 hits. `50~FROM~TO`: of a part of a search, whose ends are lists of positions in numbers of base 36. */
export function writeSearchCursor({ offset, scanFrom, scanTo }: SearchCursor): string {
  const ends = scanFrom.length + scanTo.length === 0 ? [] : [scanFrom, scanTo]
  return [offset, ...ends.map(writePositions)].join('~')
}

/** What cannot be read is the beginning. */
export function readSearchCursor(cursor = ''): SearchCursor {
  const [first = '', from = '', to = ''] = cursor.split('~')
  const offset = Number(first)
  const scanFrom = readPositions(from)
  const scanTo = readPositions(to)
  if (!Number.isSafeInteger(offset) || offset < 0 || scanFrom === null || scanTo === null)
    return { offset: 0, scanFrom: [], scanTo: [] }
  return { offset, scanFrom, scanTo }
}

function writePositions(positions: ScanPosition[]): string {
  return positions
    .map(({ timeMs, group, messages }) =>
      [timeMs, group, messages].map((each) => each.toString(36)).join('.'),
    )
    .join(',')
}

/** null: they cannot be read. */
function readPositions(text: string): ScanPosition[] | null {
  if (text === '') return []
  const positions = text.split(',').map((each) => {
    const numbers = each
      .split('.')
      .map((number) => (NUMBER.test(number) ? Number.parseInt(number, 36) : null))
    const [timeMs = null, group = null, messages = null] = numbers
    if (numbers.length !== 3 || timeMs === null || group === null || messages === null) return null
    return { timeMs, group, messages }
  })
  return positions.some((position) => position === null) ? null : (positions as ScanPosition[])
}
