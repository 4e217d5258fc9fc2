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
import { askWhole, type SearchExtras, Searches } from './search/searches.ts'
import { type CommandsAnswer, findCommand } from './session/find-command.ts'
import { type FixAnswer, findFix } from './session/find-fix.ts'
import { SessionContent } from './session/session-content.ts'
import { LiveSessions, liveSummary } from './sync/live-sessions.ts'
import { type KeyedSession, type KeyResolution, resolveKey, shortenKeys } from './sync/resolve-key.ts'
import { countUnread } from './sync/retries.ts'
import type { LinkedSession } from './sync/rows.ts'
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
  /** Replaces that of `sync`: an instance that has not seen anything grow yet. */
  live?: LiveSessions
}

/**
 * Tools of our MCP server, by the name that any version of Gemini CLI gives them (`mcp_gemini-dash_get_session`): they repeat texts of
 * other sessions.
 */
const OWN_TOOL = /(?:^|_)gemini-dash_/

/** This long after the last question about a session, its user is unlikely to ask more right away. */
const QUIET_MS = 1_000

/** Warnings of the server that do not concern a command; damage is reported once. */
const OF_SERVER: ReadonlySet<string> = new Set(['connections-full', 'server-restarted', 'data-damaged'])

/**
 * Answers every question of the API and of the command line. Knows nothing of HTTP. While the index is being built, answers cover what has
 * been read; `whenReady` waits for the rest.
 */
export class Store {
  /** The content of each session. */
  readonly content: SessionContent
  /** What the program currently works without. */
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
      // the other modes read files, and need all heads to know which sessions they belong to
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
    this.#lists = new SessionLists({ sync, shown, homes, homeNames })
    // A view of another store answers one question, then it is gone.
    if (parts.live === undefined) void sync.indexing.whenComplete().then(() => this.#usage.prepare())
  }

  health(): Health {
    return this.#state.health()
  }

  projects(): ProjectList {
    return this.#shown.projects()
  }

  /** The projects that a name refers to; all without one. */
  projectsMeant(wanted: string | undefined): ProjectList {
    const all = this.projects()
    if (wanted === undefined) return all
    const keys = findProjects(all.projects, wanted)
    const projects = all.projects.filter(({ key }) => keys.has(key))
    return { projects, total: projects.length }
  }

  /** Changes what the user entered for a project. @throws if it could not be saved */
  changeProject(key: string, change: ProjectChange): Project | null {
    return this.#parts.sync.projects.change(key, change) ? this.#shown.project(key) : null
  }

  /** Searches this computer for the folder of one project. */
  async findFolder(key: string, signal: AbortSignal): Promise<FolderSearch | null> {
    const search = await this.#parts.sync.projects.findFolders((project) => project.key === key, signal)
    const project = this.#shown.project(key)
    return project === null ? null : { project, path: search.found.get(key) ?? null, looked: search.looked }
  }

  /** Searches for the folders of all projects whose path is unknown. */
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

  /** The key of the only session apart from its sub-agents; null: there are none or several. */
  onlySession(): string | null {
    const [first, ...others] = this.#shown.all().filter(({ summary }) => summary.kind !== 'subagent')
    return first === undefined || others.length > 0 ? null : first.summary.key
  }

