/**
 * Gemini CLI sessions as plain values: bytes in, one strict model out. Pure: runs in browsers and in Node alike. Reading from disk is in
 * `gemini-sessions/node`. `thingSchema` validates a `Thing`. The README has the table of everything exported.
 * @module
 */

export { ChangeStory, commandFolder, commandState, tellingLine, withoutFrame } from './derive/change-story.ts'
export type { PlacedPiece } from './derive/context.ts'
export { ContextXrayBuilder, type SentCall } from './derive/context.ts'
export { doubtChanges, doubtEdits, EditStory } from './derive/edit-story.ts'
export {
  type FailedRun,
  type FailedTurn,
  type Failures,
  failedCallsSentence,
  failedKeys,
  failedRuns,
  failedTurnSentence,
  findFailures,
  findRuns,
  type GeminiApiError,
  isCommand,
  linkFates,
  type RecordOfRuns,
  type Run,
  type RunSeries,
  readApiError,
} from './derive/failure.ts'
export type { StitchFile } from './derive/files.ts'
export {
  type GroupedFile,
  groupFiles,
  projectOfGroup,
  readSessionPath,
  type SessionPath,
  sessionIdOfGroup,
  type UnreadFile,
  unreadFiles,
} from './derive/files.ts'
export {
  type FileTouch,
  findFileCalls,
  pathArguments,
  resolveTouchedPath,
  touchedPathName,
} from './derive/find-file-calls.ts'
export { type Fix, type FixStep, findFixes } from './derive/fixes.ts'
export {
  conversationOrigin,
  type GroupClaims,
  type KeyRecord,
  NO_KEY_RECORD,
  type PlannedFile,
  placeKey,
  placeOfFile,
  planKeys,
  sessionKey,
} from './derive/identity.ts'
export {
  callLine,
  drawnMessages,
  isDamagedSession,
  isPrompt,
  isRecordedAgain,
  messageText,
  RecordedCalls,
  saysSomething,
  spentMessages,
} from './derive/messages.ts'
export { buildOutline, listReasoning, type Outline } from './derive/outline.ts'
export { foldPath, isSamePath, pathSpellings } from './derive/path-spellings.ts'
export { billElsewhere, REQUEST_ID_LENGTH, requestIds } from './derive/request-ids.ts'
export { isSavedChatName } from './derive/saved-chat-session.ts'
export { linkTodoLists, savedOutputMentions } from './derive/saved-output-mentions.ts'
export { stitchFiles, stitchGroup } from './derive/stitch.ts'
export {
  agentIds,
  linkAgentCalls,
  linkSubagents,
  mayStartAgent,
  ownFigures,
  type SubagentLink,
  type SubagentRef,
} from './derive/subagents.ts'
export { countIssues, type SummaryContext, summarizeSession } from './derive/summary.ts'
export type { PriceCall } from './derive/sums.ts'
export {
  addCost,
  addFailures,
  addSplits,
  addUsage,
  type CostSplit,
  priceMessages,
  sumUsage,
  type UsageBucket,
  usageBuckets,
} from './derive/sums.ts'
export {
  buildTimeline,
  findWaits,
  type NestedTimeline,
  nestTimelines,
  type TimelineOptions,
} from './derive/timeline.ts'
export { type ToolStats, ToolStatsBuilder, toolStats } from './derive/tool-stats.ts'
export { mergeTouchedFiles, type TouchedFile, TouchedFileList } from './derive/touched-file-list.ts'
export { findActivity, outcomeOf, runningVerdict } from './derive/verdict.ts'
export { RereadFinder, type Rereads, WasteFinder } from './derive/waste.ts'
export type { FileKind } from './model/file-kind.ts'
export { FILE_KINDS, fileKindSchema, kindOfIssue } from './model/file-kind.ts'
export {
  type ChangeStep,
  type ContextBlock,
  type ContextCall,
  type ContextItem,
  type ContextKind,
  type ContextXray,
  contextXraySchema,
  type EditDoubt,
  editDoubtSchema,
  type LineChange,
  type Reasoning,
  type ReasoningCall,
  type ReasoningStep,
  reasoningSchema,
  type SessionChanges,
  type SessionEdit,
  sessionChangesSchema,
  type Timeline,
  type TimelineStep,
  type TimelineTurn,
  timelineSchema,
  type WaitKind,
  type WaitStretch,
  type WaitTotals,
  type Waste,
  type WasteFinding,
  type WasteKind,
  type WastePlace,
  wasteSchema,
} from './model/insights.ts'
export type { DriftNote, DriftPlace, InFile, ParseIssue, ParseIssueCode } from './model/issue.ts'
export { driftPlaces, OTHER_NAMES, parseIssueCodeSchema } from './model/issue.ts'
export type {
  BilledElsewhere,
  Cut,
  FileKeys,
  NeighbourFile,
  Neighbours,
  PastedImage,
  Plan,
  RestorePoint,
  SavedOutput,
  Session,
  TrackerTask,
  TypedOnly,
} from './model/message.ts'
export {
  type AnsiToken,
  type CallPoint,
  type Compression,
  callPointSchema,
  compressionSchema,
  type Message,
  type MessageType,
  messageSchema,
  neighboursSchema,
  type Origin,
  type Part,
  type PixelSize,
  partSchema,
  type Segment,
  type Superseded,
  segmentSchema,
  supersededSchema,
  type Thought,
  type ToolCall,
  type ToolOutput,
  type Turn,
  toolCallSchema,
  toolOutputSchema,
  turnSchema,
} from './model/message.ts'
export {
  type CallFate,
  callFateSchema,
  type FailureFate,
  type FateCounts,
  failureFateSchema,
  fateCountsSchema,
  type KeptCopy,
  keptCopySchema,
  type OpenCommand,
  openCommandSchema,
  type PathCandidate,
  type PathEvidence,
  type Project,
  pathCandidateSchema,
  projectSchema,
  type SessionActivity,
  type SessionCounts,
  type SessionFailures,
  type SessionFigures,
  type SessionFile,
  type SessionKind,
  type SessionProgram,
  type SessionSummary,
  sessionActivitySchema,
  sessionFailuresSchema,
  sessionFiguresSchema,
  sessionProgramSchema,
  sessionSummarySchema,
  type Verdict,
  type VerdictKind,
  verdictKindSchema,
  verdictSchema,
} from './model/session-summary.ts'
export { type Cost, costSchema, NO_COST, NO_USAGE, type TokenUsage, tokenUsageSchema } from './model/usage.ts'
export { readCutMark } from './parse/json/bytes.ts'
export type { ParsedFile, SessionHeader } from './parse/log.ts'
export { recognizeFile } from './parse/problems.ts'
export {
  parseSessionFile,
  readFileNameTime,
  readSessionHead,
  type SessionHead,
  SessionLogReader,
} from './parse/session-file.ts'
export { KNOWN_CLI_VERSION } from './raw.ts'
