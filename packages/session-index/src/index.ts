export type { DriverChoice } from './driver/open-database.ts'
export { findInRows } from './find/find-in-rows.ts'
export type { TouchedPath } from './find/touched-paths.ts'
export { openTrustedFolder } from './folder/trusted-folder.ts'
export type { IndexedGroup, IndexGroup, ProjectHead } from './index-group.ts'
export type {
  IndexCounts,
  IndexSearchOptions,
  IndexSearchRequest,
  IndexSearchResult,
} from './index-search.ts'
export { patternProblem } from './match/regex-matcher.ts'
export { openSessionIndex, type SessionIndexOptions } from './open-session-index.ts'
export { IndexFault } from './pool/index-fault.ts'
export { findCompletion, writeValue } from './query/find-completion.ts'
export { parseQuery } from './query/parse-query.ts'
export { QUERY_OPERATORS } from './query/query-operators.ts'
export type {
  IndexTree,
  OneFileLeaf,
  ParsedQuery,
  QueryFilter,
  QueryText,
  QueryTree,
  RowFilter,
  SessionFilter,
  SessionsLeaf,
  ToolFilter,
  ToolsLeaf,
  WrittenFilter,
} from './query/query-tree.ts'
export { type QueryWord, queryWords, replaceWords } from './query/query-words.ts'
export { DATE_WORDS, readDate } from './query/read-date.ts'
export { withoutFilter } from './query/without-filter.ts'
export { clockAt, momentOfClock } from './query/zone-time.ts'
export { wildcardPattern } from './rows/wildcard-pattern.ts'
export type { SessionIndex } from './session-index.ts'
export type { SessionRecord } from './session-record.ts'
export { fieldPieces } from './text/field-pieces.ts'
export { foldTextOnly } from './text/fold-text.ts'
export { toSessionRecord } from './to-session-record.ts'
export { CACHE_FORMAT } from './validity/cache-format.ts'
export { type FileStamp, isUnchanged, stampOf } from './validity/file-stamp.ts'
