import type { NameTable } from '../rows/name-table.ts'
import type { RowTable } from '../rows/row-table.ts'
import type { CallKind } from '../rows/session-calls.ts'
import { hitCount } from './count-hits.ts'
import type { RowMasks } from './row-masks.ts'

export interface CallCounts {
  /** Hits of the messages that called the tool. */
  tools: [name: string, hits: number][]
  /** Hits of the messages with a call that ended so. */
  statuses: [status: string, hits: number][]
}

/** What the calls of the found messages were: a message counts once for each tool and each state. */
export function countCalls(
  masks: RowMasks,
  table: RowTable,
  calls: (kind: CallKind) => NameTable,
): CallCounts {
  const hitsOf = (row: number) => (masks[row] ? hitCount(masks, table, row) : 0)
  return { tools: calls('tool').sums(hitsOf), statuses: calls('status').sums(hitsOf) }
}
