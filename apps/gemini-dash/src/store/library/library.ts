import { isDeepStrictEqual } from 'node:util'
import { pricesStamp } from '@gemini-dash/pricing/overrides'
import type { IndexedGroup, IndexGroup } from '@gemini-dash/session-index'
import type { BilledElsewhere } from 'gemini-sessions'
import { type DiscoveredFile, type Scan, scanHomes } from 'gemini-sessions/node'
import type { Catalog } from '../catalog/catalog.ts'
import { LiveSessions } from '../catalog/live-sessions.ts'
import { markedCatalog } from '../catalog/marked-catalog.ts'
import { UnreadBook } from '../catalog/unread-book.ts'
import { Indexing } from '../indexing/indexing.ts'
import type { IndexingScope } from '../indexing/indexing-options.ts'
import { ProjectBook } from '../projects/project-book.ts'
import { deferred } from '../remembered/deferred.ts'
import { FirstList } from '../remembered/first-list.ts'
import type { HeadBook } from '../remembered/head-book.ts'
import { BillingBook } from './billing-book.ts'
import { ScanGrouper } from './group-scan.ts'
import { isSameScan } from './is-same-scan.ts'
import { keepUnlisted, placesWithout } from './keep-unlisted.ts'
import { KeyRecorder } from './key-recorder.ts'
import type { LibraryOptions } from './library-options.ts'
import { LibraryWarnings } from './library-warnings.ts'
import { looseGroups } from './loose-groups.ts'
import { Rerun } from './rerun.ts'
import { restatGroup } from './restat-group.ts'
import { ShownGroups } from './shown-groups.ts'
import { UnlistedGroups } from './unlisted-groups.ts'

/** Of more files than these the newest groups are indexed before the rest is looked at: of fewer, all heads are read sooner than that. */
const FILES_READ_AT_ONCE = 2_000
const EARLY_GROUPS = 64
/** In `unread`, beside the ids of groups: places that cannot be listed, and files that stand in groups by their names alone. */
const SCAN = 'scan'
const HEADS = 'heads'

