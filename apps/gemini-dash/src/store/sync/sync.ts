import { isDeepStrictEqual } from 'node:util'
import type { LiveEvent } from '@gemini-dash/api'
import { pricesStamp } from '@gemini-dash/pricing/overrides'
import type {
  FoundPlaces,
  IndexGroup,
  SessionIndex,
  SessionRecord,
  StoredGroup,
  StoredHome,
} from '@gemini-dash/session-index'
import type { BilledElsewhere, UnreadFile } from 'gemini-sessions'
import { type DiscoveredFile, type GeminiHome, type Scan, TimeSlice } from 'gemini-sessions/node'
import type { KeyRegistry } from '../../own-data/key-registry.ts'
import type { MarkStore } from '../../own-data/open-marks.ts'
import type { PriceTable, WordList } from '../../own-data/price-file.ts'
import type { WarningList } from '../warnings.ts'
import { BillingRegistry } from './billing.ts'
import { deferred, FirstList } from './first-list.ts'
import {
  type GroupedScan,
  isOfSessions,
  looseGroups,
  restatGroup,
  ScanGrouper,
  type ScannedGroup,
} from './group-scan.ts'
import { type Heads, rowFromHeads } from './heads.ts'
import { Indexing, type IndexingScope, KeyRecorder } from './indexing.ts'
import { LiveSessions } from './live-sessions.ts'
import { ProjectRegistry } from './projects.ts'
import { Retries } from './retries.ts'
import { Rows } from './rows.ts'
import { conversationFiles, isSameScan, keepUnlisted, placesWithout, scanAll, storedScan } from './scan.ts'
import { SyncWarnings } from './sync-warnings.ts'

/** With more files than this the newest groups are indexed before the rest is scanned: with fewer, reading all heads is faster. */
const FILES_READ_AT_ONCE = 2_000
const EARLY_GROUPS = 64
/** Entries in `unread` besides group ids: places that cannot be listed, and files that were grouped only by name. */
const SCAN = 'scan'
const HEADS = 'heads'

const NOTHING_STORED: StoredHome = { folders: [], groups: [] }

