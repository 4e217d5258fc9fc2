import { searchFieldSchema } from '@gemini-dash/api'
import fc from 'fast-check'
import type { IndexTree, QueryText } from '../src/query/tree.ts'
import { STATUSES, TOOLS, WORDS } from './arbitrary-session.ts'
import { naiveWords } from './naive-search.ts'

const compare = fc.constantFrom('<', '<=', '=', '>=', '>')

const words = fc
  .array(fc.constantFrom(...WORDS, 'bar', 'ts', '文', 'c', 'coffset'), { minLength: 1, maxLength: 2 })
  .map((said) => naiveWords(said.join(' ')))
  .filter((said) => said.length > 0)

const textLeaf: fc.Arbitrary<IndexTree> = fc.oneof(
  words.map((said): QueryText => ({ kind: 'text', words: said, isPrefix: false })),
  fc
    .constantFrom('al', 'be', 'beta', 'b', 'get co', '4')
    .map((said): QueryText => ({ kind: 'text', words: said.split(' '), isPrefix: true })),
)

const filterLeaf: fc.Arbitrary<IndexTree> = fc.oneof(
  fc.constantFrom('error', 'superseded').map((what): IndexTree => ({ kind: 'is', what })),
  fc.constant<IndexTree>({ kind: 'unanswered' }),
  fc.constantFrom('diff', 'image', 'thoughts').map((what): IndexTree => ({ kind: 'has', what })),
  fc
    .uniqueArray(fc.constantFrom(...searchFieldSchema.options), { minLength: 1, maxLength: 3 })
    .map((fields): IndexTree => ({ kind: 'in', fields })),
  fc
    .tuple(fc.subarray([...TOOLS, 'no_such_tool']), fc.boolean())
    .map(([names, isFailed]): IndexTree => ({ kind: 'tools', names, ...(isFailed && { isFailed }) })),
  fc.constantFrom(...STATUSES).map((status): IndexTree => ({ kind: 'status', status })),
  fc
    .constantFrom('a.ts', 'src/*.ts', '*.md', 'SRC/a.ts', 'b.ts')
    .map((pattern): IndexTree => ({ kind: 'file', pattern })),
  fc
    .tuple(fc.constantFrom('tokens', 'cost'), compare, fc.constantFrom(10, 1_000, 0.001, 0.125))
    .map(([kind, sign, value]): IndexTree => ({ kind, compare: sign, value })),
  fc
    .tuple(fc.constantFrom('before', 'after'), fc.nat(60))
    .map(([kind, minute]): IndexTree => ({ kind, timeMs: Date.UTC(2026, 2, 1, 10, minute) })),
  fc.subarray(['s0', 's1', 's2']).map((keys): IndexTree => ({ kind: 'sessions', keys })),
)

function treeOf(leaf: fc.Arbitrary<IndexTree>): fc.Arbitrary<IndexTree> {
  return fc.letrec<{ tree: IndexTree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((of): IndexTree => ({ kind: 'and', of })),
      fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((of): IndexTree => ({ kind: 'or', of })),
      tie('tree').map((of): IndexTree => ({ kind: 'not', of })),
    ),
  })).tree
}

/** Queries of every kind. */
export const arbitraryTree = treeOf(fc.oneof(textLeaf, filterLeaf))
/** Without words, as used with a pattern. */
export const arbitraryFilters = treeOf(filterLeaf)
