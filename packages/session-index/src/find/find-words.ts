import type { IndexSearchRequest } from '../index-search.ts'
import type { ShardStore } from '../shard/shard-store.ts'
import { countCalls } from './count-calls.ts'
import { countHits, type ShardFound } from './count-hits.ts'
import { evaluateTree } from './evaluate-tree.ts'
import { rankRows } from './rank-rows.ts'

/** Looks the words of a query up in the index, and its filters in what is known of every row. No session is read. */
export function findWords(store: ShardStore, request: IndexSearchRequest): ShardFound {
  const { tree, sort, offset, limit } = request
  const conditions = store.conditions()
  const { table } = conditions
  const masks = tree === null ? new Uint32Array(0) : evaluateTree(tree, conditions)
  const scores = tree === null || sort === 'recent' ? null : rankRows(tree, masks, table, conditions.findText)
  const found = countHits(masks, table, (number) => store.session(number), { wanted: offset + limit, scores })
  return request.countsCalls === true
    ? { ...found, callCounts: countCalls(masks, table, (kind) => store.calls(kind)) }
    : found
}
