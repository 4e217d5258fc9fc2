import type { SearchField } from '@gemini-dash/api'
import type { IndexSearchRequest } from '../src/contract.ts'
import { parseQuery } from '../src/query/query.ts'
import type { IndexTree } from '../src/query/tree.ts'

/** Parts of a test's request besides the text: page and order, or filters in short form. */
export interface RequestParts extends Partial<IndexSearchRequest> {
  fields?: SearchField[]
  sessionKeys?: string[]
  /** ISO 8601 */
  from?: string
  to?: string
}

/** The request for a query, or, with `tree`, for that tree. */
export function searchRequest(
  query: string,
  { fields, sessionKeys, from, to, ...given }: RequestParts = {},
): IndexSearchRequest {
  const mode = given.mode ?? 'words'
  const { tree, text } = parseQuery(query, { mode, zone: 'UTC', nowMs: 0 })
  const filters: IndexTree[] = []
  if (fields !== undefined) filters.push({ kind: 'in', fields })
  if (sessionKeys !== undefined) filters.push({ kind: 'sessions', keys: sessionKeys })
  if (from !== undefined) filters.push({ kind: 'after', timeMs: Date.parse(from) })
  if (to !== undefined) filters.push({ kind: 'before', timeMs: Date.parse(to) })
  // Queries in these tests have no session filters, which only the store can resolve.
  const asked = tree === null ? [] : [tree as IndexTree]
  const isEmpty = asked.length === 0 && (mode === 'words' || filters.length === 0)
  return {
    mode,
    tree: isEmpty ? null : { kind: 'and', of: [...asked, ...filters] },
    pattern: mode === 'words' ? '' : text,
    sort: 'recent',
    limit: 50,
    ...given,
  }
}
