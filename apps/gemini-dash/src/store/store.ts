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
import type { InstalledCli } from './resume/plan-resume.ts'
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
  /** What the user said of sessions, by their keys as they are now; of one that is gone, by that under which it was said. */
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
  /** What the word or value at the caret could go on as. */
  suggest(query: SuggestQuery): Promise<SuggestionList>
  /** Two sessions side by side. */
  compare(a: string, b: string): Promise<Comparison | null>
  usage(query: UsageQuery): UsageReport
  /** What a figure of the usage report is the sum of. */
  usageSum(query: UsageSumQuery): UsageSum
  /** Where the cost of these sessions went. */
  usageWhy(query: UsageWhyQuery): UsageWhy
  /** How the month that runs stands to the budgets that the user set. */
  budgets(query: BudgetQuery): BudgetReport
  /** `scope`: `all`, or the key of a project; null: there is no such project. @throws if it could not be kept */
  setBudget(scope: string, change: BudgetChange): true | null
  doctor(): Promise<Doctor>
  doctorNotes(): DoctorNotes
  /** How Gemini CLI goes on with a session; null: there is no such session. */
  resume(key: string, shell: Shell, cli: InstalledCli): Resume | null
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
  /**
   * The same store as a command that is started now would have it: after one more look at the disk, with all of it read, and
   * without what only a process knows that was there before. null: that command would know or lack something else.
   */
  asCommand(): Promise<Store | null>
  close(): Promise<void>
}
