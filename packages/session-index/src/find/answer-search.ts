import type { IndexSearchRequest } from '../contract/index-search.ts'
import { SEARCH_FIELDS } from '../database/schema.ts'
import { ALL_FIELDS, type RowMasks } from '../evaluate/row-masks.ts'
import type { IndexTree } from '../query/tree/query-tree.ts'
import type { NameTable } from '../rows/name-table.ts'
import { ROW_FLAGS } from '../rows/row-flags.ts'
import type { RowTable } from '../rows/row-table.ts'
import type { CallKind } from '../rows/session-calls.ts'
import type { ShardStore } from '../store/shard-store.ts'
import { BestRows } from './hits/best-rows.ts'
import type { RankedRow } from './hits/compare-hits.ts'
import { fieldsOfRow, hitBits, hitCount } from './hits/hit-fields.ts'
import type {
  CallCounts,
  HitReference,
  HitsBy,
  ScanProgress,
  ShardCounts,
  ShardFound,
} from './hits/shard-found.ts'

const QUARTER_HOUR_MS = 15 * 60_000

/** What knows which rows a tree holds of, and how well they fit. */
export interface RowFinder {
  rowsOf(tree: IndexTree | null): RowMasks
  /** null: nothing is scored. */
  scores(masks: RowMasks): Float64Array | null
  scan: ScanProgress | null
}

/** The answer of a shard, whoever finds the rows: counts, those of the other trees, and the best hits. */
export function answerSearch(
  store: ShardStore,
  { tree, alsoCount = [], countsCalls, offset, limit }: IndexSearchRequest,
  { rowsOf, scores, scan }: RowFinder,
): ShardFound {
  const { table } = store
  const count = (masks: RowMasks): ShardCounts => ({
    ...countHits(masks, table, (number) => store.session(number)?.key ?? ''),
    callCounts: countsCalls === true ? countCalls(masks, table, (kind) => store.calls(kind)) : null,
  })
  const masks = rowsOf(tree)
  return {
    ...count(masks),
    best: bestHits(masks, store, offset + limit, scores(masks)),
    alsoCounted: alsoCount.map((other) => count(rowsOf(other))),
    scan,
  }
}

/** What the calls of the found messages were: a message counts once for each tool and each state. */
function countCalls(masks: RowMasks, table: RowTable, calls: (kind: CallKind) => NameTable): CallCounts {
  const hitsOf = (row: number) => (masks[row] ? hitCount(masks, table, row) : 0)
  return { byTool: calls('tool').sums(hitsOf), byStatus: calls('status').sums(hitsOf) }
}

/** The first so many hits: those with the best scores, the newest where nothing is scored. */
function bestHits(
  masks: RowMasks,
  store: ShardStore,
  wanted: number,
  scores: Float64Array | null,
): HitReference[] {
  if (wanted === 0) return []
  const { table } = store
  const sessionOf = (row: number) => store.session(table.sessions[row] ?? 0)
  const best = new BestRows(
    wanted,
    (row): RankedRow => ({
      sessionKey: sessionOf(row)?.key ?? '',
      groupId: sessionOf(row)?.groupId ?? '',
      timeMs: table.timesMs[row] ?? 0,
      place: table.places[row] ?? 0,
      score: scores?.[row] ?? 0,
    }),
  )
  for (let row = 0; row < masks.length; row++) {
    if (masks[row] === 0 || table.sessions[row] === 0) continue
    best.offer(row, scores?.[row] ?? 0, table.timesMs[row] ?? 0)
  }
  return best
    .inOrder()
    .flatMap(({ row, ...ranked }) =>
      fieldsOfRow(masks, table, row).map((field) => ({
        ...ranked,
        row,
        isTitle: table.slots[row] === 0,
        field,
      })),
    )
    .slice(0, wanted)
}

/** Counts every hit of the rows that fulfil a query. A row without a wanted word is one hit, in its main field. */
function countHits(
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
