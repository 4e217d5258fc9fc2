import { existsSync } from 'node:fs'
import type {
  BudgetChange,
  BudgetQuery,
  BudgetReport,
  Comparison,
  Coverage,
  Doctor,
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
  SessionQuery,
  Shell,
  SuggestionList,
  SuggestQuery,
  Unread,
  UsageQuery,
  UsageReport,
  UsageSum,
  UsageSumQuery,
} from '@gemini-dash/api'
import { PRICE_LIST } from '@gemini-dash/pricing/overrides'
import type { IndexSearchRequest, IndexSearchResult, SessionIndex } from '@gemini-dash/session-index'
import type { Project, SessionSummary } from 'gemini-sessions'
import type { GeminiHome } from 'gemini-sessions/node'
import type { FoundFolders } from '../folder-search/find-project-folders.ts'
import type { BudgetBook } from '../own-data/budget-book.ts'
import type { PriceBook } from '../own-data/price-file.ts'
import type { CatalogSession } from './catalog/catalog.ts'
import { LiveSessions } from './catalog/live-sessions.ts'
import { liveSummary } from './catalog/live-summary.ts'
import { type KeyResolution, resolveKey } from './catalog/resolve-key.ts'
import { countUnread } from './catalog/unread-book.ts'
import type { WarningBook } from './catalog/warning-book.ts'
import { buildDoctor } from './doctor/build-doctor.ts'
import { describeAntigravity } from './doctor/describe-antigravity.ts'
import { folderSize } from './doctor/folder-size.ts'
import type { Library } from './library/library.ts'
import { listSessions } from './list/list-sessions.ts'
import { resolveList } from './list/resolve-list.ts'
import { findProjects } from './projects/find-projects.ts'
import { listProjects } from './projects/list-projects.ts'
import type { ReaderClient } from './reader/lanes/reader-client.ts'
import type { ThreadRest } from './rest/thread-rest.ts'
import type { InstalledCli } from './resume/plan-resume.ts'
import { resumeSession } from './resume/resume-session.ts'
import { askWhole } from './search/ask-whole.ts'
import { rehearseSearch } from './search/rehearse-search.ts'
import type { SearchScope } from './search/search-scope.ts'
import { searchSessions } from './search/search-sessions.ts'
import { suggestSearch } from './search/suggest-search.ts'
import { type ComparedSource, compareSessions } from './session/compare-sessions.ts'
import { fileHistory } from './session/file-history.ts'
import { SessionContent } from './session/session-content.ts'
import type { Store } from './store.ts'
import { ownZone } from './times/time-zone.ts'
import { largestRows } from './usage/largest-rows.ts'
import { reportBudgets } from './usage/report-budgets.ts'
import { reportUsage } from './usage/report-usage.ts'
import { sessionsInHour } from './usage/sessions-in-hour.ts'
import { ofModel, sumUpUsage } from './usage/sum-up-usage.ts'
import { UsageAnswers } from './usage/usage-answers.ts'
import type { UsageSource } from './usage/usage-source.ts'

export interface LibraryStoreParts {
  homes: GeminiHome[]
  library: Library
  prices: PriceBook
  budgets: BudgetBook
  openIndex: () => Promise<SessionIndex>
  reader: ReaderClient
  listeners: Set<(event: LiveEvent) => void>
  rest: ThreadRest
  /** Ends the watcher and the threads. */
  close: () => Promise<void>
  warnings: WarningBook
  version: string
  isDemo: boolean
  /** null: nothing is kept on disk. */
  cacheDirectory: string | null
  /** Instead of the library's: who has seen nothing grow yet. */
  live?: LiveSessions
}

/** Messages at the end of a compared session, among which its last answer is. */
const COMPARED_TAIL = 100

/** So long after the last question about a session its reader surely asks nothing more. */
const QUIET_MS = 1_000

/** Answers from the library's catalog, the index and the reader; every question goes to the one that knows. */
export class LibraryStore implements Store {
  readonly content: SessionContent
  readonly #parts: LibraryStoreParts
  readonly #live: LiveSessions
  readonly #usage: UsageAnswers
  #hasSearched = false

