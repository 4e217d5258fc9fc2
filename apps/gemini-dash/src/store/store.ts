import type {
  BudgetChange,
  BudgetQuery,
  BudgetReport,
  Coverage,
  Doctor,
  DoctorNotes,
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
  Unread,
  UsageQuery,
  UsageReport,
  UsageWhy,
  UsageWhyQuery,
} from '@gemini-dash/api'
import type { CommandQuery, EditQuery, IndexSearchRequest, SessionIndex } from '@gemini-dash/session-index'
import { isSamePath, type Project, type SessionSummary } from 'gemini-sessions'
import type { FoundFolders } from '../folder-search.ts'
import type { MarkStore } from '../own-data/open-marks.ts'
import type { BudgetStore } from '../own-data/price-file.ts'
import { OwnState, type OwnStateParts } from './doctor/own-state.ts'
import type { InstalledCli } from './installed-cli.ts'
import { SessionLists } from './list.ts'
import { findProjects, ProjectSums } from './projects.ts'
import type { ReaderClient } from './reader/reader-client.ts'
import { resumeSession } from './resume-session.ts'
import type { ErrorText } from './search/error-text.ts'
import { sessionsUsing } from './search/resolve-search.ts'
import { type SearchScope, suggestSearch } from './search/search-scope.ts'
import { askWhole, type SearchAsides, Searches } from './search/searches.ts'
import { type CommandsAnswer, findCommand } from './session/find-command.ts'
import { type FixAnswer, findFix } from './session/find-fix.ts'
import { SessionContent } from './session/session-content.ts'
import { type KeyedSession, type KeyResolution, resolveKey, shortenKeys } from './sync/resolve-key.ts'
import { countUnread } from './sync/retries.ts'
import { type LinkedSession, LiveSessions, liveSummary } from './sync/rows.ts'
import type { Sync } from './sync/sync.ts'
import type { ThreadRest } from './thread-rest.ts'
import { withMoments } from './times.ts'
import { UsageQuestions } from './usage/usage-questions.ts'
import { toUsageSources, type UsageSource } from './usage/usage-source.ts'
import type { WarningList } from './warnings.ts'

interface StoreParts extends OwnStateParts {
  budgets: BudgetStore
  marks: MarkStore
  openIndex: () => Promise<SessionIndex>
  reader: ReaderClient
  listeners: Set<(event: LiveEvent) => void>
  rest: ThreadRest
  /** Ends the watcher and the threads. */
  close: () => Promise<void>
  /** Instead of that of `sync`: who has seen nothing grow yet. */
  live?: LiveSessions
}

/** Tools of our MCP server, by the name that any version of Gemini CLI gives them (`mcp_gemini-dash_get_session`): they repeat what other sessions say. */
const OWN_TOOL = /(?:^|_)gemini-dash_/

/** So long after the last question about a session its reader surely asks nothing more. */
const QUIET_MS = 1_000

/** Warnings of the server, of which a command knows nothing; damage is reported once. */
const OF_SERVER: ReadonlySet<string> = new Set(['connections-full', 'server-restarted', 'data-damaged'])

/**
 * Answers every question of the API and of the command line. Knows no HTTP.
 * While the index is being built answers are given from what is there; `whenReady` waits for the rest.
 */
export class Store {
  /** What is in each session. */
  readonly content: SessionContent
  /** What the program goes on without just now. */
  readonly warnings: WarningList
  readonly #parts: StoreParts
  readonly #shown: ShownSessions
  readonly #state: OwnState
  readonly #usage: UsageQuestions
  readonly #lists: SessionLists
  readonly #searches: Searches

