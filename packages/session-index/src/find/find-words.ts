import type { IndexSearchRequest } from '../contract/index-search.ts'
import { evaluateTree } from '../evaluate/evaluate-tree.ts'
import { rankRows } from '../evaluate/rank-rows.ts'
import type { ShardStore } from '../store/shard-store.ts'
import { answerSearch } from './answer-search.ts'
import type { ShardFound } from './hits/shard-found.ts'

/** Looks the words of a query up in the index, and its filters in what is known of every row. No session is read. */
export function findWords(store: ShardStore, request: IndexSearchRequest): ShardFound {
  const { tree, sort } = request
  const conditions = store.conditions()
  return answerSearch(store, request, {
    rowsOf: (asked) => (asked === null ? new Uint32Array(0) : evaluateTree(asked, conditions)),
    scores: (masks) =>
      tree === null || sort === 'recent'
        ? null
        : rankRows(tree, masks, conditions.table, conditions.findText),
    scan: null,
  })
}