  constructor(parts: LibraryStoreParts) {
    this.#parts = parts
    const { library, reader } = parts
    this.#live = parts.live ?? library.live
    this.content = new SessionContent({
      library,
      live: this.#live,
      reader,
      searchScope: () => this.#searchScope(),
    })
    this.#usage = new UsageAnswers(library.catalog, (query) =>
      reportUsage(this.#usageSources(), query, this.#projectKeys(query.project)),
    )
    // A view of another store is asked once, and is gone.
    if (parts.live === undefined) void library.indexing.whenComplete().then(() => this.#usage.prepare())
  }

  health(): Health {
    const { library, prices, warnings, version, isDemo } = this.#parts
    return {
      version,
      homes: this.#homes().map(({ path, exists }) => ({
        path,
        exists,
        ...(library.scan.files.every(({ home }) => home !== path) && describeAntigravity(path)),
      })),
      index: { state: library.indexing.isReady ? 'ready' : 'building', ...library.indexing.progress() },
      demo: isDemo,
      prices: { list: PRICE_LIST, plan: prices.current().plan, problem: prices.problem() },
      warnings: warnings.all(),
    }
  }

  projects(): ProjectList {
    const { catalog, projects } = this.#parts.library
    return listProjects(catalog.projects(), this.#summaries(), (path) => projects.isPathGone(path))
  }

  changeProject(key: string, change: ProjectChange): Project | null {
    return this.#parts.library.projects.change(key, change) ? this.#project(key) : null
  }

  async findFolder(key: string, signal: AbortSignal): Promise<FolderSearch | null> {
    const search = await this.#parts.library.projects.findFolders((project) => project.key === key, signal)
    const project = this.#project(key)
    return project === null ? null : { project, path: search.found.get(key) ?? null, looked: search.looked }
  }

  findFolders(signal: AbortSignal): Promise<FoundFolders> {
    return this.#parts.library.projects.findFolders(({ path }) => path === null, signal)
  }

  async sessions(query: SessionQuery): Promise<SessionList> {
    const first = await this.#parts.library.firstList.answer(query, () => this.#summaries())
    const list =
      first ??
      listSessions(
        this.#listed(query),
        resolveList(query, (wanted) => this.#findProjects(wanted)),
      )
    return { ...list, ...this.#read() }
  }

  resolve(keyOrId: string): KeyResolution {
    const sessions = [...this.#parts.library.catalog.sessions()].map(([key, { summary, ownKeys }]) => ({
      key,
      sessionId: summary.sessionId,
      ownKeys,
    }))
    return resolveKey(sessions, keyOrId)
  }

  search(
    query: SearchQuery,
    signal?: AbortSignal,
    onPartial?: (partial: SearchResult) => void,
  ): Promise<SearchResult> {
    this.#hasSearched = true
    return this.#search(query, signal, onPartial)
  }

  async fileHistory(query: FileHistoryQuery): Promise<FileHistory> {
    const index = await this.#parts.openIndex()
    const sources = {
      search: (request: IndexSearchRequest) => index.search(request),
      read: (key: string, path: string, messageKeys: string[]) =>
        this.content.fileCalls(key, path, messageKeys),
    }
    return askWhole(this.#parts.library.indexing, () => fileHistory(query, this.#searchScope(), sources))
  }

  suggest(query: SuggestQuery): Promise<SuggestionList> {
    return suggestSearch(query, this.#searchScope(), async (typed) => {
      const index = await this.#parts.openIndex()
      return index.touchedPaths(typed)
    })
  }

  async compare(a: string, b: string): Promise<Comparison | null> {
    const [one, other] = await Promise.all([this.#compared(a), this.#compared(b)])
    return one === null || other === null ? null : compareSessions(one, other)
  }

  usage(query: UsageQuery): UsageReport {
    const report = this.#usage.answer(query)
    return { ...report, rows: largestRows(report.rows, query), ...this.#read() }
  }

  usageSum({ model, ...query }: UsageSumQuery): UsageSum {
    const { catalog } = this.#parts.library
    const summaryOf = (key: string) => catalog.sessions().get(key)?.summary
    if (model === undefined) return sumUpUsage((by) => this.#usage.answer({ ...query, by }), summaryOf)
    const sources = this.#usageSources().flatMap((source) => ofModel(source, model))
    const projectKeys = this.#projectKeys(query.project)
    return sumUpUsage((by) => reportUsage(sources, { ...query, by }, projectKeys), summaryOf)
  }

  budgets({ tz }: BudgetQuery): BudgetReport {
    const { budgets, library } = this.#parts
    return reportBudgets({
      budgets: budgets.all(),
      projects: library.catalog.projects(),
      usageByProject: (from, to) => this.usage({ by: 'project', format: 'json', from, to, tz }),
      nowMs: Date.now(),
      zone: tz ?? ownZone(),
    })
  }

  setBudget(scope: string, { usdPerMonth }: BudgetChange): true | null {
    const { budgets, library } = this.#parts
    const project = scope === 'all' ? null : library.catalog.projects().find(({ key }) => key === scope)
    if (project === undefined) return null
    budgets.set(project, usdPerMonth)
    return true
  }

  async doctor(): Promise<Doctor> {
    const { library, cacheDirectory, warnings } = this.#parts
    return buildDoctor({
      homes: this.#homes(),
      scan: library.scan,
      projects: library.catalog.projects(),
      sessions: this.#sessions(),
      cache: { path: cacheDirectory, sizeBytes: await folderSize(cacheDirectory) },
      warnings: warnings.all(),
      // A command that found all rows kept indexes nothing.
      isComplete: library.indexing.isReady || library.indexing.hasAllRows(),
      nowMs: Date.now(),
      unread: library.unread.files(),
    })
  }

  resume(key: string, shell: Shell, cli: InstalledCli): Resume | null {
    const sources = { homes: this.#homes(), sessions: this.#sessions(), nowMs: Date.now() }
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
    this.#hasSearched = false
    return rehearseSearch({
      search: (query) => this.#search(query),
      isNeeded: () => !this.#hasSearched,
      isQuiet: () => this.#parts.reader.isQuietFor(QUIET_MS),
    })
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
    return new LibraryStore({ ...this.#parts, live: new LiveSessions(() => {}) })
  }

  async close(): Promise<void> {
    this.#parts.listeners.clear()
    await this.#parts.close()
  }

  async #search(
    query: SearchQuery,
    signal?: AbortSignal,
    onPartial?: (partial: SearchResult) => void,
  ): Promise<SearchResult> {
    // the other modes read files: which are whose, the heads of all tell
    await (query.mode === 'words' ? this.#parts.library.whenSearchable() : this.whenRowsStand())
    const index = await this.#parts.openIndex()
    const asking = {
      search: (request: IndexSearchRequest, tell?: (partial: IndexSearchResult) => void) =>
        index.search(request, {
          ...(signal !== undefined && { signal }),
          ...(tell !== undefined && { onPartial: tell }),
        }),
      closestWords: (words: string[]) => index.closestWords(words),
    }
    const result = await askWhole(this.#parts.library.indexing, () =>
      searchSessions(query, this.#searchScope(), asking, onPartial),
    )
    return { ...result, ...this.#unread() }
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

  #usageSources(): UsageSource[] {
    return this.#sessions().map(({ summary, record: { buckets, tools } }) => ({ summary, buckets, tools }))
  }

  /** A home can appear and go while we run. */
  #homes(): GeminiHome[] {
    return this.#parts.homes.map((home) => ({ ...home, exists: existsSync(home.path) }))
  }

  #project(key: string): Project | null {
    return this.projects().projects.find((project) => project.key === key) ?? null
  }

  #sessions(): CatalogSession[] {
    return [...this.#parts.library.catalog.sessions().values()].map((session) =>
      this.#live.isLive(session) ? { ...session, summary: liveSummary(session.summary) } : session,
    )
  }

  #summaries(): SessionSummary[] {
    return this.#sessions().map(({ summary }) => summary)
  }

  /** Those that may be listed: of an hour of the week, only the calls tell. */
  #listed({ hour, from, to, tz }: SessionQuery): SessionSummary[] {
    if (hour === undefined) return this.#summaries()
    const keys = sessionsInHour(this.#usageSources(), { hour, from, to }, tz ?? ownZone())
    return this.#summaries().filter(({ key }) => keys.has(key))
  }

  #projectKeys(wanted: string | undefined): ReadonlySet<string> | null {
    return wanted === undefined || wanted === '' ? null : this.#findProjects(wanted)
  }

  #findProjects(wanted: string): ReadonlySet<string> {
    return findProjects(this.projects().projects, wanted)
  }

  #searchScope(): SearchScope {
    const { catalog, indexing } = this.#parts.library
    const live = this.#live
    const allProjects = () => this.projects().projects
    return {
      sessions: catalog.sessions(),
      // Adds up all sessions, and few searches ask for it.
      get projects() {
        return allProjects()
      },
      isLive: (session) => live.isLive(session),
      resolve: (keyOrId) => this.resolve(keyOrId),
      coverage: indexing.progress(),
      isReady: indexing.isReady,
    }
  }

  async #compared(key: string): Promise<ComparedSource | null> {
    const detail = await this.content.session(key)
    if (detail === null) return null
    const offset = Math.max(0, detail.messageTotal - COMPARED_TAIL)
    const [files, page] = await Promise.all([
      this.content.answer('files', key, {}),
      this.content.answer('messages', key, { offset, limit: COMPARED_TAIL, superseded: 'include' }),
    ])
    const { session, outline } = detail
    const tools = this.#parts.library.catalog.sessions().get(key)?.record.tools ?? []
    return { session, outline, tools, files: files?.files ?? [], tail: page?.messages ?? [] }
  }
}
