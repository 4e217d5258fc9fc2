import type { SessionQuery, UsageQuery } from '@gemini-dash/api'
import type { IndexGroup } from '@gemini-dash/session-index'
import { readFirstTimes } from 'gemini-sessions/node'
import type { CommandQuestion } from './command-question.ts'
import { findSessions, resolveList } from './list.ts'
import { findProjects, ProjectSums } from './projects.ts'
import type { Store } from './store.ts'
import { groupBytes } from './sync/group-scan.ts'
import type { IndexingScope } from './sync/indexing.ts'
import type { LinkedSession } from './sync/rows.ts'
import type { Sync } from './sync/sync.ts'
import { ownZone, startOfTime, withMoments } from './times.ts'

/** Below this everything is read: it is quick, and the answer is complete. */
const READ_AT_ONCE_BYTES = 16_000_000
/** For larger files the reader computes the rows when it opens them: the index would read them a second time. */
const READ_ONCE_BYTES = 4_000_000
/** Later than any session. */
const LAST_TIME = '9999'
const QUARTER_HOUR_MS = 15 * 60 * 1000
/** A clock may have been wrong when a file was written. */
const CLOCK_SLACK_MS = 24 * 60 * 60 * 1000

interface ReadNeededOptions {
  /** Milliseconds since 1970. */
  clock: () => number
  sync: Sync
  store: Pick<Store, 'resolve' | 'budgets' | 'hasAllRows' | 'whenReady' | 'content'>
  /** Reads everything. */
  begin: (scope: IndexingScope) => Promise<void>
}

/** Commands whose answers need the texts of all sessions. */
export const IS_OF_TEXT: ReadonlySet<CommandQuestion['command']> = new Set([
  'search',
  'find-fix',
  'find-command',
])

/** Reads everything that the answer to a command depends on: all sessions, or only some. */
export async function readNeeded(options: ReadNeededOptions, question: CommandQuestion): Promise<void> {
  const { store, begin } = options
  const isOfText = IS_OF_TEXT.has(question.command)
  if (!isOfText && store.hasAllRows()) return
  if (await readSome(options, question)) return
  await begin(isOfText ? 'text' : 'rows')
  await store.whenReady()
}

/** So little is unread that reading it is quick. */
export function isSoonRead({ indexing }: Pick<Sync, 'indexing'>): boolean {
  return indexing.notShown().reduce((sum, group) => sum + groupBytes(group), 0) <= READ_AT_ONCE_BYTES
}

