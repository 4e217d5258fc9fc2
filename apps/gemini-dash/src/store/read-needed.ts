import type { SessionQuery, UsageQuery } from '@gemini-dash/api'
import type { IndexGroup } from '@gemini-dash/session-index'
import type { CatalogSession } from './catalog/catalog.ts'
import { groupBytes } from './catalog/group-files.ts'
import type { CommandQuestion } from './command-question.ts'
import type { IndexingScope } from './indexing/indexing-options.ts'
import type { Library } from './library/library.ts'
import { findSessions } from './list/list-sessions.ts'
import { resolveList } from './list/resolve-list.ts'
import { findProjects } from './projects/find-projects.ts'
import { listProjects } from './projects/list-projects.ts'
import type { Store } from './store.ts'
import { startOfTime, withMoments } from './times/time-range.ts'
import { ownZone } from './times/time-zone.ts'

/** Less is read as a whole: nobody waits for long, and the answer is of everything. */
const READ_AT_ONCE_BYTES = 16_000_000
/** Of files larger than this the reader tells the rows when it opens them: the index would read them once more. */
const READ_ONCE_BYTES = 4_000_000
/** A clock may have been wrong when a file was written. */
const CLOCK_SLACK_MS = 24 * 60 * 60 * 1000

export interface ReadNeededOptions {
  /** Milliseconds since 1970. */
  clock: () => number
  library: Library
  store: Pick<Store, 'resolve' | 'budgets' | 'hasAllRows' | 'whenReady' | 'content'>
  /** Has everything read. */
  begin: (scope: IndexingScope) => Promise<void>
}

/** Has everything read of which the answer to a command is made: all of it, or only some sessions. */
export async function readNeeded(options: ReadNeededOptions, question: CommandQuestion): Promise<void> {
  const { store, begin } = options
  const isOfText = question.command === 'search'
  if (!isOfText && store.hasAllRows()) return
  if (await readSome(options, question)) return
  await begin(isOfText ? 'text' : 'rows')
  await store.whenReady()
}

/** Which sessions are needed, the end of each file tells. false: all, or so many were read before that the rest is soon read. */
async function readSome(options: ReadNeededOptions, question: CommandQuestion): Promise<boolean> {
  const { indexing } = options.library
  const bytes = indexing.groups.notShown().reduce((sum, group) => sum + groupBytes(group), 0)
  if (bytes <= READ_AT_ONCE_BYTES) return false
  const needed = new NeededGroups(options)
  switch (question.command) {
    case 'list':
      return (
        question.rows !== null &&
        needed.readForList(withMoments(question.query, options.clock()), question.rows)
      )
    case 'show':
    case 'session':
    case 'messages':
    case 'handover':
      return needed.readForKey(question.keyOrId, { isOpened: true })
    case 'resume':
      return needed.readForKey(question.keyOrId, { isOpened: false })
    case 'usage':
      return needed.readForUsage(withMoments(question.query, options.clock()))
    default:
      return false
  }
}

class NeededGroups {
  readonly #options: ReadNeededOptions
  readonly #asked = new Set<string>()

  constructor(options: ReadNeededOptions) {
    this.#options = options
  }

