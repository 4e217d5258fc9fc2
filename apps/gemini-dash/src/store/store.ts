import type {
  BudgetChange,
  BudgetQuery,
  BudgetReport,
  Comparison,
  Doctor,
  DoctorNotes,
  FileHistory,
  FileHistoryQuery,
  FolderSearch,
  Health,
  LiveEvent,
  ProjectChange,
  ProjectList,
  Resume,
  SearchQuery,
  SearchResult,
  SessionList,
  SessionMark,
  SessionQuery,
  Shell,
  SuggestionList,
  SuggestQuery,
  UsageQuery,
  UsageReport,
  UsageSum,
  UsageSumQuery,
  UsageWhy,
  UsageWhyQuery,
} from '@gemini-dash/api'
import type { Project } from 'gemini-sessions'
import type { FoundFolders } from '../folder-search/find-project-folders.ts'
import type { KeyResolution } from './catalog/resolve-key.ts'
import type { InstalledCli } from './cli/installed-cli.ts'
import type { SessionContent } from './session/session-content.ts'

/**
 * Answers every question of the API and of the command line. Knows no HTTP.
 * While the index is being built answers are given from what is there; `whenReady` waits for the rest.
 */
export interface Store {
  /** What is in each session. */
  readonly content: SessionContent
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
  /** Stars, notes, tags and titles, by the key that a session has now; of a session that is gone, by its last key. */
  marks(): ReadonlyMap<string, SessionMark>
  /**
   * `onPartial` is told what a search over the files has found so far.
   * @throws the signal's reason, once it says that nobody waits any more
   */
  search(
    query: SearchQuery,
    signal?: AbortSignal,
    onPartial?: (partial: SearchResult) => void,
  ): Promise<SearchResult>
  /** What all sessions did to one file. */
  fileHistory(query: FileHistoryQuery): Promise<FileHistory>
  /** How the word or value at the caret could be completed. */
  suggest(query: SuggestQuery): Promise<SuggestionList>
  /** Two sessions side by side. */
  compare(a: string, b: string): Promise<Comparison | null>
  usage(query: UsageQuery): UsageReport
  /** What a figure of the usage report is the sum of. */
  usageSum(query: UsageSumQuery): UsageSum
  /** Where the cost of these sessions went. */
  usageWhy(query: UsageWhyQuery): UsageWhy
  /** This month's cost beside the budgets that the user set. */
  budgets(query: BudgetQuery): BudgetReport
  /** `scope`: `all`, or the key of a project; null: there is no such project. @throws if it could not be kept */
  setBudget(scope: string, change: BudgetChange): true | null
  doctor(): Promise<Doctor>
  doctorNotes(): Promise<DoctorNotes>
  /** How Gemini CLI goes on with a session; null: there is no such session. */
  resume(key: string, shell: Shell, cli: InstalledCli): Resume | null
  /** Calls the listener for every change; returns the function that ends it. */
  subscribe(listener: (event: LiveEvent) => void): () => void
  /** How many pages listen. While one does, no thread is stopped. */
  setOpenPages(count: number): void
  /** Resolves when every session has a row. Until then only `sessions`, `health` and `subscribe` are reliable. */
  whenRowsStand(): Promise<void>
  /** Every session has the row of its whole content, though its text may not be searchable yet. */
  hasAllRows(): boolean
  /** Resolves when everything found at the start is indexed. */
  whenReady(): Promise<void>
  /**
   * The store that a command started now would open: after one more scan, with everything read, and without what only a
   * process that ran before can know. null: such a command would answer differently, and has to be run.
   */
  asCommand(): Promise<Store | null>
  close(): Promise<void>
}
