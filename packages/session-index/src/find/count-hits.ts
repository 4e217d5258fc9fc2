import type { SearchField } from '@gemini-dash/api'
import { ROW_FLAGS } from '../rows/row-flags.ts'
import type { RowTable } from '../rows/row-table.ts'
import { SEARCH_FIELDS } from '../shard/schema.ts'
import type { StoredSession } from '../shard/shard-store.ts'
import { BestRows } from './best-rows.ts'
import type { RankedRow } from './compare-hits.ts'
import type { CallCounts } from './count-calls.ts'
import { ALL_FIELDS, fieldsOfBits, PLACE_SHIFT, type RowMasks } from './row-masks.ts'

/** One hit, small enough to be compared with those of other shards. */
export interface HitReference extends RankedRow {
  groupId: string
  row: number
  isTitle: boolean
  field: SearchField
}

/** What one shard answers to a search: all counts, and the best hits without their texts. */
export interface ShardFound {
  total: number
  messageTotal: number
  sessionHits: [sessionKey: string, hits: number][]
  fieldCounts: [field: SearchField, hits: number][]
  quarterHourCounts: [timeMs: number, hits: number][]
  /** Hits in messages with a failed call, and in those that were taken back. */
  stateCounts: { error: number; superseded: number }
  /** null: not asked for. */
  callCounts: CallCounts | null
  best: HitReference[]
}

const QUARTER_HOUR_MS = 15 * 60_000

/** Counts every hit of the rows that fulfil a query, and lists the best. A row without a wanted word is one hit, in its main field. */
export function countHits(
  masks: RowMasks,
  table: RowTable,
  session: (number: number) => StoredSession | undefined,
  { wanted, scores }: { wanted: number; scores: Float64Array | null },
): ShardFound {
  const sessionHits = new Map<number, number>()
  const fieldHits = new Array<number>(SEARCH_FIELDS.length).fill(0)
  const quarterHours = new Map<number, number>()
  let total = 0
  let messageTotal = 0
  const stateCounts = { error: 0, superseded: 0 }
  const best = new BestRows(
    wanted,
    (row): RankedRow => ({
      sessionKey: session(table.sessions[row] ?? 0)?.key ?? '',
      timeMs: table.timesMs[row] ?? 0,
      place: table.places[row] ?? 0,
      score: scores?.[row] ?? 0,
    }),
  )
  for (let row = 0; row < masks.length; row++) {
    const number = table.sessions[row] ?? 0
    if (masks[row] === 0 || number === 0) continue
    const bits = hitBits(masks, table, row)
    let hits = 0
    for (let field = 0; field < SEARCH_FIELDS.length; field++) {
      if ((bits & (1 << field)) === 0) continue
      hits += 1
      fieldHits[field] = (fieldHits[field] ?? 0) + 1
    }
    total += hits
    if (table.slots[row] !== 0) messageTotal += 1
    const flags = table.flags[row] ?? 0
    if ((flags & ROW_FLAGS.error) !== 0) stateCounts.error += hits
    if ((flags & ROW_FLAGS.superseded) !== 0) stateCounts.superseded += hits
    sessionHits.set(number, (sessionHits.get(number) ?? 0) + hits)
    const quarterHour = Math.floor((table.timesMs[row] ?? 0) / QUARTER_HOUR_MS)
    quarterHours.set(quarterHour, (quarterHours.get(quarterHour) ?? 0) + hits)
    best.offer(row, scores?.[row] ?? 0, table.timesMs[row] ?? 0)
  }
  return {
    total,
    messageTotal,
    sessionHits: [...sessionHits].map(([number, hits]) => [session(number)?.key ?? '', hits]),
    fieldCounts: SEARCH_FIELDS.map((field, index) => [field, fieldHits[index] ?? 0]),
    quarterHourCounts: [...quarterHours].map(([quarterHour, hits]) => [quarterHour * QUARTER_HOUR_MS, hits]),
    stateCounts,
    callCounts: null,
    best: best
      .inOrder()
      .flatMap(({ row, ...ranked }) =>
        fieldsOfRow(masks, table, row).map((field) => ({
          ...ranked,
          row,
          groupId: session(table.sessions[row] ?? 0)?.groupId ?? '',
          isTitle: table.slots[row] === 0,
          field,
        })),
      )
      .slice(0, wanted),
  }
}

/** How many hits a row that was found is. */
export function hitCount(masks: RowMasks, table: RowTable, row: number): number {
  let hits = 0
  for (let bits = hitBits(masks, table, row); bits !== 0; bits &= bits - 1) hits += 1
  return hits
}

/** In which fields a row that was found is a hit. */
export function fieldsOfRow(masks: RowMasks, table: RowTable, row: number): SearchField[] {
  return fieldsOfBits(hitBits(masks, table, row))
}

/** Where the words are; without any, the main field, or that of the places asked for. */
function hitBits(masks: RowMasks, table: RowTable, row: number): number {
  const mask = masks[row] ?? 0
  if ((mask & ALL_FIELDS) !== 0) return mask & ALL_FIELDS
  const main = 1 << (table.mainFields[row] ?? 0)
  const places = mask >> PLACE_SHIFT
  return places === 0 || (places & main) !== 0 ? main : places & -places
}
