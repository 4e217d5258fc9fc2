/**
 * Gemini CLI sessions as plain values: bytes in, one strict model out. Pure: runs in browsers and in Node alike.
 * What reads the disk is `gemini-sessions/node`. `thingSchema` checks what claims to be a `Thing`. The README has the
 * table of everything exported.
 * @module
 */

export { addCost } from './derive/add-cost.ts'
export { addUsage } from './derive/add-usage.ts'
export { agentIds } from './derive/agent-ids.ts'
export { buildOutline, type Outline } from './derive/build-outline.ts'
export { alignTurns, type TurnPair } from './derive/compare/align-turns.ts'
export { ContextXrayBuilder } from './derive/context/context-xray-builder.ts'
export { countIssues } from './derive/count-issues.ts'
export { drawnMessages } from './derive/drawn-messages.ts'
export { failedKeys } from './derive/failure/failed-keys.ts'
export { failedTurnSentence } from './derive/failure/failed-turn-sentence.ts'
export { type FailedTurn, type Failures, findFailures } from './derive/failure/find-failures.ts'
export { type ApiError, readApiError } from './derive/failure/read-api-error.ts'
export {
  type FileTouch,
  findFileCalls,
  type TouchPlace,
} from './derive/files-touched/find-file-calls.ts'
export { mergeFileChanges, mergeTouchedFiles } from './derive/files-touched/merge-touched-files.ts'
export {
  resolveTouchedPath,
  touchedPathKey,
  touchedPathName,
} from './derive/files-touched/resolve-touched-path.ts'
export { TouchedFileList } from './derive/files-touched/touched-file-list.ts'
export { type GroupedFile, groupFiles, sessionIdOfGroup } from './derive/group-files.ts'
export { isPrompt } from './derive/is-prompt.ts'
export { linkAgentCalls, type SubagentRef } from './derive/link-agent-calls.ts'
export { linkSubagents, type SubagentLink } from './derive/link-subagents.ts'
export { linkTodoLists } from './derive/link-todo-lists.ts'
export { listReasoning } from './derive/list-reasoning.ts'
export { messageText } from './derive/message-text.ts'
export type { PriceCall } from './derive/price-call.ts'
export { priceMessages } from './derive/price-messages.ts'
export { readSessionPath, type SessionPath } from './derive/read-session-path.ts'
export { sessionKey } from './derive/session-key.ts'
export { spentMessages } from './derive/spent-messages.ts'
export type { StitchFile } from './derive/stitch-file.ts'
export { stitchFiles } from './derive/stitch-files.ts'
export { stitchGroup } from './derive/stitch-group.ts'
export { sumUsage } from './derive/sum-usage.ts'
export { type SummaryContext, summarizeSession } from './derive/summarize-session.ts'
export { buildTimeline, type TimelineOptions, type TimelineWindow } from './derive/timeline/build-timeline.ts'
export { findWaits } from './derive/timeline/find-waits.ts'
export { type NestedTimeline, nestTimelines } from './derive/timeline/nest-timelines.ts'
export { type ToolStats, toolStats } from './derive/tool-stats.ts'
export { type UnreadFile, unreadFiles } from './derive/unread-files.ts'
export { type UsageBucket, usageBuckets } from './derive/usage-buckets.ts'
export { WasteFinder } from './derive/waste/waste-finder.ts'
export {
  type ContextBlock,
  type ContextCall,
  type ContextItem,
  type ContextKind,
  type ContextXray,
  contextXraySchema,
} from './model/context-xray.ts'
export { type Cost, costSchema, NO_COST } from './model/cost.ts'
export type { Cut } from './model/cut.ts'
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
export {
  type Reasoning,
  type ReasoningCall,
  type ReasoningStep,
  reasoningSchema,
} from './model/reasoning.ts'
export type { Session } from './model/session.ts'
export {
  type SessionCounts,
  type SessionFailures,
  type SessionFile,
  type SessionKind,
  type SessionSummary,
  sessionFailuresSchema,
  sessionSummarySchema,
} from './model/session-summary.ts'
export {
  type Timeline,
  type TimelineStep,
  type TimelineTurn,
  timelineSchema,
  type WaitKind,
  type WaitStretch,
  type WaitTotals,
} from './model/timeline.ts'
export { NO_USAGE, type TokenUsage, tokenUsageSchema } from './model/token-usage.ts'
export { type ToolCall, toolCallSchema } from './model/tool-call.ts'
export { type AnsiToken, type ToolOutput, toolOutputSchema } from './model/tool-output.ts'
export {
  type FileAction,
  type FileCall,
  type FileChange,
  fileCallSchema,
  fileChangeSchema,
  type LineChange,
  type TouchedFile,
  touchedFileSchema,
} from './model/touched-file.ts'
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
export {
  type Waste,
  type WasteFinding,
  type WasteKind,
  type WastePlace,
  wasteSchema,
} from './model/waste.ts'
export { readCutMark } from './parse/json/cut-mark.ts'
export { parseSessionFile } from './parse/parse-session-file.ts'
export type { ParsedFile, SessionHeader } from './parse/parsed-file.ts'
export { readFileNameTime } from './parse/read-file-name-time.ts'
export { readSessionHead, type SessionHead } from './parse/read-session-head.ts'
export { SessionLogReader } from './parse/session-log-reader.ts'
