import { joinTrees, negateTree } from '../tree/join-trees.ts'
import type { ParsedQuery, QueryTree, WrittenFilter } from '../tree/query-tree.ts'
import type { DateContext } from './read-date.ts'
import { readFieldValue } from './read-field-value.ts'
import { isQueryField, readFilter } from './read-filter.ts'

const WORD = /\S+/g

/** Takes the filters out of a query; what is left is a pattern, exactly as it was typed. */
export function cutFilters(query: string, context: DateContext): ParsedQuery {
  const trees: QueryTree[] = []
  const filters: WrittenFilter[] = []
  const notes = new Set<string>()
  let text = ''
  let at = 0
  WORD.lastIndex = 0
  for (let word = WORD.exec(query); word !== null; word = WORD.exec(query)) {
    const written = readFieldValue(query, word.index)
    if (written === null || !isQueryField(written.field)) continue
    const { field, values, isNegated, end } = written
    const read = readFilter(field, values, context)
    if (read === undefined) continue
    if ('problem' in read) {
      notes.add(`“${query.slice(word.index, end)}” was searched for literally: ${read.problem}.`)
      continue
    }
    trees.push(isNegated ? negateTree(read.tree) : read.tree)
    filters.push({ field, value: values.join(','), isNegated, start: word.index, end })
    text = join(text, query.slice(at, word.index))
    at = end
    WORD.lastIndex = end
  }
  text = filters.length === 0 ? query : join(text, query.slice(at))
  return { tree: joinTrees('and', trees), filters, text, notes: [...notes] }
}

/** Two pieces between which a filter stood. */
function join(before: string, after: string): string {
  if (before.trim() === '') return after.trimStart()
  const rest = after.trim()
  return rest === '' ? before.trimEnd() : `${before.trimEnd()} ${rest}`
}
