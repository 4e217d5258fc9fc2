import { setTimeout as pause } from 'node:timers/promises'
import type { LiveEvent } from '@gemini-dash/api'
import type { IndexedGroup, IndexGroup, SessionIndex, SessionRecord } from '@gemini-dash/session-index'
import type { UnreadFile } from 'gemini-sessions'
import type { Catalog } from '../catalog/catalog.ts'
import { failedRecord } from '../catalog/failed-record.ts'
import { areKnown, markUnread, withoutUnread } from '../catalog/mark-unread.ts'
import type { UnreadBook } from '../catalog/unread-book.ts'
import { deferred } from '../remembered/deferred.ts'
import { FailedGroups } from './failed-groups.ts'
import { Readings } from './readings.ts'

export interface IndexingOptions {
  catalog: Catalog
  /** Opens the index, the first time that it is called. */
  openIndex: () => Promise<SessionIndex>
  emit: (event: LiveEvent) => void
  onProgress: (filesDone: number, filesTotal: number) => void
  /** Groups that cannot be read just now are put in here. */
  unread: UnreadBook
  /** Files of a group that lie where we cannot look just now; undefined: none. */
  unlistedOf: (group: IndexGroup) => UnreadFile[] | undefined
}

/** `rows`: only what the rows of the catalog still lack. `text`: everything that a search looks at as well. */
export type IndexingScope = 'rows' | 'text'

const INDEX_EVENT_INTERVAL_MS = 250
const RETRY_MS = 5_000
const CATCHING_UP_MS = 10
/** The fingerprint of no group: the next start reads it. */
const NOT_READ = 'not read'

