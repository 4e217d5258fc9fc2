import { ROW_FLAGS } from '../../rows/row-flags.ts'
import type { RowTable } from '../../rows/row-table.ts'
import { SEARCH_FIELDS } from '../../shard/database/schema.ts'
import { ALL_FIELDS, type RowMasks } from '../rows/row-masks.ts'
import { hitBits, hitCount } from './hit-fields.ts'
import type { HitsBy, ShardCounts } from './shard-found.ts'

const QUARTER_HOUR_MS = 15 * 60_000

/** Counts every hit of the rows that fulfil a query. A row without a wanted word is one hit, in its main field. */
export function countHits(
  masks: RowMasks,
  table: RowTable,
  sessionKey: (sessionNumber: number) => string,
): Omit<ShardCounts, 'callCounts'> {
  const rowsByBits = new Array<number>(ALL_FIELDS + 1).fill(0)
  const sessions = new RunCounts()
  const unanswered = new RunCounts()
  const quarterHours = new RunCounts()
  const stateCounts = { error: 0, superseded: 0 }
  let total = 0
  let messageTotal = 0
  for (let row = 0; row < masks.length; row++) {
    const session = table.sessions[row] ?? 0
    if (masks[row] === 0 || session === 0) continue
    const bits = hitBits(masks, table, row)
    const hits = hitCount(masks, table, row)
    rowsByBits[bits] = (rowsByBits[bits] ?? 0) + 1
    total += hits
    if (table.slots[row] !== 0) messageTotal += 1
    const flags = table.flags[row] ?? 0
    if ((flags & ROW_FLAGS.error) !== 0) stateCounts.error += hits
    if ((flags & ROW_FLAGS.superseded) !== 0) stateCounts.superseded += hits
    if ((flags & ROW_FLAGS.unanswered) !== 0) unanswered.add(session, hits)
    sessions.add(session, hits)
    quarterHours.add(Math.floor((table.timesMs[row] ?? 0) / QUARTER_HOUR_MS), hits)
  }
  return {
    total,
    messageTotal,
    bySession: sessions.by(sessionKey),
    byField: fieldHits(rowsByBits),
    byQuarterHour: quarterHours.by((quarterHour) => quarterHour * QUARTER_HOUR_MS),
    stateCounts,
    unansweredBySession: unanswered.by(sessionKey),
  }
}

function fieldHits(rowsByBits: number[]): HitsBy<(typeof SEARCH_FIELDS)[number]> {
  const hits = SEARCH_FIELDS.map((_, field) =>
    rowsByBits.reduce((sum, rows, bits) => sum + ((bits >> field) & 1) * rows, 0),
  )
  return { keys: [...SEARCH_FIELDS], hits }
}

/** Adds up by number. Cheap where equal numbers follow each other, as those of a session's rows do. */
class RunCounts {
  readonly #sums = new Map<number, number>()
  #current = Number.NaN
  #sum = 0

  add(number: number, count: number): void {
    if (number !== this.#current) {
      this.#keep()
      this.#current = number
      this.#sum = 0
    }
    this.#sum += count
  }

  by<Key>(keyOf: (number: number) => Key): HitsBy<Key> {
    this.#keep()
    this.#sum = 0
    return { keys: [...this.#sums.keys()].map(keyOf), hits: [...this.#sums.values()] }
  }

  #keep(): void {
    if (this.#sum > 0) this.#sums.set(this.#current, (this.#sums.get(this.#current) ?? 0) + this.#sum)
  }
}