  constructor(parts: StoreParts) {
    this.#parts = parts
    this.warnings = parts.warnings
    const { sync, reader, homes, homeNames, clock } = parts
    const live = parts.live ?? sync.live
    const shown = new ShownSessions(sync, live, parts.marks)
    this.#shown = shown
    this.#state = new OwnState(parts)
    const { deletions } = this.#state
    const searchScope = () => shown.searchScope()
    this.content = new SessionContent({ sync, live, reader, deletions, searchScope, clock })
    this.#searches = new Searches({
      indexing: sync.indexing,
      openIndex: parts.openIndex,
      scope: searchScope,
      clock,
      // the other modes read files: which are whose, the heads of all tell
      whenFindable: (mode) => (mode === 'words' ? sync.whenSearchable() : this.whenRowsStand()),
      isQuiet: () => reader.isQuietFor(QUIET_MS),
    })
    this.#usage = new UsageQuestions({
      rows: sync.rows,
      budgets: parts.budgets,
      sources: () => shown.usageSources(),
      findProjects: (wanted) => shown.findProjects(wanted),
      clock,
    })
    this.#lists = new SessionLists({ sync, shown, homes, homeNames, usage: this.#usage })
    // A view of another store is asked once, and is gone.
    if (parts.live === undefined) void sync.indexing.whenComplete().then(() => this.#usage.prepare())
  }

  health(): Health {
    return this.#state.health()
  }

  projects(): ProjectList {
    return this.#shown.projects()
  }

  /** Those that a name means; without one all. */
  projectsMeant(wanted: string | undefined): ProjectList {
    const all = this.projects()
    if (wanted === undefined) return all
    const keys = findProjects(all.projects, wanted)
    const projects = all.projects.filter(({ key }) => keys.has(key))
    return { projects, total: projects.length }
  }

  /** What the user says of a project. @throws if it could not be kept */
  changeProject(key: string, change: ProjectChange): Project | null {
    return this.#parts.sync.projects.change(key, change) ? this.#shown.project(key) : null
  }

  /** Looks on this computer for the folder of one project. */
  async findFolder(key: string, signal: AbortSignal): Promise<FolderSearch | null> {
    const search = await this.#parts.sync.projects.findFolders((project) => project.key === key, signal)
    const project = this.#shown.project(key)
    return project === null ? null : { project, path: search.found.get(key) ?? null, looked: search.looked }
  }

  /** Looks for the folders of all projects whose path is not known. */
  findFolders(signal: AbortSignal): Promise<FoundFolders> {
    return this.#parts.sync.projects.findFolders(({ path }) => path === null, signal)
  }

  async sessions(query: SessionQuery): Promise<SessionList> {
    this.#parts.marks.reload()
    const list = await this.#lists.answer(withMoments(query, this.#parts.clock()))
    return { ...list, sessions: this.#state.deletions.tellAll(list.sessions), ...this.#read() }
  }

  /** A session key, any own key of its files, a `sessionId`, or a unique prefix of one of these. */
  resolve(keyOrId: string): KeyResolution {
    return this.#shown.resolve(keyOrId)
  }

  /** The key of the one session that there is beside its sub-agents; null: there are none or several. */
  onlySession(): string | null {
    const [first, ...others] = this.#shown.all().filter(({ summary }) => summary.kind !== 'subagent')
    return first === undefined || others.length > 0 ? null : first.summary.key
  }

  /** The beginnings of keys that are enough to name these sessions; the whole keys while not all sessions are known. */
  shortKeys(keys: readonly string[]): Record<string, string> {
    return this.hasAllRows() ? Object.fromEntries(this.#shown.shortenKeys(keys)) : {}
  }

  /** Stars, notes, tags and titles, by the key that a session has now; of a session that is gone, by its last key. */
  marks(): ReadonlyMap<string, SessionMark> {
    return this.#shown.marks()
  }

  /** @throws the signal's reason, once it says that nobody waits any more */
  async search(query: SearchQuery, asides?: SearchAsides): Promise<SearchResult> {
    this.#parts.marks.reload()
    return { ...(await this.#searches.search(query, asides)), ...this.#unread() }
  }

  /** The rows of these sessions, in their order; of those that are gone, none. */
  rowsOf(keys: readonly string[]): SessionSummary[] {
    return this.#shown.rowsOf(keys)
  }

  /** What of the record an agent that works in these folders has just made itself. */
  ownTraces(folders: readonly string[]): OwnTraces {
    return this.#shown.ownTraces(folders)
  }

  /** How an error went away before, in the sessions of a project or in all. */
  async findFix({ error, project }: { error: string; project?: string | undefined }): Promise<FixAnswer> {
    await this.#parts.sync.whenSearchable()
    const index = await this.#parts.openIndex()
    const sources = {
      search: (request: IndexSearchRequest) => index.search(request),
      edits: (query: EditQuery) => index.edits(query),
      read: (key: string, messageKeys: string[], asked: ErrorText) =>
        this.content.fixes(key, messageKeys, asked),
      isMeant: this.#isOfProject(project),
    }
    return askWhole(this.#parts.sync.indexing, () => findFix(error, this.#shown.searchScope(), sources))
  }

  /** How something was run, in the sessions of a project or in all. */
  async findCommand({
    words,
    project,
    limit,
  }: {
    words: string
    project?: string | undefined
    limit: number
  }): Promise<CommandsAnswer> {
    await this.#parts.sync.whenSearchable()
    const index = await this.#parts.openIndex()
    const sources = {
      commands: (query: CommandQuery) => index.commands(query),
      read: (key: string, messageKey: string, place: number) => this.content.command(key, messageKey, place),
      isMeant: this.#isOfProject(project),
    }
    return askWhole(this.#parts.sync.indexing, () =>
      findCommand(words, limit, this.#shown.searchScope(), sources),
    )
  }

  /** null: any session is. */
  #isOfProject(wanted: string | undefined): ((summary: SessionSummary) => boolean) | null {
    if (wanted === undefined) return null
    const keys = this.#shown.findProjects(wanted)
    return ({ project }) => keys.has(project.key)
  }

  /** How the word or value at the caret could be completed. */
  suggest(query: SuggestQuery): Promise<SuggestionList> {
    const touchedPaths = async (typed: string) => (await this.#parts.openIndex()).touchedPaths(typed)
    return suggestSearch(query, this.#shown.searchScope(), touchedPaths, this.#parts.clock())
  }

  usage(query: UsageQuery): UsageReport {
    return { ...this.#usage.usage(withMoments(query, this.#parts.clock())), ...this.#read() }
  }

  /**
   * Everything that `usage` counts, and sessions of which only prompts are known: what tables are made of, in an order that
   * stays. A saved chat is not among them, as it repeats its session. `project`: only what it names.
   */
  tableSources(project: string | undefined): UsageSource[] {
    const keys = project === undefined ? null : this.#shown.findProjects(project)
    const order = ({ summary: { startTime, key } }: UsageSource) => `${startTime ?? ''} ${key}`
    return this.#shown
      .usageSources()
      .filter(({ summary }) => summary.kind !== 'checkpoint' && keys?.has(summary.project.key) !== false)
      .sort((a, b) => (order(a) < order(b) ? -1 : 1))
  }

  /** What a figure of the usage report is the sum of. */
  usageWhy(query: UsageWhyQuery): UsageWhy {
    return { ...this.#usage.why(withMoments(query, this.#parts.clock())), ...this.#read() }
  }

  /** This month's cost beside the budgets that the user set. */
  budgets(query: BudgetQuery): BudgetReport {
    return this.#usage.budgets(query)
  }

  /** `scope`: `all`, or the key of a project; null: there is no such project. @throws if it could not be kept */
  setBudget(scope: string, change: BudgetChange): true | null {
    return this.#usage.setBudget(scope, change)
  }

  doctor(): Promise<Doctor> {
    return this.#state.doctor(this.#shown.all(), this.projects().projects, this.#usage.unpriced())
  }

  doctorNotes(): Promise<DoctorNotes> {
    return this.#state.doctorNotes(this.#shown.all())
  }

  /** How Gemini CLI goes on with a session; null: there is no such session. */
  resume(key: string, shell: Shell, cli: InstalledCli, at?: number): Resume | null {
    const sources = {
      ...{ homes: this.#state.homes(), isOpened: this.#state.isOfOpenedFiles() },
      ...{ sessions: this.#shown.all(), nowMs: this.#parts.clock() },
    }
    return resumeSession(sources, key, { shell, cli, at })
  }

  /** Calls the listener for every change; returns the function that ends it. */
  subscribe(listener: (event: LiveEvent) => void): () => void {
    this.#parts.listeners.add(listener)
    return () => this.#parts.listeners.delete(listener)
  }

  /** How many pages listen. While one does, no thread is stopped. */
  setOpenPages(count: number): void {
    void this.#parts.rest.setOpenPages(count).then((haveBegun) => {
      if (haveBegun) void this.warmUp()
    })
  }

  /** Has a search done that nobody waits for, unless somebody searches before. */
  warmUp(): Promise<void> {
    return this.#searches.warmUp()
  }

  /** Resolves when every session has a row. Until then only `sessions`, `health` and `subscribe` are reliable. */
  whenRowsStand(): Promise<void> {
    return this.#parts.sync.firstList.whenRowsStand()
  }

  /** Resolves when everything found at the start is indexed. */
  whenReady(): Promise<void> {
    return this.#parts.sync.indexing.whenReady()
  }

  /** Everything that was asked of the index is read. */
  isReady(): boolean {
    return this.#parts.sync.indexing.isReady
  }

  /** Every session has the row of its whole content, though its text may not be searchable yet. */
  hasAllRows(): boolean {
    return this.#parts.sync.indexing.hasAllRows()
  }

  /**
   * The store that a command started now would open: after one more scan, with everything read, and without what only a
   * process that ran before can know. null: such a command would answer differently, and has to be run.
   */
  async asCommand(): Promise<Store | null> {
    const { sync, warnings, prices } = this.#parts
    await sync.indexing.whenReady()
    await sync.catchUp()
    // It would say so for itself, or be told by the disk what it was not told then.
    const isWarned = warnings.all().some(({ code }) => !OF_SERVER.has(code))
    const isTroubled = isWarned || sync.unread.files().size > 0
    if (isTroubled || prices.problem() !== null) return null
    return new Store({ ...this.#parts, live: new LiveSessions(() => {}, this.#parts.clock) })
  }

  async close(): Promise<void> {
    this.#parts.listeners.clear()
    await this.#parts.close()
  }

  /** To be spread into an answer: of what it is made. */
  #read(): { coverage: Coverage; unread?: Unread } {
    return { coverage: this.#parts.sync.indexing.progress(), ...this.#unread() }
  }

  /** To be spread into an answer: nothing where everything could be read. */
  #unread(): { unread?: Unread } {
    const unread = countUnread(this.#parts.sync.unread.files())
    return unread === undefined ? {} : { unread }
  }
}

/** What an agent that asks has just made itself. */
export interface OwnTraces {
  /** The newest session that is being written in one of its folders: the one that asks. */
  running: SessionSummary | null
  /** Names of our own tools that were called in any session. */
  tools: string[]
}

interface Known {
  revision: number
  linked: ReturnType<Sync['rows']['sessions']>
  all: readonly LinkedSession[]
  summaries: readonly SessionSummary[]
  /** null: nobody has asked. */
  usage: readonly UsageSource[] | null
}

/** The sessions and projects of the rows as one reader sees them, who knows which of them are being written. */
class ShownSessions {
  readonly #sync: Sync
  readonly #live: LiveSessions
  readonly #marks: MarkStore
  readonly #projects = new ProjectSums()
  /** As long as no row changes, the next question is answered of the same. */
  #known: Known | null = null

  constructor(sync: Sync, live: LiveSessions, marks: MarkStore) {
    this.#sync = sync
    this.#live = live
    this.#marks = marks
  }

  all(): readonly LinkedSession[] {
    return this.#knownNow().all
  }

  show(session: LinkedSession): LinkedSession {
    return this.#live.isLive(session) ? { ...session, summary: liveSummary(session.summary) } : session
  }

  rowsOf(keys: readonly string[]): SessionSummary[] {
    const { linked } = this.#knownNow()
    return keys.flatMap((key) => {
      const session = linked.get(key)
      return session === undefined ? [] : this.show(session).summary
    })
  }

  ownTraces(folders: readonly string[]): OwnTraces {
    const isHere = (path: string | null) =>
      path !== null && folders.some((folder) => isSamePath(path, folder))
    const running = [...this.#sync.rows.sessions().values()]
      .filter((session) => isHere(session.summary.project.path) && this.#live.isLive(session))
      .map(({ summary }) => summary)
      .filter(({ kind }) => kind === 'main')
      .sort((a, b) => (b.endTime ?? '').localeCompare(a.endTime ?? ''))
    const tools = this.all().flatMap(({ record }) => record.tools.map(({ name }) => name))
    return { running: running[0] ?? null, tools: [...new Set(tools)].filter((name) => OWN_TOOL.test(name)) }
  }

  summaries(): readonly SessionSummary[] {
    return this.#knownNow().summaries
  }

  /** Keys of the sessions with such calls and attachments; null: neither is asked for. */
  using(query: Pick<SessionQuery, 'tool' | 'attachments'>): ReadonlySet<string> | null {
    return sessionsUsing(this.all(), query)
  }

  usageSources(): readonly UsageSource[] {
    const known = this.#knownNow()
    known.usage ??= toUsageSources(known.all)
    return known.usage
  }

  #knownNow(): Known {
    const { rows } = this.#sync
    const { revision } = rows
    const linked = rows.sessions()
    if (this.#known?.revision !== revision || this.#known.linked !== linked) {
      const all = [...linked.values()].map((session) => this.show(session))
      this.#known = { revision, linked, all, summaries: all.map(({ summary }) => summary), usage: null }
    }
    return this.#known
  }

  resolve(keyOrId: string): KeyResolution {
    return resolveKey(this.#keyed(), keyOrId)
  }

  shortenKeys(keys: readonly string[]): Map<string, string> {
    return shortenKeys(this.#keyed(), keys)
  }

  #keyed(): KeyedSession[] {
    return [...this.#sync.rows.sessions()].map(([key, { summary, ownKeys }]) => ({
      key,
      sessionId: summary.sessionId,
      ownKeys,
    }))
  }

  /** What was said of sessions, by their keys as they are now; of one that is gone, by that under which it was said. */
  marks(): Map<string, SessionMark> {
    this.#marks.reload()
    const marks = this.#marks.all()
    for (const { summary, ownKeys } of this.#sync.rows.sessions().values()) {
      const said = [summary.key, ...ownKeys].filter((key) => marks.has(key))
      if (said.length === 0) continue
      const mark = this.#marks.of(summary.key, ownKeys)
      for (const key of said) marks.delete(key)
      if (mark !== null) marks.set(summary.key, mark)
    }
    return marks
  }

  projects(): ProjectList {
    const { rows, projects } = this.#sync
    return this.#projects.list(rows.projects(), this.summaries(), (path) => projects.isPathGone(path))
  }

  project(key: string): Project | null {
    return this.projects().projects.find((project) => project.key === key) ?? null
  }

  findProjects(wanted: string): ReadonlySet<string> {
    return findProjects(this.projects().projects, wanted)
  }

  searchScope(): SearchScope {
    const { rows, indexing } = this.#sync
    const allProjects = () => this.projects().projects
    return {
      sessions: rows.sessions(),
      // Adds up all sessions, and few searches ask for it.
      get projects() {
        return allProjects()
      },
      isLive: (session) => this.#live.isLive(session),
      notesOf: ({ summary, ownKeys }) => this.#marks.notesOf(summary.key, ownKeys),
      resolve: (keyOrId) => this.resolve(keyOrId),
      coverage: indexing.progress(),
      isReady: indexing.isReady,
    }
  }
}
