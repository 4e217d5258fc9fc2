import type { RowTable } from '../rows/row-table.ts'
import type { SessionCalls } from '../rows/session-calls.ts'
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
  calls: Iterable<[sessionNumber: number, calls: SessionCalls]>,
): CallCounts {
  const tools = new Map<string, number>()
  const statuses = new Map<string, number>()
  for (const [number, { names, calls: its }] of calls) {
    const rows = table.rowsOf(number)
    let lastSlot = -1
    const counted = new Set<string>()
    const add = (counts: Map<string, number>, kind: string, index: number | undefined, hits: number) => {
      const name = names[index ?? -1] ?? ''
      if (counted.has(kind + name)) return
      counted.add(kind + name)
      counts.set(name, (counts.get(name) ?? 0) + hits)
    }
    for (const [slot = 0, tool, status] of its) {
      const row = rows[slot] ?? -1
      if (row < 0 || !masks[row]) continue
      if (slot !== lastSlot) counted.clear()
      lastSlot = slot
      const hits = hitCount(masks, table, row)
      add(tools, 'tool ', tool, hits)
      add(statuses, 'status ', status, hits)
    }
  }
  return { tools: [...tools], statuses: [...statuses] }
}
