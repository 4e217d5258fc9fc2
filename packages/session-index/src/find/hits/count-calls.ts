import type { NameTable } from '../../rows/name-table.ts'
import type { RowTable } from '../../rows/row-table.ts'
import type { CallKind } from '../../rows/session-calls.ts'
import type { RowMasks } from '../rows/row-masks.ts'
import { hitCount } from './hit-fields.ts'
import type { CallCounts } from './shard-found.ts'

/** What the calls of the found messages were: a message counts once for each tool and each state. */
export function countCalls(
  masks: RowMasks,
  table: RowTable,
  calls: (kind: CallKind) => NameTable,
): CallCounts {
  const hitsOf = (row: number) => (masks[row] ? hitCount(masks, table, row) : 0)
  return { byTool: calls('tool').sums(hitsOf), byStatus: calls('status').sums(hitsOf) }
}