  /** Unique prefixes of these keys; the full keys while not all sessions are known. */
  shortKeys(keys: readonly string[]): Record<string, string> {
    return this.hasAllRows() ? Object.fromEntries(this.#shown.shortenKeys(keys)) : {}
  }

  /** Stars, notes, tags and titles, by a session's current key; for a deleted session, by its last key. */
  marks(): ReadonlyMap<string, SessionMark> {
    return this.#shown.marks()
  }

  /** @throws the signal's reason when it aborts */
  async search(query: SearchQuery, extras?: SearchExtras): Promise<SearchResult> {
    this.#parts.marks.reload()
    return { ...(await this.#searches.search(query, extras)), ...this.#unread() }
  }

  /** The rows of these sessions, in their order; deleted sessions are left out. */
  rowsOf(keys: readonly string[]): SessionSummary[] {
    return this.#shown.rowsOf(keys)
  }

  /** What an agent that works in these folders has itself added to the record. */
  ownTraces(folders: readonly string[]): OwnTraces {
    return this.#shown.ownTraces(folders)
  }

  /** How an error was fixed before, in the sessions of a project or in all. */
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

  /** null: no filter. */
  #isOfProject(wanted: string | undefined): ((summary: SessionSummary) => boolean) | null {
    if (wanted === undefined) return null
    const keys = this.#shown.findProjects(wanted)
    return ({ project }) => keys.has(project.key)
  }

  /** Completions of the word or value at the caret. */
  suggest(query: SuggestQuery): Promise<SuggestionList> {
    const touchedPaths = async (typed: string) => (await this.#parts.openIndex()).touchedPaths(typed)
    return suggestSearch(query, this.#shown.searchScope(), touchedPaths, this.#parts.clock())
  }

  usage(query: UsageQuery): UsageReport {
    return { ...this.#usage.usage(withMoments(query, this.#parts.clock())), ...this.#read() }
  }

  /**
   * All sessions that `usage` counts, and those of which only prompts are known, in a stable order: the basis of tables. Saved chats are
   * excluded, as they repeat their session. `project`: only matching ones.
   */
  tableSources(project: string | undefined): UsageSource[] {
    const keys = project === undefined ? null : this.#shown.findProjects(project)
    const order = ({ summary: { startTime, key } }: UsageSource) => `${startTime ?? ''} ${key}`
    return this.#shown
      .usageSources()
      .filter(({ summary }) => summary.kind !== 'checkpoint' && keys?.has(summary.project.key) !== false)
      .sort((a, b) => (order(a) < order(b) ? -1 : 1))
  }

  /** What makes up a figure of the usage report. */
  usageWhy(query: UsageWhyQuery): UsageWhy {
    return { ...this.#usage.why(withMoments(query, this.#parts.clock())), ...this.#read() }
  }

  /** This month's cost compared with the user's budgets. */
  budgets(query: BudgetQuery): BudgetReport {
    return this.#usage.budgets(query)
  }

  /** `scope`: `all`, or the key of a project; null: no such project. @throws if it could not be saved */
  setBudget(scope: string, change: BudgetChange): true | null {
    return this.#usage.setBudget(scope, change)
  }

  doctor(): Promise<Doctor> {
    return this.#state.doctor(this.#shown.all(), this.#usage.unpriced())
  }

  doctorNotes(): Promise<DoctorNotes> {
    return this.#state.doctorNotes(this.#shown.all())
  }

  /** How Gemini CLI can continue a session; null: no such session. */
  resume(key: string, shell: Shell, cli: InstalledCli, at?: number): Resume | null {
    const sources = {
      ...{ homes: this.#state.homes(), isOpened: this.#state.isOfOpenedFiles() },
      ...{ sessions: this.#shown.all(), nowMs: this.#parts.clock() },
    }
    return resumeSession(sources, key, { shell, cli, at })
  }

  /** Calls the listener for every change; returns a function that unsubscribes. */
  subscribe(listener: (event: LiveEvent) => void): () => void {
    this.#parts.listeners.add(listener)
    return () => this.#parts.listeners.delete(listener)
  }

  /** Number of connected pages. While there is one, no thread is stopped. */
  setOpenPages(count: number): void {
    void this.#parts.rest.setOpenPages(count).then((haveBegun) => {
      if (haveBegun) void this.warmUp()
    })
  }

  /** Runs a search in advance, unless the user searches first. */
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

  /** Everything requested of the index has been read. */
  isReady(): boolean {
    return this.#parts.sync.indexing.isReady
  }

  /** Every session has the row of its full content, though its text may not be searchable yet. */
  hasAllRows(): boolean {
    return this.#parts.sync.indexing.hasAllRows()
  }

  /**
   * The store that a command started now would open: after another scan, with everything read, and without what only a long-running process
   * can know. null: such a command would answer differently, so it must run by itself.
   */
  async asCommand(): Promise<Store | null> {
    const { sync, warnings, prices } = this.#parts
    await sync.indexing.whenReady()
    await sync.catchUp()
    // The command would report these warnings itself, or might succeed in reading what could not be read here.
    const isWarned = warnings.all().some(({ code }) => !OF_SERVER.has(code))
    const isTroubled = isWarned || sync.unread.files().size > 0
    if (isTroubled || prices.problem() !== null) return null
    return new Store({ ...this.#parts, live: new LiveSessions(() => {}, this.#parts.clock) })
  }

  async close(): Promise<void> {
    this.#parts.listeners.clear()
    await this.#parts.close()
  }

  /** Fields to spread into an answer: what it covers. */
  #read(): { coverage: Coverage; unread?: Unread } {
    return { coverage: this.#parts.sync.indexing.progress(), ...this.#unread() }
  }

  /** Fields to spread into an answer: empty if everything could be read. */
  #unread(): { unread?: Unread } {
    const unread = countUnread(this.#parts.sync.unread.files())
    return unread === undefined ? {} : { unread }
  }
}

/** What an agent that asks has itself added to the record. */
export interface OwnTraces {
  /** The newest session being written in one of its folders: the agent's own. */
  running: SessionSummary | null
  /** Names of our own tools that were called in any session. */
  tools: string[]
}

interface Known {
  revision: number
  linked: ReturnType<Sync['rows']['sessions']>
  all: readonly LinkedSession[]
  summaries: readonly SessionSummary[]
  /** null: not requested yet. */
  usage: readonly UsageSource[] | null
}

/** The sessions and projects of the rows as shown, including which of them are being written. */
class ShownSessions {
  readonly #sync: Sync
  readonly #live: LiveSessions
  readonly #marks: MarkStore
  readonly #projects = new ProjectSums()
  /** Reused for the next question as long as no row changes. */
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

  /** Keys of the sessions with such calls and attachments; null: neither filter is set. */
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

  /** Marks of sessions by their current keys; for a deleted session, by the key under which they were stored. */
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
      // Summing up all sessions is slow, and few searches need it.
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