/** Keeps the rows equal to what is on disk: scans, compares with what is known, groups, updates the index, announces changes. */
export class Sync {
  readonly rows: Rows
  readonly live: LiveSessions
  readonly indexing: Indexing
  readonly warnings: SyncWarnings
  readonly projects: ProjectRegistry
  /** Answers lists until the first `refresh` is done. */
  readonly firstList = new FirstList((files) => this.#announceFirst(files))
  /** What cannot be read at the moment. */
  readonly unread = new Retries(
    (ids) => this.#retry(ids),
    () => this.#options.isWatching && this.warnings.tellUnread(this.unread),
  )
  scan: Scan = { projects: [], files: [], skipped: [] }
  readonly #options: SyncOptions
  readonly #grouper: ScanGrouper
  /** The result of `look`, until it is used. */
  #lookedAt: Scan | null = null
  #pricesAtLastLook: string | null = null
  /** What an earlier run knew, by group, until it is compared with the disk; null: not loaded yet. */
  #stored: ReadonlyMap<string, StoredGroup> | null = null
  /** null: only scanned, nothing is indexed yet. */
  #scope: IndexingScope | null = null
  readonly #refreshing = new Rerun(() => this.#syncOnce())
  readonly #searchable = deferred()
  /** Files in places that cannot be listed at the moment, by absolute path, and the groups marked because of them. */
  #unlisted: ReadonlyMap<string, UnreadFile> = new Map()
  readonly #marked = new Set<string>()
  readonly #keys: KeyRecorder
  readonly #billing = new BillingRegistry()
  #isPlanningAgain = false
  #isClosed = false

  constructor(options: SyncOptions) {
    const { homes, emit, marks, hasIndex, openIndex } = options
    this.#options = options
    this.rows = new Rows((row, earlierKeys) => marks.marked(row, earlierKeys))
    marks.onChange((keys) => {
      for (const sessionKey of this.rows.noteMarked(keys)) emit({ kind: 'marked', sessionKey })
    })
    this.warnings = new SyncWarnings(options.warnings)
    this.#grouper = new ScanGrouper(homes, options)
    this.#keys = new KeyRecorder(options, () => this.#planAgain())
    this.projects = new ProjectRegistry({ ...options, rows: this.rows })
    this.live = new LiveSessions((sessionKey) => {
      this.rows.noteOtherState()
      emit({ kind: 'changed', sessionKey })
    }, options.clock)
    this.indexing = new Indexing({
      ...options,
      rows: this.rows,
      unread: this.unread,
      headsOf: (group) =>
        group.loose === undefined
          ? this.heads.headsOf(group.files)
          : this.#grouper.conversations.headsOf(group),
      onWhole: () => this.#notePlaces(),
      unlistedOf: (group) => this.#unlistedOf(group),
      noteRows: (records) => {
        this.#keys.note(records)
        this.#billing.note(records)
      },
      review: () => {
        // what is shown now has keys that no other run would assign
        if (this.#isPlanningAgain && !this.indexing.isComplete) return true
        const changed = this.#reviewBilling()
        if (changed.length > 0) this.indexing.start(changed)
        return changed.length > 0
      },
    })
    // Its threads start while the homes are scanned.
    if (hasIndex) void openIndex().catch(() => {})
  }

  /** All rows exist or, if nothing was ever indexed and there are many files, the newest are being indexed. */
  whenSearchable(): Promise<void> {
    return this.#searchable.promise
  }

  get kept(): KeptFiles {
    return this.#options.kept
  }

  /** The heads and ends of the files. */
  get heads(): Heads {
    return this.#grouper.heads
  }

  /** As long as no file changes, there is nothing to group, to read or to drop. */
  get isSettled(): boolean {
    const isRead = this.indexing.isComplete && this.indexing.hasAllRows()
    return isRead && this.#pricesAtLastLook === pricesStamp(this.#options.prices.current())
  }

  /** Scans names and sizes, and takes the rows of what has not changed: enough for a first list. `refresh` continues from there. */
  async look(): Promise<void> {
    const { homes, kept } = this.#options
    const [found, stored] = await Promise.all([scanAll(homes), this.#loadStored()])
    this.scan = kept.addTo(this.#withStored(found, stored))
    const { files } = this.scan
    this.indexing.expect(files.length + conversationFiles(this.scan).length)
    this.#keys.expect(this.scan, [])
    await this.#takeUnchanged(stored)
    const hasRow = ({ absolutePath }: DiscoveredFile) => this.rows.groupOfFile(absolutePath) !== undefined
    await this.firstList.begin(
      files.filter((file) => !hasRow(file)),
      files.filter(hasRow),
    )
    this.#lookedAt = found
  }

  /** Scans the disk again. Calls during a scan trigger one more afterwards. Resolves when the rows exist. */
  refresh(): Promise<void> {
    return this.#refreshing.ask()
  }

  /** Resolves when everything that exists now is read. */
  async catchUp(): Promise<void> {
    await this.refresh()
    await this.indexing.whenCaughtUp()
  }

  /** From now on changes are read and indexed. Resolves when the index is asked to. */
  async beginIndexing(scope: IndexingScope): Promise<void> {
    this.#scope = this.#scope === 'text' ? 'text' : scope
    this.#pricesAtLastLook = null
    try {
      await this.refresh()
    } catch (error) {
      if (!this.#isClosed) throw error
    }
  }

  /** Checks a known file again. false: only a full scan can find out what happened. */
  async refreshFile(absolutePath: string): Promise<boolean> {
    const { rows, indexing, live } = this
    const group = rows.group(rows.groupOfFile(absolutePath) ?? '')
    if (group === undefined || !isOfSessions(group) || !indexing.isComplete) return false
    const grown = await restatGroup(group, absolutePath)
    if (grown === null) return false
    // Another scan has changed the group meanwhile: older data must not replace it.
    if (rows.group(group.id) !== group) return this.refreshFile(absolutePath)
    if (grown.fingerprint === group.fingerprint) {
      // Something else about it has changed, such as its permissions.
      if (this.unread.has(group.id)) indexing.retry([group.id])
      return true
    }
    live.noteGrowth(group, grown)
    rows.put(grown, rows.recordsOf(group.id))
    indexing.start([grown])
    return true
  }

  /** For an answer based only on these groups: requests shared by several of the sessions read count once among them. */
  async countOnce(groupIds: ReadonlySet<string>): Promise<void> {
    await this.indexing.readOnly(this.#reviewBilling((id) => groupIds.has(id)))
  }

  /** For a run that ends before everything is read: stores what is known about the other files, too. */
  async noteUnread(index: SessionIndex): Promise<void> {
    const groups = this.indexing.notShown().filter(({ loose }) => loose === undefined)
    const unread = groups.map(({ id, files }) => ({ id, files: this.heads.endsOf(files) }))
    if (unread.length > 0) await index.note({ ...this.#places(), unread })
  }

  close(): void {
    this.#isClosed = true
    this.#refreshing.close()
    this.#keys.close()
    this.warnings.close()
    this.unread.close()
    this.indexing.close()
    this.live.close()
  }

  async #syncOnce(): Promise<void> {
    const { isSame, reachable } = await this.#scan()
    if (isSame && (await this.#isGroupedSo())) return
    const stored = await this.#compare()
    const wasRead = [...stored.values()].some(({ fingerprint }) => fingerprint !== null)
    await this.#show(await this.#group(wasRead), stored)
    if (this.#scope === null) return
    await this.indexing.bringUpToDate(this.#scope)
    this.#forgetRefused()
    this.indexing.retry(reachable.filter((id) => this.unread.has(id)))
    this.#pricesAtLastLook = pricesStamp(this.#options.prices.current())
    this.#notePlaces()
  }

  /** `reachable`: groups in places that could not be listed until now. */
  async #scan(): Promise<{ isSame: boolean; reachable: string[] }> {
    const { homes, kept } = this.#options
    const found = this.#lookedAt ?? (await scanAll(homes))
    const { scan: listed, places, files } = keepUnlisted(this.scan, found, homes)
    const scan = await kept.complete(listed)
    this.unread.set(SCAN, [...placesWithout(files, places), ...files])
    const reachable = this.#markUnlisted(files)
    const isSame = isSameScan(this.scan, scan)
    // Keeps the file objects that the groups already hold.
    this.scan = isSame ? { ...this.scan, skipped: scan.skipped } : scan
    this.#lookedAt = null
    return { isSame, reachable }
  }

  /** The keys of what was read belong to other conversations: they are planned again, and nothing is complete before that. */
  #planAgain(): void {
    this.#isPlanningAgain = true
    void this.refresh()
      .catch(() => {})
      .finally(() => {
        this.#isPlanningAgain = false
        if (!this.#isClosed && !this.indexing.isComplete) this.indexing.start([])
      })
  }

  /** Whether the scan is already reflected in groups, and in projects as known now. */
  async #isGroupedSo(): Promise<boolean> {
    const isGrouped =
      this.isSettled && !this.#keys.isPlanOutdated && !(await this.#grouper.readsRefused(this.scan))
    return isGrouped && this.projects.setWhereSame(await this.#grouper.identify(this.scan))
  }

  /** What an earlier run knew, on the first call; after that the rows are what is known. */
  async #compare(): Promise<ReadonlyMap<string, StoredGroup>> {
    if (this.#stored === null) await this.#takeUnchanged(await this.#loadStored())
    if (this.#stored === null) return new Map()
    const stored = this.#stored
    this.#stored = new Map()
    return stored
  }

  /** `wasRead`: an earlier run has read something. */
  async #group(wasRead: boolean): Promise<GroupedScan> {
    this.#keys.expect(this.scan, this.#options.homes)
    const isLarge = this.scan.files.length > FILES_READ_AT_ONCE
    const isEarly = this.#scope === 'text' && !this.firstList.hasRows && isLarge
    if (isEarly) await this.firstList.openNewest(EARLY_GROUPS)
    const early = isEarly ? this.indexing.startEarly(this.indexing.notShown()) : null
    if (!wasRead) void early?.then(this.#searchable.resolve, () => {})
    const [grouped] = await Promise.all([this.#grouper.group(this.scan), early])
    if (this.#grouper.refused.length > 0) this.unread.set(HEADS, this.#grouper.refused)
    return grouped
  }

  /** Gives every group its rows: known ones, or else from the heads of its files. */
  async #show(grouped: GroupedScan, stored: ReadonlyMap<string, StoredGroup>): Promise<void> {
    const { rows, indexing } = this
    const isKnown = ({ id, fingerprint }: IndexGroup) =>
      [rows.group(id), stored.get(id)].some((known) => known?.fingerprint === fingerprint)
    const fromHeads = await rowsFromHeads(grouped.groups.filter((group) => !isKnown(group)))
    this.projects.set(grouped.projects)
    const loose = [...grouped.conversations, ...looseGroups(this.scan, grouped)]
    const groups = [...grouped.groups, ...loose]
    this.#removeGone(groups)
    for (const group of grouped.groups) {
      const known = stored.get(group.id)
      if (indexing.take(group, known)) continue
      if (known !== undefined && known.fingerprint !== null) indexing.keepEarlier(group.id, known.sessions)
      this.#announce(group, fromHeads.get(group.id))
    }
    // Loose groups have no heads.
    for (const group of loose) {
      const known = stored.get(group.id)
      if (indexing.take(group, known)) continue
      if (known !== undefined && isOfSessions(group)) indexing.keepEarlier(group.id, known.sessions)
      const earlier = rows.group(group.id)
      if (earlier !== undefined && indexing.isComplete && isOfSessions(group))
        this.live.noteGrowth(earlier, group)
      rows.put(group, rows.recordsOf(group.id))
    }
    indexing.noteGrouped()
    this.#markUnlisted([...this.#unlisted.values()])
    this.firstList.end()
    this.#searchable.resolve()
    if (indexing.hasAllRows()) this.#reviewBilling()
  }

  /** A new group gets a row from its heads at once; a grown one keeps its rows until it is read. */
  #announce(group: ScannedGroup, fromHeads?: SessionRecord): void {
    const { rows, indexing, live } = this
    const earlier = rows.group(group.id)
    if (earlier?.fingerprint === group.fingerprint) return
    if (earlier !== undefined && indexing.isComplete) live.noteGrowth(earlier, group)
    this.#removeTakenUp(group)
    const known = rows.recordsOf(group.id)
    const isRead = known.some(({ summary }) => summary.indexed === 'full')
    rows.put(group, isRead ? known : [fromHeads ?? rowFromHeads(group, group.members)])
  }

  /** Removes a group all of whose files belong to this one: the file that reveals this was not read before. */
  #removeTakenUp({ id, files }: IndexGroup): void {
    const paths = new Set(files.map(({ absolutePath }) => absolutePath))
    for (const other of new Set([...paths].flatMap((path) => this.rows.groupOfFile(path) ?? [])))
      if (other !== id && this.rows.group(other)?.files.every(({ absolutePath }) => paths.has(absolutePath)))
        this.rows.remove(other)
  }

  #removeGone(groups: readonly IndexGroup[]): void {
    const { rows, indexing } = this
    const present = new Set(groups.map(({ id }) => id))
    const gone = rows.groups().filter(({ id }) => !present.has(id))
    const keys = gone.flatMap(({ id }) => rows.sessionsOf(id).map(({ summary }) => summary.key))
    for (const { id } of gone) {
      rows.remove(id)
      indexing.forget(id)
    }
    this.#billing.forget(keys)
    for (const sessionKey of keys) this.#options.emit({ kind: 'removed', sessionKey })
  }

  /** What the index stored in earlier runs. If it is unavailable nothing is known, and the next scan asks again. */
  async #loadStored(): Promise<StoredHome> {
    const { hasIndex, openIndex } = this.#options
    if (!hasIndex) {
      this.#stored = new Map()
      return NOTHING_STORED
    }
    try {
      const stored = await (await openIndex()).load()
      this.#stored = new Map(stored.groups.map((group) => [group.id, group]))
      for (const folder of stored.folders) this.#grouper.takeSearched(folder)
      return stored
    } catch {
      return NOTHING_STORED
    }
  }

  /** A place that cannot be listed at the start is assumed to contain what an earlier run found there. */
  #withStored(found: Scan, stored: StoredHome): Scan {
    const isWhole = found.missing === undefined && found.skipped.every(({ errno }) => errno === undefined)
    const before = isWhole ? null : storedScan(stored)
    if (before === null) return found
    const { scan, files } = keepUnlisted(before, found, this.#options.homes)
    this.#markUnlisted(files)
    return scan
  }

  /** Groups of an earlier run with unchanged files get their rows. */
  async #takeUnchanged({ groups }: StoredHome): Promise<void> {
    const files = [...this.scan.files, ...conversationFiles(this.scan)]
    const fileAt = new Map(files.map((file) => [file.absolutePath, file]))
    const slice = new TimeSlice()
    for (const stored of groups) {
      if (slice.isOver()) await slice.next()
      const group = this.#grouper.take(stored, fileAt)
      if (group !== null) this.indexing.take(group, stored)
    }
    if (groups.length === 0) return
    const { projects } = await this.#grouper.groupSome(this.scan, [])
    this.projects.set(projects)
    this.#markUnlisted([...this.#unlisted.values()])
  }

  /** Rows for some of the files, from their heads. */
  async #announceFirst(files: readonly DiscoveredFile[]): Promise<void> {
    const { projects, groups } = await this.#grouper.groupSome(this.scan, files)
    if (this.firstList.hasRows) return
    this.projects.set(projects)
    // A known group may have more files than these.
    for (const group of groups) if (!this.rows.isKnown(group.id)) this.#announce(group)
  }

  /** Files in places that cannot be listed: their sessions are shown as known before. Returns the groups that are accessible again. */
  #markUnlisted(files: readonly UnreadFile[]): string[] {
    this.#unlisted = new Map(files.map((file) => [file.path, file]))
    if (files.length === 0 && this.#marked.size === 0) return []
    const reachable: string[] = []
    for (const group of this.rows.groups()) {
      const { id } = group
      const unlisted = this.#unlistedOf(group)
      const wasMarked = this.#marked.has(id)
      if (unlisted.length > 0 && this.rows.isKnown(id)) {
        this.#marked.add(id)
        this.rows.setUnread(id, { files: unlisted, isKnown: true })
        if (!wasMarked) this.indexing.tellChanged(id)
      } else if (unlisted.length === 0 && wasMarked) {
        this.#marked.delete(id)
        this.rows.setUnread(id, null)
        this.indexing.tellChanged(id)
        reachable.push(id)
      }
    }
    return reachable
  }

  #unlistedOf({ files }: IndexGroup): UnreadFile[] {
    if (this.#unlisted.size === 0) return []
    return files.flatMap(({ absolutePath }) => this.#unlisted.get(absolutePath) ?? [])
  }

  /** The location of everything is stored with the sessions. If that fails, it is found again. */
  #notePlaces(): void {
    const found = { ...this.#places(), unread: [] }
    void this.#options
      .openIndex()
      .then((index) => index.note(found))
      .catch(() => {})
  }

  #places(): Pick<FoundPlaces, 'projects' | 'folders'> {
    return {
      projects: this.rows.projects().map(({ key, name, path }) => ({ key, name, path })),
      folders: this.scan.projects.map(({ folder, home, name, marker }) => ({
        ...{ folder, home, name, marker },
        searched: this.#grouper.searchedIn(folder),
      })),
    }
  }

  /** Requests of several sessions count once. Returns the groups to be read again, because other sessions now count their requests. */
  #reviewBilling(isMeant: (groupId: string) => boolean = () => true): IndexGroup[] {
    if (!this.#billing.isOutdated) return []
    const { rows } = this
    const sessions = [...rows.sessions().values()]
    const elsewhere = this.#billing.review(sessions)
    const wanted = new Map<string, Record<string, BilledElsewhere[]>>()
    for (const { summary, groupId } of sessions) {
      const own = elsewhere.get(summary.key)
      if (own !== undefined) wanted.set(groupId, { ...wanted.get(groupId), [summary.key]: own })
    }
    const changed = rows
      .groups()
      .filter(({ id, claims }) => isMeant(id) && !isDeepStrictEqual(claims?.billed, wanted.get(id)))
      .map((group) => this.#grouper.billed(group, wanted.get(group.id)))
    for (const group of changed) rows.put(group, rows.recordsOf(group.id))
    return changed
  }

  /** They count as unread until their new groups are read. */
  #forgetRefused(): void {
    if (!this.unread.has(HEADS) || this.#grouper.refused.length > 0) return
    const forget = () => {
      if (this.#grouper.refused.length === 0) this.unread.delete(HEADS)
    }
    // An index that gave up reports that elsewhere.
    this.indexing.whenCaughtUp().then(forget, forget)
  }

  #retry(ids: readonly string[]): void {
    const isOfLook = (id: string) => id === SCAN || id === HEADS
    if (ids.some(isOfLook)) void this.refresh().catch(() => {})
    this.indexing.retry(ids.filter((id) => !isOfLook(id)))
  }
}

/** In slices: ten thousand take half a second. */
async function rowsFromHeads(groups: readonly ScannedGroup[]): Promise<ReadonlyMap<string, SessionRecord>> {
  const rows = new Map<string, SessionRecord>()
  const slice = new TimeSlice()
  for (const group of groups) {
    if (slice.isOver()) await slice.next()
    rows.set(group.id, rowFromHeads(group, group.members))
  }
  return rows
}

/** Runs one task at a time, and once more if requested meanwhile. */
class Rerun {
  readonly #run: () => Promise<void>
  #running: Promise<void> | null = null
  #isAskedAgain = false
  #isClosed = false

  constructor(run: () => Promise<void>) {
    this.#run = run
  }

  /** Resolves when no further run is requested. */
  ask(): Promise<void> {
    if (this.#running !== null) {
      this.#isAskedAgain = true
      return this.#running
    }
    this.#running = this.#runUntilQuiet().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  /** The current run is the last. */
  close(): void {
    this.#isClosed = true
  }

  async #runUntilQuiet(): Promise<void> {
    do {
      this.#isAskedAgain = false
      await this.#run()
    } while (this.#isAskedAgain && !this.#isClosed)
  }
}

/** Archived copies of files that are no longer in their homes. */
export interface KeptFiles {
  /** Adds files that are known to be missing. */
  addTo(scan: Scan): Scan
  /** The same, but first determines what is missing. */
  complete(scan: Scan): Promise<Scan>
  /** Whether the set of missing files has changed since they were last added. */
  hasChanged(): boolean
  /** What was archived but can no longer be restored, as a sentence; null: nothing. */
  describeLost(): string | null
}

export const NOTHING_KEPT: KeptFiles = {
  addTo: (scan) => scan,
  complete: async (scan) => scan,
  hasChanged: () => false,
  describeLost: () => null,
}

interface SyncOptions {
  homes: GeminiHome[]
  kept: KeptFiles
  /** Opens the index on the first call. */
  openIndex: () => Promise<SessionIndex>
  /** There may be one from an earlier run. */
  hasIndex: boolean
  /** What the user entered for projects. */
  words: WordList
  /** The user's stars, notes, tags and titles. */
  marks: MarkStore
  /** Which session each key refers to. */
  keys: KeyRegistry
  /** The user's prices. */
  prices: PriceTable
  userHome: string
  /** Changes are watched, and problems on the way reported. */
  isWatching: boolean
  isDemo: boolean
  /** The current time in ms since 1970. */
  clock: () => number
  /** What the program currently works without. */
  warnings: WarningList
  emit: (event: LiveEvent) => void
  onProgress: (filesDone: number, filesTotal: number) => void
}
