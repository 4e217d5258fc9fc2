import { pricesStamp } from '@gemini-dash/pricing/overrides'
import type { IndexedGroup, IndexGroup, SessionRecord } from '@gemini-dash/session-index'
import {
  type DiscoveredFile,
  type ProjectIdentity,
  type Scan,
  scanHomes,
  TimeSlice,
} from 'gemini-sessions/node'
import { Catalog } from '../catalog/catalog.ts'
import { LiveSessions } from '../catalog/live-sessions.ts'
import { provisionalRecord } from '../catalog/provisional-record.ts'
import { countUnread, UnreadBook } from '../catalog/unread-book.ts'
import { Indexing, type IndexingScope } from '../indexing/indexing.ts'
import { ProjectBook } from '../projects/project-book.ts'
import { deferred } from '../remembered/deferred.ts'
import { FirstList } from '../remembered/first-list.ts'
import type { KeptEnds } from '../remembered/head-book.ts'
import { explainUnread } from './explain-unread.ts'
import { explainWatchLimit } from './explain-watch-limit.ts'
import { fingerprint } from './fingerprint.ts'
import { ScanGrouper, type ScannedGroup } from './group-scan.ts'
import { isSameScan } from './is-same-scan.ts'
import { keepUnlisted, placesWithout } from './keep-unlisted.ts'
import type { LibraryOptions } from './library-options.ts'
import { looseGroups } from './loose-groups.ts'
import { restatGroup } from './restat-group.ts'
import { UnlistedGroups } from './unlisted-groups.ts'

/** Of more files than these the newest groups are indexed before the rest is looked at: of fewer, all heads are read sooner than that. */
const FILES_READ_AT_ONCE = 2_000
const EARLY_GROUPS = 64
/** In `unread`, beside the ids of groups: places that cannot be listed, and files that stand in groups by their names alone. */
const SCAN = 'scan'
const HEADS = 'heads'
const TELLING_DELAY_MS = 300

