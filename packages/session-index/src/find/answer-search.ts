import type { IndexSearchRequest } from '../contract/index-search.ts'
import type { IndexTree } from '../query/tree/query-tree.ts'
import type { ShardStore } from '../shard/store/shard-store.ts'
import { bestHits } from './hits/best-hits.ts'
import { countCalls } from './hits/count-calls.ts'
import { countHits } from './hits/count-hits.ts'
import type { ScanProgress, ShardCounts, ShardFound } from './hits/shard-found.ts'
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
