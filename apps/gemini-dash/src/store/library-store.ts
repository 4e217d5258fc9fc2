import type {
  Comparison,
  Coverage,
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
  SearchResult,
  SessionList,
  SessionQuery,
  Shell,
  SuggestionList,
  SuggestQuery,
  Unread,
  UsageQuery,
  UsageReport,
} from '@gemini-dash/api'
import type { IndexSearchRequest, SessionIndex } from '@gemini-dash/session-index'
import type { Project, SessionSummary } from 'gemini-sessions'
import type { FoundFolders } from '../folder-search/find-project-folders.ts'
import type { BudgetBook } from '../own-data/budget-book.ts'
import type { MarkBook } from '../own-data/marks/mark-book.ts'
import { LiveSessions } from './catalog/live-sessions.ts'
import type { KeyResolution } from './catalog/resolve-key.ts'
import { countUnread } from './catalog/unread-book.ts'
import type { InstalledCli } from './cli/installed-cli.ts'
import { OwnState, type OwnStateParts } from './doctor/own-state.ts'
import { SessionLists } from './list/session-lists.ts'
import type { ReaderClient } from './reader/lanes/reader-client.ts'
import type { ThreadRest } from './rest/thread-rest.ts'
import { resumeSession } from './resume/resume-session.ts'
import { askWhole } from './search/ask-whole.ts'
import { Searches } from './search/searches.ts'
import { suggestSearch } from './search/suggest-search.ts'
import { comparedTools, compareSessions, readCompared } from './session/compare-sessions.ts'
import { fileHistory } from './session/file-history.ts'
import { SessionContent } from './session/session-content.ts'
import { ShownSessions } from './shown-sessions.ts'
import type { Store } from './store.ts'
import { withMoments } from './times/time-range.ts'
import { UsageQuestions } from './usage/usage-questions.ts'

export interface LibraryStoreParts extends OwnStateParts {
  budgets: BudgetBook
  marks: MarkBook
  openIndex: () => Promise<SessionIndex>
  reader: ReaderClient
  listeners: Set<(event: LiveEvent) => void>
  rest: ThreadRest
  /** Ends the watcher and the threads. */
  close: () => Promise<void>
  /** Instead of the library's: who has seen nothing grow yet. */
  live?: LiveSessions
}

/** So long after the last question about a session its reader surely asks nothing more. */
const QUIET_MS = 1_000

/** Answers from the library's catalog, the index and the reader; every question goes to the one that knows. */
export class LibraryStore implements Store {
  readonly content: SessionContent
  /** The row of a session that changed alone, as a list has it; null: that takes a look at others. */
  readonly rowOf: (...of: Parameters<ShownSessions['show']>) => SessionSummary | null
  readonly marks: Store['marks']
  readonly #parts: LibraryStoreParts
  readonly #shown: ShownSessions
  readonly #state: OwnState
  readonly #usage: UsageQuestions
  readonly #lists: SessionLists
  readonly #searches: Searches

