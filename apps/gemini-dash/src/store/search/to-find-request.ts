import type { FindQuery } from '@gemini-dash/api'
import { type IndexSearchRequest, parseQuery } from '@gemini-dash/session-index'
import { ownZone } from '../times/time-zone.ts'
import type { SearchScope } from './search-scope.ts'
import { toIndexTree } from './to-index-tree.ts'

/** What is asked of each message of a session. */
export type FindRequest = Pick<IndexSearchRequest, 'mode' | 'tree' | 'pattern'>

/** A query as a search over all sessions would read it. */
export function toFindRequest({ q, mode, tz }: FindQuery, scope: SearchScope): FindRequest {
  const { tree, text } = parseQuery(q, { mode, zone: tz ?? ownZone(), nowMs: Date.now() })
  return { mode, tree: tree === null ? null : toIndexTree(tree, scope), pattern: text }
}
