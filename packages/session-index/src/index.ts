export type { DriverChoice } from './driver/open-database.ts'
export type { IndexedGroup, IndexGroup } from './index-group.ts'
export type { IndexSearchRequest, IndexSearchResult, TextSearchRequest } from './index-search.ts'
export { cutSnippet } from './match/cut-snippet.ts'
export { substringMatcher } from './match/substring-matcher.ts'
export { openSessionIndex, type SessionIndexOptions } from './open-session-index.ts'
export type {
  IndexTree,
  ParsedQuery,
  QueryFilter,
  QueryText,
  QueryTree,
  RowFilter,
  SessionFilter,
  SessionsLeaf,
  WrittenFilter,
} from './query/query-tree.ts'
export type { SessionIndex } from './session-index.ts'
export type { SessionRecord } from './session-record.ts'
export { INDEX_VERSION } from './shard/schema.ts'
export { fieldPieces } from './text/field-pieces.ts'
export { toSessionRecord } from './to-session-record.ts'