  constructor(parts: LibraryStoreParts) {
    this.#parts = parts
    const { library, reader, homes, homeNames, clock } = parts
    const live = parts.live ?? library.live
    const shown = new ShownSessions(library, live, parts.marks)
    this.#shown = shown
    this.marks = () => shown.marks()
    this.#state = new OwnState(parts)
    const { deletions } = this.#state
    this.rowOf = (session) => deletions.tellAlone(shown.show(session))
    const searchScope = () => shown.searchScope()
    this.content = new SessionContent({ library, live, reader, deletions, searchScope, clock })
    this.#searches = new Searches({
      indexing: library.indexing,
      openIndex: parts.openIndex,
      scope: searchScope,
      clock,
      // the other modes read files: which are whose, the heads of all tell
      whenFindable: (mode) => (mode === 'words' ? library.whenSearchable() : this.whenRowsStand()),
      isQuiet: () => reader.isQuietFor(QUIET_MS),
    })
    this.#usage = new UsageQuestions({
      catalog: library.catalog,
      budgets: parts.budgets,
      sources: () => shown.usageSources(),
      findProjects: (wanted) => shown.findProjects(wanted),
      clock,
    })
    this.#lists = new SessionLists({ library, shown, homes, homeNames, usage: this.#usage })
    // A view of another store is asked once, and is gone.
    if (parts.live === undefined) void library.indexing.whenComplete().then(() => this.#usage.prepare())
  }

  health(): Health {
    return this.#state.health()
  }

  projects(): ProjectList {
    return this.#shown.projects()
  }

  changeProject(key: string, change: ProjectChange): Project | null {
    return this.#parts.library.projects.change(key, change) ? this.#shown.project(key) : null
  }

  async findFolder(key: string, signal: AbortSignal): Promise<FolderSearch | null> {
    const search = await this.#parts.library.projects.findFolders((project) => project.key === key, signal)
    const project = this.#shown.project(key)
    return project === null ? null : { project, path: search.found.get(key) ?? null, looked: search.looked }
  }

  findFolders(signal: AbortSignal): Promise<FoundFolders> {
    return this.#parts.library.projects.findFolders(({ path }) => path === null, signal)
  }

  async sessions(query: SessionQuery): Promise<SessionList> {
    this.#parts.marks.reload()
    const list = await this.#lists.answer(withMoments(query, this.#parts.clock()))
    return { ...list, sessions: this.#state.deletions.tellAll(list.sessions), ...this.#read() }
  }

  resolve(keyOrId: string): KeyResolution {
    return this.#shown.resolve(keyOrId)
  }

  async search(...asked: Parameters<Store['search']>): Promise<SearchResult> {
    this.#parts.marks.reload()
    return { ...(await this.#searches.search(...asked)), ...this.#unread() }
  }

  async fileHistory(query: FileHistoryQuery): Promise<FileHistory> {
    const index = await this.#parts.openIndex()
    const sources = {
      search: (request: IndexSearchRequest) => index.search(request),
      read: (key: string, path: string, messageKeys: string[]) =>
        this.content.fileCalls(key, path, messageKeys),
    }
    return askWhole(this.#parts.library.indexing, () =>
      fileHistory(query, this.#shown.searchScope(), sources),
    )
  }

  suggest(query: SuggestQuery): Promise<SuggestionList> {
    const touchedPaths = async (typed: string) => (await this.#parts.openIndex()).touchedPaths(typed)
    return suggestSearch(query, this.#shown.searchScope(), touchedPaths, this.#parts.clock())
  }

  async compare(a: string, b: string): Promise<Comparison | null> {
    const { catalog } = this.#parts.library
    const [one, other] = await Promise.all(
      [a, b].map((key) => readCompared(this.content, key, comparedTools(catalog.sessions(), key))),
    )
    return one && other ? compareSessions(one, other) : null
  }

  usage(query: UsageQuery): UsageReport {
    return { ...this.#usage.usage(withMoments(query, this.#parts.clock())), ...this.#read() }
  }

  usageSum: Store['usageSum'] = (query) => this.#usage.sum(withMoments(query, this.#parts.clock()))

  usageWhy: Store['usageWhy'] = (query) => ({
    ...this.#usage.why(withMoments(query, this.#parts.clock())),
    ...this.#read(),
  })

  budgets: Store['budgets'] = (query) => this.#usage.budgets(query)

  setBudget: Store['setBudget'] = (scope, change) => this.#usage.setBudget(scope, change)

  doctor(): Promise<Doctor> {
    return this.#state.doctor(this.#shown.all(), this.projects().projects, this.#usage.unpriced())
  }

  doctorNotes(): Promise<DoctorNotes> {
    return this.#state.doctorNotes(this.#shown.all())
  }

  resume(key: string, shell: Shell, cli: InstalledCli): Resume | null {
    const sources = { homes: this.#state.homes(), sessions: this.#shown.all(), nowMs: this.#parts.clock() }
    return resumeSession(sources, key, shell, cli)
  }

  subscribe(listener: (event: LiveEvent) => void): () => void {
    this.#parts.listeners.add(listener)
    return () => this.#parts.listeners.delete(listener)
  }

  setOpenPages(count: number): void {
    void this.#parts.rest.setOpenPages(count).then((haveBegun) => {
      if (haveBegun) void this.rehearse()
    })
  }

  /** Has a search done that nobody waits for, unless somebody searches before. */
  rehearse(): Promise<void> {
    return this.#searches.rehearse()
  }

  whenRowsStand(): Promise<void> {
    return this.#parts.library.firstList.whenRowsStand()
  }

  whenReady(): Promise<void> {
    return this.#parts.library.indexing.whenReady()
  }

  hasAllRows(): boolean {
    return this.#parts.library.indexing.hasAllRows()
  }

  async asCommand(): Promise<Store | null> {
    const { library, warnings, prices } = this.#parts
    await library.indexing.whenReady()
    await library.refresh()
    await library.indexing.whenCaughtUp()
    // It would say so for itself, or be told by the disk what it was not told then.
    const isTroubled = warnings.all().length > 0 || library.unread.files().size > 0
    if (isTroubled || prices.problem() !== null) return null
    return new LibraryStore({ ...this.#parts, live: new LiveSessions(() => {}, this.#parts.clock) })
  }

  async close(): Promise<void> {
    this.#parts.listeners.clear()
    await this.#parts.close()
  }

  /** To be spread into an answer: of what it is made. */
  #read(): { coverage: Coverage; unread?: Unread } {
    return { coverage: this.#parts.library.indexing.progress(), ...this.#unread() }
  }

  /** To be spread into an answer: nothing where everything could be read. */
  #unread(): { unread?: Unread } {
    const unread = countUnread(this.#parts.library.unread.files())
    return unread === undefined ? {} : { unread }
  }
}
