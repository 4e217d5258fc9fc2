import { foldKeys } from '../rows/fold-keys.ts'
import type { Row } from '../rows/row.ts'

export type RowPlace =
  | { kind: 'row'; index: number }
  /** Inside a closed fold that has to be opened first. */
  | { kind: 'folded'; messageKeys: string[] }
  | { kind: 'missing' }

/** Where a message is drawn. One that is not drawn itself (a tool's result) is shown by the row before it. */
export function findRow(rows: readonly Row[], messageKey: string, at: number | null): RowPlace {
  let before = -1
  for (const [index, row] of rows.entries()) {
    if (row.kind === 'message') {
      if (row.key === messageKey) return { kind: 'row', index }
      if (at !== null && row.at <= at) before = index
    }
    if (row.kind === 'fold' && row.fold.messages.some(({ message }) => message.key === messageKey)) {
      if (!row.fold.isOpen) return { kind: 'folded', messageKeys: foldKeys(row.fold) }
      before = index
    }
  }
  return before === -1 ? { kind: 'missing' } : { kind: 'row', index: before }
}