/** The end of each file shows which sessions are needed. false: all are, or so many have been read that the rest is quick. */
async function readSome(options: ReadNeededOptions, question: CommandQuestion): Promise<boolean> {
  if (isSoonRead(options.sync)) return false
  const needed = new NeededGroups(options)
  switch (question.command) {
    case 'list':
      return (
        question.rows !== null &&
        needed.readForList(withMoments(question.query, options.clock()), question.rows)
      )
    case 'show':
    case 'changes':
    case 'why':
    case 'session':
    case 'messages':
    case 'handover':
      return needed.readForKey(question.keyOrId, { isOpened: true })
    case 'resume':
      return needed.readForKey(question.keyOrId, { isOpened: false })
    case 'usage':
    case 'usage-why':
    case 'usage-summary':
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

  /** Until all rows of the page are read: a session may turn out to be older than the end of its file suggested. */
  async readForList(query: SessionQuery, rows: number): Promise<boolean> {
    if (!isOrderedByTime(query)) return false
    // Their names contain no time.
    await this.#read(
      this.#options.sync.indexing
        .notShown()
        .flatMap(({ id, loose }) => (loose?.kind === 'conversation' ? [id] : [])),
    )
    const ends = await this.#lastTimes()
    const asked = resolveList({ ...query, limit: rows }, (wanted) => this.#projectKeys(wanted))
    for (;;) {
      const sessions = this.#sessions()
      const rowsNow = sessions.map(({ summary, groupId }) => {
        const endTime = ends.get(groupId)
        return summary.indexed === 'full' || endTime === undefined ? summary : { ...summary, endTime }
      })
      // The answer orders unread rows by the start in their metadata, which for a copy can be later than its last message.
      const orders = [rowsNow, sessions.map(({ summary }) => summary)]
      const wanted = orders
        .flatMap((rows) => findSessions(rows, asked).page)
        .flatMap(({ key }) => this.#familyOf(key))
      if (!(await this.#read(wanted))) return this.#countOnce(wanted)
    }
  }

  /** A key that no head has may belong to a saved chat, or to a session inside a file. */
  async readForKey(keyOrId: string, { isOpened }: { isOpened: boolean }): Promise<boolean> {
    for (;;) {
      const found = this.#options.store.resolve(keyOrId)
      if (found.kind === 'none') return false
      const keys = found.kind === 'one' ? [found.key] : found.keys
      if (isOpened && found.kind === 'one') await this.#readOpened(found.key)
      const family = keys.flatMap((key) => this.#familyOf(key))
      if (!(await this.#read(family))) return !isOpened || this.#countOnce(family)
    }
  }

  async readForUsage({ from, tz }: Pick<UsageQuery, 'from' | 'tz'>): Promise<boolean> {
    if (from === undefined) return false
    const { sync, store } = this.#options
    const zone = tz ?? ownZone()
    const { month, budgets: set } = store.budgets({ tz: zone })
    const first = set.length === 0 ? [from] : [from, month.from]
    const fromMs = Math.min(...first.map((time) => startOfTime(time, zone))) - CLOCK_SLACK_MS
    const ends = await this.#lastTimes()
    const all = this.#sessions()
    // A copy can begin, by its metadata, later than its last message: it counts as a session of that time.
    const begun = new Set(
      all.flatMap(({ summary, groupId }) => (Date.parse(summary.startTime ?? '') >= fromMs ? [groupId] : [])),
    )
    const isMeant = (group: IndexGroup) => {
      const end = Date.parse(ends.get(group.id) ?? '')
      return group.loose !== undefined || Number.isNaN(end) || end >= fromMs || begun.has(group.id)
    }
    const groups = sync.indexing.notShown().filter(isMeant)
    const ids = new Set(groups.map(({ id }) => id))
    const own = all.filter(({ groupId }) => ids.has(groupId))
    await this.#read([...ids, ...own.flatMap(({ summary }) => this.#familyOf(summary.key))])
    return this.#countOnce(this.#sessions().map(({ groupId }) => groupId))
  }

  /**
   * A request that an older session also has counts only there, so unread sessions are read, too, if they began before one of these groups
   * and were active when it spent something.
   */
  async #countOnce(groupIds: readonly string[]): Promise<true> {
    const { sync } = this.#options
    const ids = new Set(groupIds)
    const all = this.#sessions()
    const own = all.filter(({ groupId, record }) => ids.has(groupId) && record.requests !== '')
    const owners = new Set(own.flatMap(({ record }) => record.billedElsewhere.map((each) => each.sessionKey)))
    const spent = own.map(({ summary, record }) => {
      const timesMs = record.buckets.map(({ quarterHour }) => Date.parse(quarterHour ?? ''))
      return { startTime: summary.startTime ?? LAST_TIME, timesMs, firstMs: Math.min(...timesMs) }
    })
    const ends = await this.#lastTimes()
    const toOlder = ({ summary, groupId }: LinkedSession) => {
      const [start, endMs] = [summary.startTime ?? '', Date.parse(ends.get(groupId) ?? '')]
      const later = spent.filter(({ startTime, firstMs }) => start <= startTime && firstMs <= endMs)
      const timesMs = later.flatMap((each) => each.timesMs).filter((timeMs) => timeMs <= endMs)
      return owners.has(summary.key) || timesMs.length > 0 ? [{ key: summary.key, groupId, timesMs }] : []
    }
    const older = all.filter(({ groupId }) => ends.has(groupId)).flatMap(toOlder)
    // only files that had begun by then, whatever start their metadata claims
    const begins = await this.#firstTimes(older.map(({ groupId }) => groupId))
    const mayHaveOne = ({ key, groupId, timesMs }: (typeof older)[number]) =>
      owners.has(key) || timesMs.some((timeMs) => timeMs + QUARTER_HOUR_MS >= (begins.get(groupId) ?? 0))
    await this.#read(older.filter(mayHaveOne).map(({ groupId }) => groupId))
    await sync.countOnce(ids)
    return true
  }

  #projectKeys(wanted: string): ReadonlySet<string> {
    const summaries = this.#sessions().map(({ summary }) => summary)
    const projects = this.#options.sync.rows.projects()
    return findProjects(new ProjectSums().list(projects, summaries, () => null).projects, wanted)
  }

  /** By group. If the end of a file has no time, its modification time. */
  async #lastTimes(): Promise<ReadonlyMap<string, string>> {
    const groups = this.#options.sync.indexing.notShown().filter(({ loose }) => loose === undefined)
    const times = await this.#options.sync.heads.lastTimes(groups.flatMap(({ files }) => files))
    return new Map(
      groups.map(({ id, files }) => {
        const ofFiles = files.map((file) => times.get(file) ?? new Date(file.mtimeMs).toISOString())
        return [id, ofFiles.sort().at(-1) ?? '']
      }),
    )
  }

  /** By group, in ms; a file without a time at its beginning may have begun at any time. */
  async #firstTimes(groupIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const groups = groupIds.flatMap((id) => this.#options.sync.rows.group(id) ?? [])
    const times = await readFirstTimes(groups.flatMap(({ files }) => files))
    return new Map(
      groups.map(({ id, files }) => [
        id,
        Math.min(...files.map((file) => Date.parse(times.get(file) ?? '') || 0)),
      ]),
    )
  }

  /** The reader that opens the session computes its rows; the index has no text of it then, and reads that on demand. */
  async #readOpened(key: string): Promise<void> {
    const { sync, store } = this.#options
    const { indexing, rows } = sync
    const id = rows.sessions().get(key)?.groupId
    const group = indexing.notShown().find((each) => each.id === id)
    if (group === undefined || group.loose !== undefined || groupBytes(group) < READ_ONCE_BYTES) return
    // if that fails, the index reads the group and reports the reason
    const pending = store.content.rows(key).catch(() => null)
    // opens the index, which also stores rows
    await indexing.readOnly([])
    const known = await pending
    if (known?.failure === null) indexing.take(group, known)
  }

  /** false: everything was read already. */
  async #read(groupIds: readonly string[]): Promise<boolean> {
    const { indexing } = this.#options.sync
    const wanted = new Set(groupIds)
    const groups = indexing.notShown().filter(({ id }) => wanted.has(id) && !this.#asked.has(id))
    if (groups.length === 0) return false
    for (const { id } of groups) this.#asked.add(id)
    await indexing.readOnly(groups)
    return true
  }

  /** The groups of a session, of its parent and of its sub-agents: its row includes their sums. */
  #familyOf(key: string): string[] {
    const sessions = this.#options.sync.rows.sessions()
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

  #sessions(): LinkedSession[] {
    return [...this.#options.sync.rows.sessions().values()]
  }
}

/** Then file names and ends determine which rows are needed; titles, figures and models are inside the files. */
function isOrderedByTime({
  kind,
  source,
  parent,
  home,
  sort,
  title,
  has,
  model,
  tool,
  attachments,
}: SessionQuery): boolean {
  return (
    kind === 'main' &&
    sort === 'recent' &&
    [source, parent, home, title, has, model, tool, attachments].every((filter) => filter === undefined)
  )
}
