import type {
  BudgetChange,
  BudgetQuery,
  BudgetReport,
  CallExplanation,
  Comparison,
  CostReportQuery,
  Doctor,
  FileHistory,
  FileHistoryQuery,
  FindQuery,
  FindResult,
  FolderSearch,
  Health,
  LiveEvent,
  MessagePage,
  MessageQuery,
  ProjectChange,
  ProjectList,
  RawRecord,
  SearchQuery,
  SearchResult,
  SessionCalls,
  SessionCost,
  SessionDetail,
  SessionFiles,
  SessionList,
  SessionMap,
  SessionQuery,
  SessionWhatIf,
  SuggestionList,
  SuggestQuery,
  TimelineQuery,
  TranscriptQuery,
  UsageQuery,
  UsageReport,
  UsageSum,
  UsageSumQuery,
  WhatIfQuery,
} from '@gemini-dash/api'
import type {
  ContextXray,
  FileChange,
  Message,
  Neighbours,
  Part,
  Project,
  Reasoning,
  Timeline,
  ToolOutput,
  Waste,
} from 'gemini-sessions'
import type { OpenedNeighbour } from 'gemini-sessions/node'
import type { FoundFolders } from '../folder-search/find-project-folders.ts'

/**
 * Answers every question of the API and of the command line. Knows no HTTP.
 * Methods that take a session key return null when there is no such session, message or output.
 * While the index is being built answers are given from what is there; `whenReady` waits for the rest.
 */
export interface Store {
  health(): Health
  projects(): ProjectList
  /** What the user says of a project. @throws if it could not be kept */
  changeProject(key: string, change: ProjectChange): Project | null
  /** Looks on this computer for the folder of one project. */
  findFolder(key: string, signal: AbortSignal): Promise<FolderSearch | null>
  /** Looks for the folders of all projects whose path is not known. */
  findFolders(signal: AbortSignal): Promise<FoundFolders>
  sessions(query: SessionQuery): Promise<SessionList>
  /** A session key, any own key of its files, a `sessionId`, or a unique prefix of one of these. */
  resolve(keyOrId: string): KeyResolution
  session(key: string): Promise<SessionDetail | null>
  messages(key: string, query: MessageQuery): Promise<MessagePage | null>
  /** What every message of the session is, in a few bytes each. */
  map(key: string): Promise<SessionMap | null>
  /** The model calls of the session with their tokens and prices. */
  calls(key: string): Promise<SessionCalls | null>
  /** A message, a turn or all of the session as text to keep, uncut. */
  transcript(key: string, query: TranscriptQuery): Promise<string | null>
  /** All messages, uncut. */
  allMessages(key: string): Promise<Message[] | null>
  raw(key: string, messageKey: string): Promise<RawRecord | null>
  /** How the tokens and the cost of a message came about, or why they are not known. */
  cost(key: string, messageKey: string): Promise<CallExplanation | null>
  /** How the cost of a session or of one turn came about. */
  costReport(key: string, query: CostReportQuery): Promise<SessionCost | null>
  /** `of`: `output`, `display`, or `extra-<n>` for the n-th part beside the result. Whole, uncut. */
  toolOutput(key: string, callId: string, of: string): Promise<ToolOutput | Part | null>
  part(key: string, messageKey: string, index: number): Promise<PartContent | null>
  /** What a search finds in one session, in reading order. */
  find(key: string, query: FindQuery): Promise<FindResult | null>
  /** What the model thought, by subjects, over the whole session. */
  reasoning(key: string): Promise<Reasoning | null>
  /** What filled each prompt: an estimate held to what was recorded. */
  context(key: string): Promise<ContextXray | null>
  /** Work that was done twice, with what it took. */
  waste(key: string): Promise<Waste | null>
  /** What the calls of a session would have cost under other conditions. */
  whatIf(key: string, query: WhatIfQuery): Promise<SessionWhatIf | null>
  /** What the CLI keeps of the session outside its file. Looked for only when asked. */
  neighbours(key: string): Promise<Neighbours | null>
  /** One of those files, opened to be read; the asker closes it. */
  neighbourFile(key: string, fileId: string): Promise<OpenedNeighbour | null>
  /**
   * `onPartial` is told what a search over the files has found so far.
   * @throws the signal's reason, once it says that nobody waits any more
   */
  search(
    query: SearchQuery,
    signal?: AbortSignal,
    onPartial?: (partial: SearchResult) => void,
  ): Promise<SearchResult>
  /** What the tools of a session and of its sub-agents did to which files. */
  files(key: string): Promise<SessionFiles | null>
  /** All that they did to one of them. null also where no call named it. */
  fileChange(key: string, path: string): Promise<FileChange | null>
  /** What all sessions did to one file. */
  fileHistory(query: FileHistoryQuery): Promise<FileHistory>
  /** The session on one time axis. */
  timeline(key: string, query: TimelineQuery): Promise<Timeline | null>
  /** What the word or value at the caret could go on as. */
  suggest(query: SuggestQuery): Promise<SuggestionList>
  /** Two sessions side by side. */
  compare(a: string, b: string): Promise<Comparison | null>
  usage(query: UsageQuery): UsageReport
  /** What a figure of the usage report is the sum of. */
  usageSum(query: UsageSumQuery): UsageSum
  /** How the month that runs stands to the budgets that the user set. */
  budgets(query: BudgetQuery): BudgetReport
  /** `scope`: `all`, or the key of a project; null: there is no such project. @throws if it could not be kept */
  setBudget(scope: string, change: BudgetChange): true | null
  doctor(): Promise<Doctor>
  /** Calls the listener for every change; returns the function that ends it. */
  subscribe(listener: (event: LiveEvent) => void): () => void
  /** How many pages listen: as long as one does, nothing goes to rest. */
  setOpenPages(count: number): void
  /** Resolves when every session has a row. Before, only `sessions`, `health` and `subscribe` tell the truth. */
  whenRowsStand(): Promise<void>
  /** Every session has the row of its whole content, though its text may not be searchable yet. */
  hasAllRows(): boolean
  /** Resolves when everything found at the start is indexed. */
  whenReady(): Promise<void>
  close(): Promise<void>
}

export type KeyResolution =
  | { kind: 'one'; key: string }
  | { kind: 'ambiguous'; keys: string[] }
  | { kind: 'none' }

/** An image, file or text of a message, whole. */
export interface PartContent {
  mimeType: string
  bytes: Uint8Array
}
