import type { IndexSearchRequest } from '../contract/index-search.ts'
import type { IndexTree } from '../query/tree/query-tree.ts'
import type { NameTable } from '../rows/name-table.ts'
import type { RowTable } from '../rows/row-table.ts'
import type { CallKind } from '../rows/session-calls.ts'
import type { ShardStore } from '../shard/store/shard-store.ts'
import { BestRows } from './hits/best-rows.ts'
import type { RankedRow } from './hits/compare-hits.ts'
import { countHits } from './hits/count-hits.ts'
import { fieldsOfRow, hitCount } from './hits/hit-fields.ts'
import type { CallCounts, HitReference, ScanProgress, ShardCounts, ShardFound } from './hits/shard-found.ts'
import type { RowMasks } from './rows/row-masks.ts'

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
