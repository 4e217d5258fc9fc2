export type { Antigravity } from './antigravity.ts'
export type { Budget, BudgetChange, BudgetQuery, BudgetReport } from './budget.ts'
export { budgetChangeSchema, budgetQuerySchema, budgetReportSchema } from './budget.ts'
export type { CallExplanation, TokenRecord } from './call-explanation.ts'
export { callExplanationSchema } from './call-explanation.ts'
export type { ComparedSession, Comparison, ComparisonQuery } from './comparison.ts'
export { comparisonQuerySchema, comparisonSchema } from './comparison.ts'
export type { CostExplanation, CostTerm, RateTier, UnknownCostReason } from './cost-explanation.ts'
export { costExplanationSchema } from './cost-explanation.ts'
export type { CostReport, CostReportQuery } from './cost-report.ts'
export { costReportQuerySchema, costReportSchema } from './cost-report.ts'
export type { Doctor } from './doctor.ts'
export { doctorSchema } from './doctor.ts'
export type { ApiError, ApiErrorCode } from './error.ts'
export { apiErrorCodeSchema, apiErrorSchema } from './error.ts'
export type { FileHistory, FileHistoryEntry, FileHistoryQuery, SessionFiles } from './files.ts'
export {
  fileChangeQuerySchema,
  fileHistoryQuerySchema,
  fileHistorySchema,
  sessionFileChangeSchema,
  sessionFilesSchema,
} from './files.ts'
export type { Health } from './health.ts'
export { healthSchema } from './health.ts'
export type { LiveEvent, StreamHello } from './live-event.ts'
export { liveEventSchema, streamHelloSchema } from './live-event.ts'
export type { MessageFilter } from './message-filter.ts'
export { messageFilterSchema } from './message-filter.ts'
export type { FindQuery, FindResult, MessagePage, MessageQuery, RawRecord } from './messages.ts'
export {
  findQuerySchema,
  findResultSchema,
  MAX_FIELD_BYTES,
  messagePageSchema,
  messageQuerySchema,
  rawRecordSchema,
  toolOutputQuerySchema,
} from './messages.ts'
export type { NeighbourFileQuery, SessionNeighbours } from './neighbours.ts'
export { neighbourFileQuerySchema, sessionNeighboursSchema } from './neighbours.ts'
export { apiPaths } from './paths.ts'
export type { FolderSearch, ProjectChange, ProjectList } from './projects.ts'
export { folderSearchSchema, projectChangeSchema, projectListSchema } from './projects.ts'
export { MAX_LIMIT, tableQuerySchema, zoneField } from './query-fields.ts'
export type {
  Relaxation,
  SearchField,
  SearchHit,
  SearchQuery,
  SearchResult,
  SuggestionList,
  SuggestQuery,
} from './search.ts'
export {
  searchFieldSchema,
  searchHitSchema,
  searchQuerySchema,
  searchResultSchema,
  suggestionListSchema,
  suggestQuerySchema,
} from './search.ts'
export { type SessionActivity, sessionActivitySchema } from './session-activity.ts'
export type { SessionCalls } from './session-calls.ts'
export { sessionCallsSchema } from './session-calls.ts'
export type { SessionCost } from './session-cost.ts'
export { sessionCostSchema } from './session-cost.ts'
export type { SessionMap } from './session-map.ts'
export { sessionMapSchema } from './session-map.ts'
export type { SessionDetail, SessionList, SessionQuery } from './sessions.ts'
export { sessionDetailSchema, sessionListSchema, sessionQuerySchema } from './sessions.ts'
export { type SideBranch, sideBranchSchema } from './side-branch.ts'
export type { TimelineQuery } from './timeline.ts'
export { sessionTimelineSchema, timelineQuerySchema } from './timeline.ts'
export type { TranscriptQuery } from './transcript.ts'
export { transcriptQuerySchema } from './transcript.ts'
export { type Unread, unreadSchema } from './unread.ts'
export type { UsageQuery, UsageReport, UsageRow } from './usage.ts'
export { usageQuerySchema, usageReportSchema, usageRowSchema } from './usage.ts'
export type { UsageSum, UsageSumQuery } from './usage-sum.ts'
export { usageSumQuerySchema, usageSumSchema } from './usage-sum.ts'
export type { Warning } from './warning.ts'
export { warningSchema } from './warning.ts'
export type { SessionWhatIf, WhatIf, WhatIfQuery } from './what-if.ts'
export { sessionWhatIfSchema, whatIfQuerySchema, whatIfSchema } from './what-if.ts'
