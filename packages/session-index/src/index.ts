export { foldTextOnly } from '@gemini-dash/api/fold-text'
export { CACHE_FORMAT, type FileStamp, isUnchanged, stampOf } from './cache-format.ts'
export type {
  ConversationCopies,
  FileEnds,
  FoundFolder,
  FoundPlaces,
  HeldSessions,
  HitPosition,
  IndexCounts,
  IndexedGroup,
  IndexGroup,
  IndexScan,
  IndexSearchOptions,
  IndexSearchRequest,
  IndexSearchResult,
  LongFrom,
  OnIndexed,
  ResolvedQuery,
  ScanPosition,
  SessionAsk,
  SessionMaker,
  SessionRecord,
  StoredGroup,
  StoredHome,
  StoredMessage,
  StoredMessages,
} from './contract.ts'
export { replaceFile } from './database/database-sum.ts'
export type { DriverChoice } from './driver.ts'
export {
  bestCommands,
  type CommandQuery,
  type EditQuery,
  type FoundCommand,
  type FoundEdit,
} from './find/find-calls.ts'
export { findInRows } from './find/find-in-rows.ts'
export type { TouchedPath } from './find/find-rows.ts'
export { claimFolder, expectTrustedFolder, openTrustedFolder } from './folder.ts'
export { giveBackMemory } from './give-back-memory.ts'
export { queryMatcher } from './match/query-matcher.ts'
export { patternProblem } from './match/regex-matcher.ts'
export { OutOfTime, SearchClock } from './match/search-clock.ts'
export type { SessionIndex } from './open-session-index.ts'
export { openSessionIndex, type SessionIndexOptions } from './open-session-index.ts'
export { isSameProcess, newOwner, type Owner, OwnerFile, whereaboutsOfOwner } from './owner-file.ts'
export { IndexFault } from './pool/shard-client.ts'
export {
  ownIdentity,
  type ProcessIdentity,
  processIdentitySchema,
  type Whereabouts,
  whereaboutsOf,
} from './process-identity.ts'
export { findCompletion, parseQuery, phraseOf, QUERY_OPERATORS, writeValue } from './query/query.ts'
export type {
  IndexTree,
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
} from './query/tree.ts'
export { type QueryWord, queryWords, replaceWords, withoutFilter } from './query/tree.ts'
export { rowCall, wildcardPattern } from './rows.ts'
export { readLooseGroup } from './source/read-group.ts'
export { fieldPieces, toolOutputTexts } from './text.ts'
export { SessionRecordBuilder, toSessionRecord } from './to-session-record.ts'