/** Keeps the catalog equal to what is on disk: scans, groups, and has read what changed. */
export class Library {
  readonly catalog: Catalog
  readonly live: LiveSessions
  readonly indexing: Indexing
  readonly warnings: LibraryWarnings
  readonly projects: ProjectBook
  /** Answers until the first `refresh` is done. */
  readonly firstList: FirstList
  /** What the system does not let us read just now. */
  readonly unread = new UnreadBook(
    (ids) => this.#retry(ids),
    () => this.#options.isWatching && this.warnings.tellUnread(this.unread),
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
  readonly #refreshing = new Rerun(() => this.#refreshOnce())
  readonly #searchable = deferred()
  readonly #unlisted = new UnlistedGroups(this)
  readonly #shown: ShownGroups
  readonly #keys: KeyRecorder
  readonly #billing = new BillingBook()
  #isClosed = false

  constructor(options: LibraryOptions) {
    const { homes, emit, marks } = options
    this.#options = options
    this.catalog = markedCatalog(marks, emit)
    this.warnings = new LibraryWarnings(options.warnings)
    this.#grouper = new ScanGrouper(homes, options)
    this.#keys = new KeyRecorder(options, () => void this.refresh().catch(() => {}))
    this.firstList = new FirstList({
      announce: (files) => this.#announceFirst(files),
      take: (known, files) => this.#takeFirst(known, files),
    })
    this.projects = new ProjectBook({ ...options, catalog: this.catalog })
    this.live = new LiveSessions((sessionKey) => {
      this.catalog.noteOtherState()
      emit({ kind: 'changed', sessionKey })
    }, options.clock)
    this.indexing = new Indexing({
      ...options,
      catalog: this.catalog,
      unread: this.unread,
      unlistedOf: (group) => this.#unlisted.filesOf(group),
      noteRows: (records) => {
        this.#keys.note(records)
        this.#billing.note(records)
      },
      review: () => {
        const changed = this.#reviewBilling()
        if (changed.length > 0) this.indexing.start(changed)
        return changed.length > 0
      },
    })
    this.#shown = new ShownGroups(this, emit)
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
    this.scan = this.#options.kept.addTo(await this.#withRemembered(found))
    this.indexing.groups.expect(this.scan.files.length)
    this.#keys.expect(this.scan, [])
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
    return this.#refreshing.ask()
  }

  /** What heads and ends of the files tell. */
  get heads(): HeadBook {
    return this.#grouper.heads
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
    const group = this.catalog.group(this.catalog.groupOfFile(absolutePath) ?? '')
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
    this.#shown.grow(group, grown)
    return true
  }

  close(): void {
    this.#isClosed = true
    this.#refreshing.close()
    this.#keys.close()
    this.warnings.close()
    this.unread.close()
    this.firstList.close()
    this.indexing.close()
    this.live.close()
  }

  async #refreshOnce(): Promise<void> {
    const found = this.#lookedAt ?? (await scanHomes(this.#options.homes))
    const { scan: listed, places, files } = keepUnlisted(this.scan, found, this.#options.homes)
    const scan = await this.#options.kept.complete(listed)
    this.unread.set(SCAN, [...placesWithout(files, places), ...files])
    const reachable = this.#unlisted.set(files)
    const isUnchanged = isSameScan(this.scan, scan)
    // The files that the groups hold already.
    this.scan = isUnchanged ? { ...this.scan, skipped: scan.skipped } : scan
    this.#lookedAt = null
    const isGrouped =
      isUnchanged &&
      this.isSettled &&
      !this.#keys.isPlanOutdated &&
      !(await this.#grouper.readsRefused(this.scan))
    if (isGrouped && this.projects.setWhereSame(await this.#grouper.identify(this.scan))) return
    this.#remembered ??= this.#options.remembered()
    const rows = await this.#remembered
    this.#remembered = Promise.resolve(new Map())
    this.#keys.expect(this.scan, this.#options.homes)
    this.#grouper.prime(this.scan, rows.values())
    const isLarge = this.scan.files.length > FILES_READ_AT_ONCE
    const isEarly = this.#scope === 'text' && !this.firstList.hasRows && isLarge
    if (isEarly) await this.firstList.openNewest(EARLY_GROUPS)
    const early = isEarly ? this.indexing.startEarly(this.#shown.unread()) : null
    if (rows.size === 0) void early?.then(this.#searchable.resolve, () => {})
    const [grouped] = await Promise.all([this.#grouper.group(this.scan), early])
    if (this.#grouper.refused.length > 0) this.unread.set(HEADS, this.#grouper.refused)
    const heads = await this.#shown.rowsFromHeads(grouped.groups, rows)
    this.projects.set(grouped.projects)
    const loose = looseGroups(this.scan, grouped)
    this.#billing.forget(this.#shown.removeGone([...grouped.groups, ...loose]))
    this.indexing.groups.setPresent([...grouped.groups, ...loose])
    this.#shown.putAll(grouped.groups, rows, heads)
    this.#shown.putLoose(loose, rows)
    for (const { id } of [...grouped.groups, ...loose]) this.#unlisted.mark(id)
    this.firstList.end()
    this.#searchable.resolve()
    if (this.indexing.hasAllRows()) this.#reviewBilling()
    if (this.#scope === null) return
    await this.indexing.bringUpToDate(this.#scope)
    this.#forgetRefused()
    this.indexing.retry(reachable.filter((id) => this.unread.has(id)))
    this.#pricesAtLastLook = pricesStamp(this.#options.prices.current())
  }

  /** Requests that several sessions have count once. Answers the groups that are to be read again, as other sessions count theirs now. */
  #reviewBilling(): IndexGroup[] {
    if (!this.#billing.isOutdated) return []
    const { catalog, indexing } = this
    const sessions = [...catalog.sessions().values()]
    const elsewhere = this.#billing.review(sessions)
    const wanted = new Map<string, Record<string, BilledElsewhere[]>>()
    for (const { summary, groupId } of sessions) {
      const own = elsewhere.get(summary.key)
      if (own !== undefined) wanted.set(groupId, { ...wanted.get(groupId), [summary.key]: own })
    }
    const changed = [...catalog.groupIds()].flatMap((id) => {
      const group = catalog.group(id)
      const billed = wanted.get(id)
      const isSame = group === undefined || isDeepStrictEqual(group.claims?.billed, billed)
      return isSame ? [] : [this.#grouper.billed(group, billed)]
    })
    for (const group of changed) {
      catalog.put(group, catalog.recordsOf(group.id))
      indexing.groups.replacePresent(group)
    }
    return changed
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

  /** Rows for some of the files, from their heads. */
  async #announceFirst(files: readonly DiscoveredFile[]): Promise<void> {
    const { projects, groups } = await this.#grouper.groupSome(this.scan, files)
    if (this.firstList.hasRows) return
    this.projects.set(projects)
    for (const group of groups) this.#shown.announce(group)
  }

  /** The rows of one group as an earlier run knew them. false: they are not of these files. */
  #takeFirst(known: IndexedGroup, files: DiscoveredFile[]): boolean {
    const group = this.#grouper.knownGroup(known, files)
    const isTaken = this.indexing.take(group, known)
    if (isTaken) this.#unlisted.mark(group.id)
    return isTaken
  }

  #retry(ids: readonly string[]): void {
    const isOfLook = (id: string) => id === SCAN || id === HEADS
    if (ids.some(isOfLook)) void this.refresh().catch(() => {})
    this.indexing.retry(ids.filter((id) => !isOfLook(id)))
  }
}
