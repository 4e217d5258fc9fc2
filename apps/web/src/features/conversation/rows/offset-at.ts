import type { VirtualItem } from '@tanstack/react-virtual'
import type { Row } from './row.ts'

/** Place of the message at a height of the document, in px; within a page that is on its way, by its share. */
export function offsetAt(rows: readonly Row[], item: VirtualItem | undefined, height: number): number {
  const row = rows[item?.index ?? 0]
  if (row === undefined) return 0
  if (row.kind !== 'unloaded' || item === undefined || item.size === 0) return firstOffsetOf(row)
  const share = Math.min(Math.max((height - item.start) / item.size, 0), 1)
  return row.offset + Math.floor(share * (row.count - 1))
}

/** Place of the first message that a row shows, or folds away. */
export function firstOffsetOf(row: Row): number {
  return row.kind === 'fold'
    ? (row.fold.branch?.firstOffset ?? row.fold.messages[0]?.offset ?? 0)
    : row.offset
}
