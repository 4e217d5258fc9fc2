export { foldTextOnly } from '@gemini-dash/api/fold-text'
export type { IndexedGroup, IndexGroup, OnIndexed, ProjectHead } from './contract/index-group.ts'
export type {
  IndexCounts,
  IndexSearchOptions,
  IndexSearchRequest,
  IndexSearchResult,
  ResolvedQuery,
  ScanPosition,
} from './contract/index-search.ts'
export type { SessionRecord } from './contract/session-record.ts'
export { SessionRecordBuilder, toSessionRecord } from './contract/to-session-record.ts'
export { replaceFile } from './database/replace-file.ts'
export type { DriverChoice } from './driver/open-database.ts'
export { findInRows } from './find/find-in-rows.ts'
export type { TouchedPath } from './find/touched-paths.ts'
export { claimFolder } from './folder/claim-folder.ts'
export { newOwner, OwnerFile } from './folder/owner-file.ts'
export {
  ownIdentity,
  type ProcessIdentity,
  processIdentitySchema,
  type Whereabouts,
  whereaboutsOf,
} from './folder/process-identity.ts'
export { expectTrustedFolder, openTrustedFolder } from './folder/trusted-folder.ts'
export { queryMatcher } from './match/query-matcher.ts'
export { patternProblem } from './match/regex-matcher.ts'
export { OutOfTime, SearchClock } from './match/search-clock.ts'
export { giveBackMemory } from './memory/give-back-memory.ts'
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
} from './query/tree/query-tree.ts'
export { type QueryWord, queryWords, replaceWords, withoutFilter } from './query/tree/query-words.ts'
export { wildcardPattern } from './rows/wildcard-pattern.ts'
export type { SessionIndex } from './session-index.ts'
export { fieldPieces } from './text/field-pieces.ts'
export { CACHE_FORMAT } from './validity/cache-format.ts'
export { type FileStamp, isUnchanged, stampOf } from './validity/file-stamp.ts'
