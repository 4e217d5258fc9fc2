/**
 * Gemini CLI sessions as plain values: bytes in, one strict model out. Pure: runs in browsers and in Node alike.
 * What reads the disk is `gemini-sessions/node`. `thingSchema` checks what claims to be a `Thing`. The README has the
 * table of everything exported.
 * @module
 */

export { alignTurns, type TurnPair } from './derive/compare/align-turns.ts'
export { ContextXrayBuilder } from './derive/context/context-xray-builder.ts'
export { failedCallsSentence, failedKeys } from './derive/failure/failed-calls.ts'
export { failedTurnSentence } from './derive/failure/failed-turn-sentence.ts'
export { type FailedTurn, type Failures, findFailures } from './derive/failure/find-failures.ts'
export {
  type FailedRun,
  failedRuns,
  findRuns,
  linkFates,
  type RecordOfRuns,
  type Run,
  type RunSeries,
} from './derive/failure/find-runs.ts'
export { type GeminiApiError, readApiError } from './derive/failure/read-api-error.ts'
export { isCommand } from './derive/failure/run-subject.ts'
export { type GroupedFile, groupFiles, projectOfGroup, sessionIdOfGroup } from './derive/files/group-files.ts'
export { readSessionPath, type SessionPath } from './derive/files/read-session-path.ts'
export type { StitchFile } from './derive/files/stitch-file.ts'
export { type UnreadFile, unreadFiles } from './derive/files/unread-files.ts'
export { doubtEdits } from './derive/files-touched/doubt-edits.ts'
export { EditStory } from './derive/files-touched/edit-story.ts'
export {
  type FileTouch,
  findFileCalls,
  pathArguments,
  type TouchPlace,
} from './derive/files-touched/find-file-calls.ts'
export { mergeFileChanges, mergeTouchedFiles } from './derive/files-touched/merge-touched-files.ts'
export { resolveTouchedPath, touchedPathName } from './derive/files-touched/resolve-touched-path.ts'
export { TouchedFileList } from './derive/files-touched/touched-file-list.ts'
export { conversationOrigin, type GroupClaims, placeOfFile } from './derive/identity/assign-keys.ts'
export { placeKey, sessionKey } from './derive/identity/keys.ts'
export { type KeyRecord, NO_KEY_RECORD, type PlannedFile, planKeys } from './derive/identity/plan-keys.ts'
export { isSavedChatName } from './derive/loose/saved-chat-session.ts'
export { callLine } from './derive/messages/call-line.ts'
export { drawnMessages } from './derive/messages/drawn-messages.ts'
export { isPrompt, isRecordedAgain } from './derive/messages/message-kinds.ts'
export { messageText } from './derive/messages/message-text.ts'
export { spentMessages } from './derive/messages/spent-messages.ts'
export { linkTodoLists } from './derive/neighbours/link-todo-lists.ts'
export { buildOutline, type Outline } from './derive/outline/build-outline.ts'
export { listReasoning } from './derive/outline/list-reasoning.ts'
export { foldPath, isSamePath, pathSpellings } from './derive/path-clues/path-spellings.ts'
export { stitchFiles } from './derive/stitch/stitch-files.ts'
export { stitchGroup } from './derive/stitch/stitch-group.ts'
export { agentIds } from './derive/subagents/agent-ids.ts'
export { linkAgentCalls, type SubagentRef } from './derive/subagents/link-agent-calls.ts'
export { linkSubagents, ownFigures, type SubagentLink } from './derive/subagents/link-subagents.ts'
export { countIssues } from './derive/summary/count-issues.ts'
export { type SummaryContext, summarizeSession } from './derive/summary/summarize-session.ts'
export { addCost } from './derive/sums/add-cost.ts'
export { addFailures } from './derive/sums/add-failures.ts'
export { REQUEST_ID_LENGTH, requestIds } from './derive/sums/billed-elsewhere.ts'
export type { PriceCall } from './derive/sums/price-call.ts'
export { priceMessages } from './derive/sums/price-call.ts'
export { addUsage, sumUsage } from './derive/sums/sum-usage.ts'
export { type ToolStats, ToolStatsBuilder, toolStats } from './derive/sums/tool-stats.ts'
export { addSplits, type CostSplit, type UsageBucket, usageBuckets } from './derive/sums/usage-buckets.ts'
export { buildTimeline, type TimelineOptions, type TimelineWindow } from './derive/timeline/build-timeline.ts'
export { findWaits } from './derive/timeline/find-waits.ts'
export { type NestedTimeline, nestTimelines } from './derive/timeline/nest-timelines.ts'
export { WasteFinder } from './derive/waste/waste-finder.ts'
export { type Cost, costSchema, NO_COST } from './model/cost.ts'
export type { Cut } from './model/cut.ts'
export {
  type CallFate,
  callFateSchema,
  type FailureFate,
  type FateCounts,
  failureFateSchema,
  fateCountsSchema,
} from './model/failure-fate.ts'
export type { FileKind } from './model/file-kind.ts'
export { FILE_KINDS, fileKindSchema, kindOfIssue } from './model/file-kind.ts'
export {
  type ContextBlock,
  type ContextCall,
  type ContextItem,
  type ContextKind,
  type ContextXray,
  contextXraySchema,
} from './model/insights/context-xray.ts'
export {
  type Reasoning,
  type ReasoningCall,
  type ReasoningStep,
  reasoningSchema,
} from './model/insights/reasoning.ts'
export {
  type EditDoubt,
  editDoubtSchema,
  type SessionEdit,
  type SessionEdits,
  sessionEditSchema,
  sessionEditsSchema,
} from './model/insights/session-edits.ts'
export {
  type Timeline,
  type TimelineStep,
  type TimelineTurn,
  timelineSchema,
  type WaitKind,
  type WaitStretch,
  type WaitTotals,
} from './model/insights/timeline.ts'
export {
  type FileAction,
  type FileCall,
  type FileChange,
  fileCallSchema,
  fileChangeSchema,
  type LineChange,
  type TouchedFile,
  touchedFileSchema,
} from './model/insights/touched-file.ts'
export {
  type Waste,
  type WasteFinding,
  type WasteKind,
  type WastePlace,
  wasteSchema,
} from './model/insights/waste.ts'
export {
  type Message,
  type MessageType,
  messageSchema,
  type Origin,
  type Superseded,
  supersededSchema,
  type Thought,
} from './model/message.ts'
export type {
  NeighbourFile,
  Neighbours,
  PastedImage,
  Plan,
  RestorePoint,
  SavedOutput,
  TrackerTask,
  TypedOnly,
} from './model/neighbours.ts'
export { neighboursSchema } from './model/neighbours.ts'
export type { DriftNote, DriftPlace, InFile, ParseIssue, ParseIssueCode } from './model/parse-issue.ts'
export { driftPlaces, OTHER_NAMES, parseIssueCodeSchema } from './model/parse-issue.ts'
export { type Part, type PixelSize, partSchema } from './model/part.ts'
export { type PathCandidate, type PathEvidence, pathCandidateSchema } from './model/path-candidate.ts'
export { type Project, projectSchema } from './model/project.ts'
export type { BilledElsewhere, FileKeys, Session } from './model/session.ts'
export {
  type KeptCopy,
  keptCopySchema,
  type SessionCounts,
  type SessionFailures,
  type SessionFigures,
  type SessionFile,
  type SessionKind,
  type SessionSummary,
  sessionFailuresSchema,
  sessionFiguresSchema,
  sessionSummarySchema,
} from './model/session-summary.ts'
export { NO_USAGE, type TokenUsage, tokenUsageSchema } from './model/token-usage.ts'
export { type ToolCall, toolCallSchema } from './model/tool-call.ts'
export { type AnsiToken, type ToolOutput, toolOutputSchema } from './model/tool-output.ts'
export {
  type CallPoint,
  type Compression,
  callPointSchema,
  compressionSchema,
  type Segment,
  segmentSchema,
  type Turn,
  turnSchema,
} from './model/turn.ts'
export { readCutMark } from './parse/json/cut-mark.ts'
export type { ParsedFile, SessionHeader } from './parse/log/parsed-file.ts'
export { recognizeFile } from './parse/problems/recognize-file.ts'
export { parseSessionFile } from './parse/session-file/parse-session-file.ts'
export { readFileNameTime } from './parse/session-file/read-file-name-time.ts'
export { readSessionHead, type SessionHead } from './parse/session-file/read-session-head.ts'
export { SessionLogReader } from './parse/session-file/session-log-reader.ts'
export { KNOWN_CLI_VERSION } from './raw/known-names.ts'
