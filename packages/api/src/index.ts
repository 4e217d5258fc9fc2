export { ANSWERS, SHARED_SHAPES } from './answers.ts'
export type { Budget, BudgetChange, BudgetQuery, BudgetReport } from './cost/budget.ts'
export { budgetChangeSchema, budgetQuerySchema, budgetReportSchema } from './cost/budget.ts'
export type { CallExplanation, TokenRecord } from './cost/call-explanation.ts'
export { callExplanationSchema } from './cost/call-explanation.ts'
export type { CostExplanation, CostTerm, RateTier, UnknownCostReason } from './cost/cost-explanation.ts'
export { costExplanationSchema } from './cost/cost-explanation.ts'
export type { CostReport, CostReportQuery } from './cost/cost-report.ts'
export { costReportQuerySchema, costReportSchema } from './cost/cost-report.ts'
export type { CostWhy } from './cost/cost-why.ts'
export { costWhySchema } from './cost/cost-why.ts'
export type { SessionCost } from './cost/session-cost.ts'
export { sessionCostSchema } from './cost/session-cost.ts'
export type { SessionWhatIf, WhatIf, WhatIfQuery } from './cost/what-if.ts'
export { sessionWhatIfSchema, whatIfQuerySchema, whatIfSchema } from './cost/what-if.ts'
export type { Coverage } from './fields/answer.ts'
export { SCHEMA_VERSION, type Unread, unreadSchema } from './fields/answer.ts'
export { MAX_LIMIT, tableQuerySchema, zoneField } from './fields/query-fields.ts'
export type { ExportSeveralQuery, LeavingSessions } from './leaving/export-several.ts'
export { exportSeveralQuerySchema, leavingSessionsSchema } from './leaving/export-several.ts'
export type { LeavingAgent } from './leaving/leaving-agent.ts'
export type { LaidPaper, PaperProgram, PaperSession, PaperWords } from './leaving/paper.ts'
export type { FolderSearch, FoldersSearch, ProjectChange, ProjectList } from './lists/projects.ts'
export {
  folderSearchSchema,
  foldersSearchSchema,
  projectChangeSchema,
  projectListSchema,
} from './lists/projects.ts'
export type {
  Relaxation,
  SearchField,
  SearchHit,
  SearchQuery,
  SearchResult,
  SuggestionList,
  SuggestQuery,
} from './lists/search.ts'
export {
  searchFieldSchema,
  searchHitSchema,
  searchQuerySchema,
  searchResultSchema,
  suggestionListSchema,
  suggestQuerySchema,
} from './lists/search.ts'
export type { SessionDetail, SessionList, SessionOrder, SessionQuery, TurnColumns } from './lists/sessions.ts'
export {
  LISTED_KINDS,
  SESSION_KINDS,
  SESSION_ORDERS,
  sessionDetailQuerySchema,
  sessionDetailSchema,
  sessionListSchema,
  sessionQuerySchema,
} from './lists/sessions.ts'
export type { UsageQuery, UsageReport, UsageRow } from './lists/usage.ts'
export { usageQuerySchema, usageReportSchema, usageRowSchema } from './lists/usage.ts'
export type { UsageSum, UsageSumQuery } from './lists/usage-sum.ts'
export { usageSumQuerySchema, usageSumSchema } from './lists/usage-sum.ts'
export type { UsageWhy, UsageWhyQuery } from './lists/usage-why.ts'
export { usageWhyQuerySchema, usageWhySchema } from './lists/usage-why.ts'
export { apiPaths, sessionPath } from './paths.ts'
export type { Antigravity } from './program/antigravity.ts'
export type { DiskKind, DiskUse } from './program/disk-use.ts'
export { DISK_KINDS, diskUseSchema } from './program/disk-use.ts'
export type { Doctor, DoctorNotes } from './program/doctor.ts'
export { doctorNotesSchema, doctorSchema } from './program/doctor.ts'
export type { ApiError, ApiErrorCode } from './program/error.ts'
export { apiErrorCodeSchema, apiErrorSchema } from './program/error.ts'
export { type ForgetAnswer, forgetAnswerSchema } from './program/forget.ts'
export type { Health } from './program/health.ts'
export { healthSchema } from './program/health.ts'
export type { KeepChange, KeepLimits, KeepStatus } from './program/keep.ts'
export { keepChangeSchema, keepStatusSchema } from './program/keep.ts'
export type { FormerRow, LiveEvent, SpentChange, StreamHello } from './program/live-event.ts'
export { liveEventSchema, streamHelloSchema } from './program/live-event.ts'
export type {
  MarkAnswer,
  MarkChange,
  MarkList,
  MarksTaken,
  MessageMark,
  MessageMarkChange,
  SessionMark,
  View,
  ViewChange,
  ViewList,
} from './program/marks.ts'
export {
  markAnswerSchema,
  markChangeSchema,
  markListSchema,
  markQuerySchema,
  marksTakenSchema,
  messageMarkChangeSchema,
  viewChangeSchema,
  viewListSchema,
  viewSchema,
} from './program/marks.ts'
export { type MoveAnswer, type MoveTarget, moveAnswerSchema, moveQuerySchema } from './program/move.ts'
export {
  type RecoverAnswer,
  recoverAnswerSchema,
  recoverQuerySchema,
  type WriteJournal,
  writeJournalSchema,
} from './program/recover.ts'
export type { Sandbox } from './program/sandbox.ts'
export {
  type CacheCleared,
  cacheClearedSchema,
  cacheClearSchema,
  type HealthReport,
  healthReportSchema,
  type SampleAddress,
  type Settings,
  type SettingsChange,
  sampleAddressSchema,
  settingsChangeSchema,
  settingsSchema,
} from './program/settings.ts'
export { type TestbedAnswer, testbedAnswerSchema } from './program/testbed.ts'
export type { Warning } from './program/warning.ts'
export { warningSchema } from './program/warning.ts'
export type { ComparedSession, Comparison, ComparisonQuery } from './session/comparison.ts'
export { comparisonQuerySchema, comparisonSchema } from './session/comparison.ts'
export type {
  ChangeExample,
  Depth,
  ExportFormat,
  ExportQuery,
  ExportReview,
  ExportReviewQuery,
  PartQuery,
} from './session/export.ts'
export {
  DEPTHS,
  EXPORT_FORMATS,
  exportQuerySchema,
  exportReviewQuerySchema,
  exportReviewSchema,
  isRedactedByDefault,
  partQuerySchema,
} from './session/export.ts'
export type { FileHistory, FileHistoryEntry, FileHistoryQuery, SessionFiles } from './session/files.ts'
export {
  fileChangeQuerySchema,
  fileHistoryQuerySchema,
  fileHistorySchema,
  sessionFileChangeSchema,
  sessionFilesSchema,
} from './session/files.ts'
export type { Handover, HandoverQuery } from './session/handover.ts'
export { handoverQuerySchema, handoverSchema } from './session/handover.ts'
export type {
  FindQuery,
  FindResult,
  MessageFilter,
  MessagePage,
  MessageQuery,
  RawRecord,
} from './session/messages.ts'
export {
  findQuerySchema,
  findResultSchema,
  MAX_FIELD_BYTES,
  messageFilterSchema,
  messagePageSchema,
  messageQuerySchema,
  rawRecordSchema,
  toolOutputQuerySchema,
} from './session/messages.ts'
export type { NeighbourFileQuery, SessionNeighbours } from './session/neighbours.ts'
export { neighbourFileQuerySchema, sessionNeighboursSchema } from './session/neighbours.ts'
export type { SessionAnswer, SessionParameters, SessionQuestion } from './session/questions.ts'
export { SESSION_QUESTIONS, sessionQuestions } from './session/questions.ts'
export type { Resume, ResumeProblem, Shell } from './session/resume.ts'
export { RESUME_SHELLS, resumeQuerySchema, resumeSchema } from './session/resume.ts'
export type { SessionCalls } from './session/session-calls.ts'
export { sessionCallsQuerySchema, sessionCallsSchema } from './session/session-calls.ts'
export type { SessionMap } from './session/session-map.ts'
export { type SessionActivity, sessionActivitySchema, sessionMapSchema } from './session/session-map.ts'
export { type SideBranch, sideBranchSchema } from './session/side-branch.ts'
export type { TimelineQuery } from './session/timeline.ts'
export { sessionTimelineSchema, timelineQuerySchema } from './session/timeline.ts'
export type { Transcript, TranscriptQuery } from './session/transcript.ts'
export { transcriptQuerySchema, transcriptSchema } from './session/transcript.ts'