  /** Until all rows of the page are read: what is read may turn out to be older than the end of its file said. */
  async readForList(query: SessionQuery, rows: number): Promise<boolean> {
    if (!isOrderedByTime(query)) return false
    const ends = await this.#lastTimes()
    const asked = resolveList({ ...query, limit: rows }, (wanted) => this.#projectKeys(wanted))
    for (;;) {
      const rowsNow = this.#sessions().map(({ summary, groupId }) => {
        const endTime = ends.get(groupId)
        return summary.indexed === 'full' || endTime === undefined ? summary : { ...summary, endTime }
      })
      const { page } = findSessions(rowsNow, asked)
      const wanted = page.flatMap(({ key }) => this.#familyOf(key))
      if (!(await this.#read(wanted))) return true
    }
  }

  /** A key of which no head knows may be that of a saved chat, or of a session inside a file. */
  async readForKey(keyOrId: string, { isOpened }: { isOpened: boolean }): Promise<boolean> {
    for (;;) {
      const found = this.#options.store.resolve(keyOrId)
      if (found.kind === 'none') return false
      const keys = found.kind === 'one' ? [found.key] : found.keys
      if (isOpened && found.kind === 'one') await this.#readOpened(found.key)
      if (!(await this.#read(keys.flatMap((key) => this.#familyOf(key))))) return true
    }
  }

  async readForUsage({ from, tz }: UsageQuery): Promise<boolean> {
    if (from === undefined) return false
    const { library, store } = this.#options
    const zone = tz ?? ownZone()
    const { month, budgets: set } = store.budgets({ tz: zone })
    const first = set.length === 0 ? [from] : [from, month.from]
    const fromMs = Math.min(...first.map((time) => startOfTime(time, zone))) - CLOCK_SLACK_MS
    const ends = await this.#lastTimes()
    const isMeant = (group: IndexGroup) => {
      const end = Date.parse(ends.get(group.id) ?? '')
      return group.loose !== undefined || Number.isNaN(end) || end >= fromMs
    }
    const groups = library.indexing.groups.notShown().filter(isMeant)
    const ids = new Set(groups.map(({ id }) => id))
    const own = this.#sessions().filter(({ groupId }) => ids.has(groupId))
    await this.#read([...ids, ...own.flatMap(({ summary }) => this.#familyOf(summary.key))])
    return true
  }

  #projectKeys(wanted: string): ReadonlySet<string> {
    const rows = this.#sessions().map(({ summary }) => summary)
    const { catalog } = this.#options.library
    return findProjects(listProjects(catalog.projects(), rows, () => null).projects, wanted)
  }

  /** By group. Of a file whose end names no time, the time of the file. */
  async #lastTimes(): Promise<ReadonlyMap<string, string>> {
    const groups = this.#options.library.indexing.groups.notShown().filter(({ loose }) => loose === undefined)
    const times = await this.#options.library.heads.lastTimes(groups.flatMap(({ files }) => files))
    return new Map(
      groups.map(({ id, files }) => {
        const ofFiles = files.map((file) => times.get(file) ?? new Date(file.mtimeMs).toISOString())
        return [id, ofFiles.sort().at(-1) ?? '']
      }),
    )
  }

  /** Whoever opens the session tells its rows; the index holds no text of it then, and reads that when it is wanted. */
  async #readOpened(key: string): Promise<void> {
    const { library, store } = this.#options
    const { indexing, catalog } = library
    const id = catalog.sessions().get(key)?.groupId
    const group = indexing.groups.notShown().find((each) => each.id === id)
    if (group === undefined || group.loose !== undefined || groupBytes(group) < READ_ONCE_BYTES) return
    // what cannot be told is read by the index, which says why
    const rows = store.content.rows(key).catch(() => null)
    // opened, as rows are kept beside it
    await indexing.readOnly([])
    indexing.take(group, (await rows) ?? undefined)
  }

  /** false: nothing of it was left to be read. */
  async #read(groupIds: readonly string[]): Promise<boolean> {
    const { indexing } = this.#options.library
    const wanted = new Set(groupIds)
    const groups = indexing.groups.notShown().filter(({ id }) => wanted.has(id) && !this.#asked.has(id))
    if (groups.length === 0) return false
    for (const { id } of groups) this.#asked.add(id)
    await indexing.readOnly(groups)
    return true
  }

  /** The groups of a session, of who started it and of what it started: its row adds them up. */
  #familyOf(key: string): string[] {
    const sessions = this.#options.library.catalog.sessions()
    const seen = new Set<string>()
    const visit = (of: string | null) => {
      const session = of === null ? undefined : sessions.get(of)
      if (of === null || session === undefined || seen.has(of)) return
      seen.add(of)
      for (const relative of [session.summary.parentKey, ...session.summary.subagentKeys]) visit(relative)
    }
    visit(key)
    return [...seen].flatMap((member) => sessions.get(member)?.groupId ?? [])
  }

  #sessions(): CatalogSession[] {
    return [...this.#options.library.catalog.sessions().values()]
  }
}

/** Then names and ends of files tell which rows are meant; titles, figures and models stand inside of them. */
function isOrderedByTime({ kind, parent, home, sort, title, has, model, hour }: SessionQuery): boolean {
  return (
    kind === 'main' &&
    sort === 'recent' &&
    [parent, home, title, has, model, hour].every((filter) => filter === undefined)
  )
}
