import type { QueryTree } from './query-tree.ts'

/** Everything that is asked, at once or one of it, in the simplest form; null: nothing is. */
export function joinTrees(kind: 'and' | 'or', trees: QueryTree[]): QueryTree | null {
  const flat = trees.flatMap((tree) => (tree.kind === kind ? tree.of : [tree]))
  const different = [...new Map(flat.map((tree) => [JSON.stringify(tree), tree])).values()]
  const [only] = different
  if (only === undefined) return null
  return different.length === 1 ? only : { kind, of: different }
}

export function negateTree(tree: QueryTree): QueryTree {
  return tree.kind === 'not' ? tree.of : { kind: 'not', of: tree }
}