/** Has the index read what changed, and knows how far that is. */
export class Indexing {
  readonly #options: IndexingOptions
  /** Groups that are on disk now. */
  #present: readonly IndexGroup[] = []
  /** Files that were found, until it is known which groups they make; null from then on. */
  #expectedFiles: number | null = 0
  /** Fingerprints of the groups whose rows in the catalog are whole. */
  readonly #whole = new Map<string, string>()
  /** `readOnly`: of these progress is told. */
  #wanted: readonly IndexGroup[] | null = null
  /** Groups that had grown when they were read: as far as that, their rows are whole. */
  readonly #behind = new Set<string>()
  readonly #failed = new FailedGroups((groupId) => this.retry([groupId]))
  /** How many readings of each group have ended. */
  readonly #ended = new Map<string, number>()
  /** Groups whose text the index lacks though their rows stand: it is to read them again. */
  readonly #lost = new Set<string>()
  #losses = 0
  /** Those after which it was told that everything is read again. */
  #toldLosses = 0
  #scope: IndexingScope = 'rows'
  /** null until it is open. */
  #index: SessionIndex | null = null
  /** What an earlier run knew of groups that have changed since, until they are read. */
  readonly #earlier = new Map<string, SessionRecord[]>()
  /** Fingerprints of what the index holds or was asked to read; null until it is open. */
  #stored: Map<string, string> | null = null
  readonly #readings = new Readings({
    read: (groups) => this.#update(groups),
    unread: (groupId) => this.#notRead(groupId),
  })
  #isComplete = false
  readonly #whenComplete = deferred()
  #rejectWaiting: (error: Error) => void = () => {}
  readonly #givenUp = new Promise<never>((_, reject) => {
    this.#rejectWaiting = reject
  })
  #whenRefilled = deferred()
  #lastIndexEventMs = Number.NEGATIVE_INFINITY
  #retryTimer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(options: IndexingOptions) {
    this.#options = options
    this.#givenUp.catch(() => {})
  }

  /** Everything that the first look found is read. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  whenComplete(): Promise<void> {
    return this.#whenComplete.promise
  }

  /** Complete, and the index holds all of it: nothing that it lost is still to be read again. */
  get isReady(): boolean {
    return this.#isComplete && this.#lost.size === 0 && (this.#index?.isUp() ?? true)
  }

  /** @throws once it was given up */
  async whenReady(): Promise<void> {
    await Promise.race([this.#givenUp, this.#whenWhole()])
  }

  /** Nobody waits until the index can be asked again. */
  giveUp(error: Error): void {
    this.#rejectWaiting(error)
  }

  async #whenWhole(): Promise<void> {
    await this.#whenComplete.promise
    while (this.#lost.size > 0) await this.#whenRefilled.promise
  }

  /** How often the index has lost something. An answer during which this grew may lack it. */
  get losses(): number {
    return this.#losses
  }

  /**
   * Resolves when everything that is there now was read as it is now. Of what grows without pause no reading is the last: the
   * second that ends from now on was begun after now.
   */
  async whenCaughtUp(): Promise<void> {
    await this.whenReady()
    const ended = new Map(this.#present.map(({ id }) => [id, this.#ended.get(id) ?? 0]))
    const isBehind = ({ id, fingerprint }: IndexGroup) => {
      const before = ended.get(id)
      const isAwaited = before !== undefined && (this.#ended.get(id) ?? 0) < before + 2
      return isAwaited && this.#whole.get(id) !== fingerprint
    }
    while (!this.#isClosed && (this.#present.some(isBehind) || this.#lost.size > 0)) {
      await pause(CATCHING_UP_MS)
    }
  }

  hasAllRows(): boolean {
    if (this.#expectedFiles === null) return this.#present.every((group) => this.#isShown(group))
    return this.#earlyProgress(this.#expectedFiles).filesDone === this.#expectedFiles
  }

  /** Groups that are not read yet. As long as heads have to tell which there are, nobody knows. */
  get groupsLeft(): number {
    if (this.#expectedFiles !== null) return Number.POSITIVE_INFINITY
    return this.#present.filter((group) => !this.#isDone(group)).length
  }

  /** In session files. */
  progress(): { filesDone: number; filesTotal: number } {
    if (this.#expectedFiles !== null) return this.#earlyProgress(this.#expectedFiles)
    return this.#progressOf(this.#present)
  }

  #progressOf(groups: readonly IndexGroup[]): { filesDone: number; filesTotal: number } {
    let filesDone = 0
    let filesTotal = 0
    for (const group of groups) {
      if (group.loose !== undefined) continue
      filesTotal += group.files.length
      if (this.#isDone(group)) filesDone += group.files.length
    }
    return { filesDone, filesTotal }
  }

  /** What grows without pause counts as read once it was read at all. */
  #isShown({ id, fingerprint }: IndexGroup): boolean {
    return this.#whole.get(id) === fingerprint || this.#behind.has(id)
  }

  /** Shown, and found by searches. */
  #isDone(group: IndexGroup): boolean {
    return this.#isShown(group) && !this.#lost.has(group.id)
  }

  #earlyProgress(filesTotal: number): { filesDone: number; filesTotal: number } {
    const done = [...this.#whole.keys()].map((id) => this.#options.catalog.group(id)?.files.length ?? 0)
    return { filesDone: done.reduce((sum, files) => sum + files, 0), filesTotal }
  }

  /** Groups with whole rows, as they are to be remembered. */
  *rows(): IterableIterator<IndexedGroup> {
    for (const { id, fingerprint } of this.#present) {
      if (this.#whole.get(id) !== fingerprint || this.#failed.has(id)) continue
      const records = this.#options.catalog.recordsOf(id)
      const isRead = !this.#options.unread.has(id)
      if (!isRead && !areKnown(records)) continue
      const sessions = records.some(({ summary }) => summary.unread) ? withoutUnread(records) : records
      yield { id, fingerprint: isRead ? fingerprint : NOT_READ, sessions, failure: null }
    }
  }

  setPresent(groups: readonly IndexGroup[]): void {
    this.#present = groups
    this.#expectedFiles = null
  }

  /** So many files were found; which groups they make, their heads have yet to tell. */
  expect(files: number): void {
    if (this.#expectedFiles !== null) this.#expectedFiles = files
  }

  replacePresent(group: IndexGroup): void {
    this.#present = this.#present.map((known) => (known.id === group.id ? group : known))
  }

  /** Puts the rows of a group into the catalog if they are known as the group is now. */
  take(group: IndexGroup, known: IndexedGroup | undefined): boolean {
    if (this.#isWhole(group)) return true
    if (known === undefined || known.fingerprint !== group.fingerprint || known.failure !== null) return false
    this.#options.catalog.put(group, known.sessions)
    this.#whole.set(group.id, group.fingerprint)
    this.#behind.delete(group.id)
    this.#failed.delete(group.id)
    return true
  }

  /** What an earlier run knew of a group that has changed since: it is shown if the group cannot be read now. */
  keepEarlier(groupId: string, records: SessionRecord[]): void {
    if (areKnown(records)) this.#earlier.set(groupId, records)
  }

  /** Groups that could not be read are tried again. */
  retry(groupIds: readonly string[]): void {
    this.#readings.start(groupIds.flatMap((id) => this.#options.catalog.group(id) ?? []))
  }

  forget(groupId: string): void {
    this.#earlier.delete(groupId)
    this.#options.unread.delete(groupId)
    this.#whole.delete(groupId)
    this.#behind.delete(groupId)
    this.#failed.delete(groupId)
    this.#ended.delete(groupId)
    this.#lost.delete(groupId)
    this.#readings.forget(groupId)
  }

  /** The index holds nothing of these groups any more. Their rows stand; their text is read again. */
  lose(groupIds: readonly string[]): void {
    if (this.#isClosed) return
    this.#losses += 1
    for (const id of groupIds) this.#stored?.delete(id)
    // Before it is known what is on disk there is nothing to ask for; then all is asked for that is not stored.
    if (this.#expectedFiles !== null || this.#scope === 'rows') return
    const ids = new Set(groupIds)
    const lost = this.#present.filter(({ id }) => ids.has(id))
    for (const { id } of lost) this.#addLost(id)
    this.#emitProgress()
    this.#readings.restart(lost)
  }

  /**
   * Has the index read these groups before it is known what else is on disk. Resolves when it is asked. What is not
   * done when everything is asked for is asked again, in its place among the others: later questions go first.
   */
  async startEarly(groups: readonly IndexGroup[]): Promise<void> {
    this.#scope = 'text'
    const { stored } = await this.#open()
    this.#readings.restart(groups.filter(({ id, fingerprint }) => stored.get(id) !== fingerprint))
  }

  /** Has the index read what it lacks and drop what is gone. Resolves when it is asked, not when it is done. */
  async bringUpToDate(scope: IndexingScope): Promise<void> {
    this.#scope = scope
    const { index, stored } = await this.#open()
    await this.#removeGone(index, stored)
    await this.#takeStored(this.#present)
    if (scope === 'text') this.#missTexts(stored)
    this.start(this.#present.filter((group) => !this.#isWhole(group) || this.#lost.has(group.id)))
    // What was lost last may be gone from the disk.
    if (this.#isComplete) this.#settle()
  }

  /** Has these groups read and no other. Resolves when their rows stand. @throws once the index was given up */
  async readOnly(groups: readonly IndexGroup[]): Promise<void> {
    this.#wanted = groups
    const { index } = await this.#open()
    await this.#takeStored(groups)
    const unread = this.#readable(groups.filter((group) => !this.#isWhole(group)))
    this.#emitProgress()
    const reading = index.update(unread, (indexed, tookMs) => this.#takeIndexed(indexed, tookMs))
    await Promise.race([this.#givenUp, reading])
    this.#wanted = null
  }

  /** Groups whose rows are not those of their files as they are now. */
  unread(): IndexGroup[] {
    return this.#present.filter((group) => !this.#isShown(group))
  }

  /** Asks the index to read these groups, as far as it was not asked before. */
  start(groups: readonly IndexGroup[]): void {
    if (this.#isComplete) this.#readings.start(groups)
    else this.#readings.restart(groups)
  }

  #update(groups: readonly IndexGroup[]): void {
    if (!this.#isComplete) this.#emitProgress()
    const wanted = this.#readable(groups)
    this.#options
      .openIndex()
      .then((index) => {
        const present = wanted.filter(({ id }) => this.#options.catalog.group(id) !== undefined)
        // From now on it may hold something of them.
        for (const { id } of present) if (!this.#stored?.has(id)) this.#stored?.set(id, NOT_READ)
        return index.update(present, (indexed, tookMs) => this.#takeIndexed(indexed, tookMs))
      })
      .then(() => this.#settle())
      .catch(() => {
        // The index cannot be asked just now, as where its threads do not start.
        this.#readings.drop(groups)
        if (this.#isClosed) return
        this.#retryTimer ??= setTimeout(() => {
          this.#retryTimer = null
          this.start(this.#present.filter((group) => !this.#isWhole(group) || this.#lost.has(group.id)))
        }, RETRY_MS)
      })
  }

  #readable(groups: readonly IndexGroup[]): IndexGroup[] {
    return groups
      .filter((group) => !this.#isUnlisted(group))
      .map(({ id, fingerprint, files, loose, prices }) => ({ id, fingerprint, files, loose, prices }))
  }

  /** Whoever reads what cannot be reached finds it gone. */
  #isUnlisted(group: IndexGroup): boolean {
    const unread = this.#options.unlistedOf(group)
    if (unread === undefined) return false
    const { id, fingerprint } = group
    this.#takeIndexed({ id, fingerprint, sessions: [], failure: null, unread }, 0)
    return true
  }

  close(): void {
    this.#isClosed = true
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer)
    this.#failed.close()
    this.#readings.close()
  }

  async #open(): Promise<{ index: SessionIndex; stored: Map<string, string> }> {
    const index = await this.#options.openIndex()
    this.#index = index
    // What it loses from now on it tells.
    this.#stored ??= await index.fingerprints()
    return { index, stored: this.#stored }
  }

  /** The rows that the index holds of these groups as they are now. What cannot be loaded is read again. */
  async #takeStored(groups: readonly IndexGroup[]): Promise<void> {
    const { index, stored } = await this.#open()
    const unread = groups.filter((group) => !this.#isWhole(group))
    const known = unread.filter((group) => stored.get(group.id) === group.fingerprint).map(({ id }) => id)
    const loaded = known.length === 0 ? [] : await index.load(known).catch(() => [])
    const loadedById = new Map(loaded.map((group) => [group.id, group]))
    for (const group of unread) this.take(group, loadedById.get(group.id))
  }

  #isWhole({ id, fingerprint }: IndexGroup): boolean {
    return this.#whole.get(id) === fingerprint
  }

  async #removeGone(index: SessionIndex, stored: Map<string, string>): Promise<void> {
    const present = new Set(this.#present.map(({ id }) => id))
    const gone = [...stored.keys()].filter((id) => !present.has(id))
    for (const id of gone) stored.delete(id)
    if (gone.length > 0) await index.remove(gone)
  }

  /** Rows can be remembered of which the index has lost the text: they are to be read again. */
  #missTexts(stored: ReadonlyMap<string, string>): void {
    for (const group of this.#present) {
      const { id, fingerprint } = group
      if (this.#failed.has(id) || this.#options.unread.has(id)) continue
      if (stored.get(id) !== fingerprint && this.#isWhole(group)) this.#addLost(id)
    }
  }

  #addLost(groupId: string): void {
    if (this.#lost.size === 0) this.#whenRefilled = deferred()
    this.#lost.add(groupId)
  }

  /** What was read is shown, also of a group that has grown meanwhile: it is read again then. */
  #takeIndexed(indexed: IndexedGroup, tookMs: number): void {
    const { id, fingerprint, failure, sessions, unread } = indexed
    this.#readings.end(id, fingerprint, tookMs)
    this.#ended.set(id, (this.#ended.get(id) ?? 0) + 1)
    const wasLost = this.#lost.delete(id)
    const { catalog } = this.#options
    const group = catalog.group(id)
    // Its removal is asked for, too, and follows its reading.
    if (group === undefined) return
    if (failure === null && unread === undefined) this.#stored?.set(id, fingerprint)
    const read =
      failure === null ? sessions : catalog.recordsOf(id).map((record) => failedRecord(record, failure))
    if (unread === undefined) catalog.put(group, read, { ...group, fingerprint })
    else this.#keepKnown({ ...group, fingerprint }, read, unread)
    if (group.fingerprint === fingerprint) this.#behind.delete(id)
    else this.#behind.add(id)
    this.#whole.set(id, fingerprint)
    if (failure === null || unread !== undefined) this.#failed.delete(id)
    else this.#failed.add(id)
    if (unread === undefined) {
      this.#options.unread.delete(id)
      this.#earlier.delete(id)
    }
    if (this.#isComplete && !wasLost) this.emitChanged(id)
    else this.#emitProgress()
  }

  /** Some files could not be read: what was known of the group stays, as long as that is more. */
  #keepKnown(group: IndexGroup, read: readonly SessionRecord[], files: readonly UnreadFile[]): void {
    const { catalog, unread } = this.#options
    const { id } = group
    const shown = catalog.recordsOf(id)
    const known = areKnown(shown) ? shown : (this.#earlier.get(id) ?? null)
    const source = known === shown ? catalog.sourceOf(id) : group
    const told = read.length === 0 ? shown : read
    catalog.put(catalog.group(id) ?? group, markUnread(known ?? told, files, known !== null), source)
    const absolute = new Map(group.files.map(({ path, absolutePath }) => [path, absolutePath]))
    unread.set(
      id,
      files.map(({ path, code }) => ({ path: absolute.get(path) ?? path, code })),
    )
  }

  #notRead(groupId: string): IndexGroup | null {
    const group = this.#options.catalog.group(groupId)
    return group === undefined || this.#whole.get(groupId) === group.fingerprint ? null : group
  }

  emitChanged(groupId: string): void {
    for (const { summary } of this.#options.catalog.sessionsOf(groupId)) {
      for (const sessionKey of [summary.key, summary.parentKey]) {
        if (sessionKey !== null) {
          this.#options.emit({ kind: 'changed', sessionKey, projectKey: summary.project.key })
        }
      }
    }
  }

  #settle(): void {
    const isPresentKnown = this.#expectedFiles === null
    if (this.#isClosed || !isPresentKnown || !this.hasAllRows() || this.#lost.size > 0) return
    this.#whenRefilled.resolve()
    if (this.#isComplete && this.#losses === this.#toldLosses) return
    this.#isComplete = true
    this.#toldLosses = this.#losses
    this.#lastIndexEventMs = Number.NEGATIVE_INFINITY
    this.#emitProgress()
    this.#whenComplete.resolve()
  }

  #emitProgress(): void {
    const nowMs = performance.now()
    if (nowMs - this.#lastIndexEventMs < INDEX_EVENT_INTERVAL_MS) return
    this.#lastIndexEventMs = nowMs
    const { filesDone, filesTotal } = this.#wanted === null ? this.progress() : this.#progressOf(this.#wanted)
    this.#options.onProgress(filesDone, filesTotal)
    this.#options.emit({ kind: 'index' })
  }
}