/** Keeps the catalog equal to what is on disk: scans, groups, and has read what changed. */
export class Library {
  readonly catalog = new Catalog()
  readonly live: LiveSessions
  readonly indexing: Indexing
  readonly projects: ProjectBook
  /** Answers until the first `refresh` is done. */
  readonly firstList: FirstList
  /** What the system does not let us read just now. */
  readonly unread = new UnreadBook(
    (ids) => this.#retry(ids),
    () => this.#tellUnread(),
  )
  scan: Scan = { projects: [], files: [], skipped: [] }
  readonly #options: LibraryOptions
  readonly #grouper: ScanGrouper
  /** What `look` found, until it is made use of. */
  #lookedAt: Scan | null = null
  #pricesAtLastLook: string | null = null
  #remembered: Promise<Map<string, IndexedGroup>> | null = null
  /** null: only looked at, nothing is indexed yet. */
  #scope: IndexingScope | null = null
  #running: Promise<void> | null = null
  #isAskedAgain = false
  readonly #searchable = deferred()
  readonly #unlisted = new UnlistedGroups({
    catalog: this.catalog,
    emitChanged: (groupId) => this.indexing.emitChanged(groupId),
  })
  #telling: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(options: LibraryOptions) {
    const { homes, openIndex, emit, onProgress, words, prices, userHome, isDemo } = options
    this.#options = options
    this.#grouper = new ScanGrouper(homes, prices)
    this.firstList = new FirstList({
      announce: (files) => this.#announceFirst(files),
      take: (known, files) => this.#takeFirst(known, files),
    })
    this.projects = new ProjectBook({ catalog: this.catalog, words, emit, isDemo, homes, userHome })
    this.live = new LiveSessions((sessionKey) => {
      this.catalog.noteOtherState()
      emit({ kind: 'changed', sessionKey })
    })
    this.indexing = new Indexing({
      catalog: this.catalog,
      openIndex,
      emit,
      onProgress,
      unread: this.unread,
      unlistedOf: (group) => this.#unlisted.filesOf(group),
    })
  }

  /** Rows of everything stand or, where nothing was ever indexed and there are many files, the newest are on their way into the index. */
  whenSearchable(): Promise<void> {
    return this.#searchable.promise
  }

  /** As long as no file changes, there is nothing to group, to read or to forget. */
  get isSettled(): boolean {
    const isRead = this.indexing.isComplete && this.indexing.hasAllRows()
    return isRead && this.#pricesAtLastLook === pricesStamp(this.#options.prices.current())
  }

  /** Looks at names, sizes and a few heads: what a first list needs. `refresh` goes on from there. */
  async look(): Promise<void> {
    const { homes, rememberedList, rememberedEnds } = this.#options
    const found = await scanHomes(homes)
    this.scan = await this.#withRemembered(found)
    this.indexing.expect(this.scan.files.length)
    this.#grouper.heads.takeKept(this.scan.files, rememberedEnds())
    await this.firstList.begin(this.scan.files, rememberedList())
    this.#lookedAt = found
  }

  /** What cannot be listed at the start is taken to hold what an earlier run saw there. */
  async #withRemembered(found: Scan): Promise<Scan> {
    const isWhole = found.missing === undefined && found.skipped.every(({ errno }) => errno === undefined)
    const before = isWhole ? null : this.#options.rememberedScan()
    if (before === null) return found
    const { scan, files } = keepUnlisted(before, found, this.#options.homes)
    this.#unlisted.set(files)
    // Nor can their heads be read.
    this.#remembered ??= this.#options.remembered()
    this.#grouper.prime(scan, (await this.#remembered).values())
    return scan
  }

  /** Looks at the disk again. Calls while it runs ask for one more look after it. Resolves when rows stand. */
  refresh(): Promise<void> {
    if (this.#running !== null) {
      this.#isAskedAgain = true
      return this.#running
    }
    this.#running = this.#refreshUntilQuiet().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  /** The latest time near the end of each file that names one there. */
  lastTimes(files: readonly DiscoveredFile[]): Promise<ReadonlyMap<DiscoveredFile, string>> {
    return this.#grouper.heads.lastTimes(files)
  }

  /** What was read of files that are not read whole, as it is to be remembered. */
  ends(): KeptEnds[] {
    const unread = this.indexing.unread().filter(({ loose }) => loose === undefined)
    return this.#grouper.heads.toKeep(unread.flatMap(({ files }) => files))
  }

  /** From now on what changed is read and indexed. Resolves when the index is asked to. */
  async beginIndexing(scope: IndexingScope): Promise<void> {
    this.#scope = this.#scope === 'text' ? 'text' : scope
    this.#pricesAtLastLook = null
    try {
      await this.refresh()
    } catch (error) {
      if (!this.#isClosed) throw error
    }
  }

  /** Groups with whole rows, as they are to be remembered. */
  *rows(): IterableIterator<IndexedGroup> {
    for (const group of this.indexing.rows()) {
      const known = this.catalog.group(group.id)
      yield known === undefined ? group : { ...group, heads: this.#grouper.headsOf(known.files) }
    }
  }

  /** Looks again at one file that is known already. false: only a look at everything can tell what happened. */
  async refreshFile(absolutePath: string): Promise<boolean> {
    const groupId = this.catalog.groupOfFile(absolutePath)
    const group = groupId === undefined ? undefined : this.catalog.group(groupId)
    if (group === undefined || group.loose !== undefined || !this.indexing.isComplete) return false
    const grown = await restatGroup(group, absolutePath)
    if (grown === null) return false
    // Meanwhile another look has found files of it, or that they grew: what was known before must not take their place.
    if (this.catalog.group(group.id) !== group) return this.refreshFile(absolutePath)
    if (grown.fingerprint === group.fingerprint) {
      // Something about it has changed all the same, such as who may read it.
      if (this.unread.has(group.id)) this.indexing.retry([group.id])
      return true
    }
    this.live.noteGrowth(group, grown)
    this.catalog.put(grown, this.catalog.recordsOf(group.id))
    this.indexing.replacePresent(grown)
    this.indexing.start([grown])
    return true
  }

  /** The system does not let us watch so many folders. */
  tellWatchLimit(unwatched: number, code: string): void {
    const { warnings } = this.#options
    if (unwatched === 0) warnings.clear('watch-limit')
    else warnings.warn({ code: 'watch-limit', ...explainWatchLimit(unwatched, code) })
  }

  close(): void {
    this.#isClosed = true
    if (this.#telling !== null) clearTimeout(this.#telling)
    this.unread.close()
    this.firstList.close()
    this.indexing.close()
    this.live.close()
  }

  async #refreshUntilQuiet(): Promise<void> {
    do {
      this.#isAskedAgain = false
      await this.#refreshOnce()
    } while (this.#isAskedAgain && !this.#isClosed)
  }

  async #refreshOnce(): Promise<void> {
    const { homes } = this.#options
    const found = this.#lookedAt ?? (await scanHomes(homes))
    const { scan, places, files } = keepUnlisted(this.scan, found, homes)
    this.unread.set(SCAN, [...placesWithout(files, places), ...files])
    const reachable = this.#unlisted.set(files)
    const isUnchanged = isSameScan(this.scan, scan)
    // The files that the groups hold already.
    this.scan = isUnchanged ? { ...this.scan, skipped: scan.skipped } : scan
    this.#lookedAt = null
    const isGrouped = isUnchanged && this.isSettled && !(await this.#grouper.readsRefused(this.scan))
    if (isGrouped && (await this.#refreshProjects())) return
    this.#remembered ??= this.#options.remembered()
    const rows = await this.#remembered
    // Needed once only.
    this.#remembered = Promise.resolve(new Map())
    this.#grouper.prime(this.scan, rows.values())
    const isEarly =
      this.#scope === 'text' && !this.firstList.hasRows && this.scan.files.length > FILES_READ_AT_ONCE
    if (isEarly) await this.firstList.openNewest(EARLY_GROUPS)
    const [grouped] = await Promise.all([
      this.#grouper.group(this.scan),
      isEarly ? this.#startEarly(rows.size === 0) : null,
    ])
    if (this.#grouper.refused.length > 0) this.unread.set(HEADS, this.#grouper.refused)
    const heads = await this.#rowsFromHeads(grouped.groups, rows)
    this.projects.set(grouped.projects)
    const loose = looseGroups(this.scan, grouped)
    this.#removeGone([...grouped.groups, ...loose])
    this.indexing.setPresent([...grouped.groups, ...loose])
    for (const group of grouped.groups) {
      const known = rows.get(group.id)
      if (this.indexing.take(group, known)) continue
      if (known !== undefined) this.indexing.keepEarlier(group.id, known.sessions)
      this.#announce(group, heads.get(group.id))
    }
    for (const group of loose) {
      if (!this.indexing.take(group, rows.get(group.id)))
        this.catalog.put(group, this.catalog.recordsOf(group.id))
    }
    for (const { id } of [...grouped.groups, ...loose]) this.#unlisted.mark(id)
    this.firstList.end()
    this.#searchable.resolve()
    if (this.#scope === null) return
    await this.indexing.bringUpToDate(this.#scope)
    this.#forgetRefused()
    this.indexing.retry(reachable.filter((id) => this.unread.has(id)))
    this.#pricesAtLastLook = pricesStamp(this.#options.prices.current())
  }

  /** Until the groups are read in which the files stand now, they count as unread. */
  #forgetRefused(): void {
    if (!this.unread.has(HEADS) || this.#grouper.refused.length > 0) return
    const forget = () => {
      if (this.#grouper.refused.length === 0) this.unread.delete(HEADS)
    }
    // An index that gave up tells of itself in another place.
    this.indexing.whenCaughtUp().then(forget, forget)
  }

  /** Registries and the user's words can change without any session. false: a folder is of another project now. */
  async #refreshProjects(): Promise<boolean> {
    const projects = await this.#grouper.identify(this.scan)
    const keysOf = (all: readonly ProjectIdentity[]) =>
      all.map(({ key, folders }) => `${key}\n${folders.join('\n')}`).join('\n')
    if (keysOf(projects) !== keysOf(this.catalog.projects())) return false
    this.projects.set(projects)
    return true
  }

  /** For the groups that nothing else is known of. In slices: of ten thousand they take half a second. */
  async #rowsFromHeads(
    groups: readonly ScannedGroup[],
    remembered: ReadonlyMap<string, IndexedGroup>,
  ): Promise<ReadonlyMap<string, SessionRecord>> {
    const rows = new Map<string, SessionRecord>()
    const slice = new TimeSlice()
    for (const group of groups) {
      if (slice.isOver()) await slice.next()
      const known = [this.catalog.group(group.id), remembered.get(group.id)]
      const isKnown = known.some((earlier) => earlier?.fingerprint === group.fingerprint)
      if (!isKnown) rows.set(group.id, provisionalRecord(group, group.heads))
    }
    return rows
  }

  /** Rows for some of the files, from their heads. */
  async #announceFirst(files: readonly DiscoveredFile[]): Promise<void> {
    const { projects, groups } = await this.#grouper.groupSome(this.scan, files)
    if (this.firstList.hasRows) return
    this.projects.set(projects)
    for (const group of groups) this.#announce(group)
  }

  /** The rows of one group as an earlier run knew them. false: they are not of these files. */
  #takeFirst(known: IndexedGroup, files: DiscoveredFile[]): boolean {
    const prices = this.#options.prices.current()
    const group = { id: known.id, fingerprint: fingerprint(files, prices), files, prices }
    const isTaken = this.indexing.take(group, known)
    if (isTaken) this.#unlisted.mark(group.id)
    return isTaken
  }

  /** A new group gets a row from its heads at once; a grown one keeps its rows until it is read. */
  #announce(group: ScannedGroup, fromHeads?: SessionRecord): void {
    const earlier = this.catalog.group(group.id)
    if (earlier?.fingerprint === group.fingerprint) return
    if (earlier !== undefined && this.indexing.isComplete) this.live.noteGrowth(earlier, group)
    const known = this.catalog.recordsOf(group.id)
    const isRead = known.some(({ summary }) => summary.indexed === 'full')
    this.catalog.put(group, isRead ? known : [fromHeads ?? provisionalRecord(group, group.heads)])
  }

  async #startEarly(isNothingIndexed: boolean): Promise<void> {
    await this.indexing.startEarly(this.#unreadGroups())
    if (isNothingIndexed) this.#searchable.resolve()
  }

  /** Those in the catalog that only have rows from their heads. */
  #unreadGroups(): IndexGroup[] {
    const isRead = (id: string) =>
      this.catalog.recordsOf(id).every(({ summary }) => summary.indexed === 'full')
    return [...this.catalog.groupIds()].flatMap((id) => (isRead(id) ? [] : (this.catalog.group(id) ?? [])))
  }

  #retry(ids: readonly string[]): void {
    const isOfLook = (id: string) => id === SCAN || id === HEADS
    if (ids.some(isOfLook)) void this.refresh().catch(() => {})
    this.indexing.retry(ids.filter((id) => !isOfLook(id)))
  }

  /** What comes and goes together is told together. */
  #tellUnread(): void {
    const { isWatching, warnings } = this.#options
    if (!isWatching || this.#isClosed) return
    this.#telling ??= setTimeout(() => {
      this.#telling = null
      const unread = countUnread(this.unread.files())
      if (unread === undefined) warnings.clear('files-unread')
      else warnings.warn({ code: 'files-unread', ...explainUnread(unread) })
    }, TELLING_DELAY_MS).unref()
  }

  #removeGone(groups: readonly IndexGroup[]): void {
    const present = new Set(groups.map(({ id }) => id))
    const gone = [...this.catalog.groupIds()].filter((id) => !present.has(id))
    const goneKeys = gone.flatMap((id) => this.catalog.sessionsOf(id).map(({ summary }) => summary.key))
    for (const id of gone) {
      this.catalog.remove(id)
      this.indexing.forget(id)
    }
    for (const sessionKey of goneKeys) this.#options.emit({ kind: 'removed', sessionKey })
  }
}
