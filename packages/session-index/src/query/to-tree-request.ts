import type { IndexSearchRequest, TextSearchRequest } from '../index-search.ts'
import { parseWords } from '../match/parse-words.ts'
import type { IndexTree } from './query-tree.ts'

/** A request of words and separate filters as a tree. */
export function toTreeRequest(request: TextSearchRequest): { request: IndexSearchRequest; notes: string[] } {
  const { mode, sort, limit, offset, text } = request
  const filters = filtersOf(request)
  if (mode !== 'words') {
    const tree: IndexTree | null = filters.length === 0 ? null : { kind: 'and', of: filters }
    return { request: { mode, tree, pattern: text, sort, limit, offset }, notes: [] }
  }
  const { phrases, notes } = parseWords(text)
  const words = phrases.map((phrase): IndexTree => ({ kind: 'text', words: phrase, isPrefix: false }))
  const tree: IndexTree | null = words.length === 0 ? null : { kind: 'and', of: [...words, ...filters] }
  return { request: { mode, tree, pattern: '', sort, limit, offset }, notes }
}

function filtersOf({ fields, sessionKeys, from, to }: TextSearchRequest): IndexTree[] {
  const filters: IndexTree[] = []
  if (fields !== null) filters.push({ kind: 'in', fields })
  if (sessionKeys !== null) filters.push({ kind: 'sessions', keys: sessionKeys })
  if (from !== null) filters.push({ kind: 'after', timeMs: Date.parse(from) })
  if (to !== null) filters.push({ kind: 'before', timeMs: Date.parse(to) })
  return filters
}
