import { setTimeout as pause } from 'node:timers/promises'
import type { IndexedGroup, IndexGroup, SessionRecord } from '@gemini-dash/session-index'
import { FailedGroups } from './failed-groups.ts'
import { GroupStates } from './group-states.ts'
import { IndexEvents } from './index-events.ts'
import type { IndexingOptions, IndexingScope } from './indexing-options.ts'
import { ReadGroups } from './read-groups.ts'
import { Readiness } from './readiness.ts'
import { Readings } from './readings.ts'
import { StoredIndex } from './stored-index.ts'

const RETRY_MS = 5_000
const CATCHING_UP_MS = 10
/** Has the index read what changed, and knows how far that is. */
export class Indexing {
  readonly #options: IndexingOptions
  readonly groups: GroupStates
  readonly events: IndexEvents
  readonly #read: ReadGroups
  readonly #readiness: Readiness
  readonly #index: StoredIndex
  readonly #failed = new FailedGroups((groupId) => this.retry([groupId]))
  #scope: IndexingScope = 'rows'
  readonly #readings = new Readings({
    read: (groups) => this.#update(groups),
    unread: (groupId) => this.#notRead(groupId),
  })
  #retryTimer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(options: IndexingOptions) {
    this.#options = options
    this.groups = new GroupStates(options.catalog)
    this.#read = new ReadGroups(options, this.groups, this.#failed)
    this.#readiness = new Readiness(this.groups)
    this.events = new IndexEvents(options, this.groups)
    this.#index = new StoredIndex(options.openIndex)
  }

  /** Everything that the first look found is read. */
  get isComplete(): boolean {
    return this.#readiness.isComplete
  }

  whenComplete(): Promise<void> {
    return this.#readiness.whenComplete()
  }

  /** Complete, and the index holds all of it: nothing that it lost is still to be read again. */
  get isReady(): boolean {
    return this.isComplete && !this.groups.hasLost && this.#index.isUp
  }

  /** @throws once it was given up */
  whenReady(): Promise<void> {
    return this.#readiness.whenReady()
  }

  /** Nobody waits until the index can be asked again. */
  giveUp(error: Error): void {
    this.#readiness.giveUp(error)
  }

  /** How often the index has lost something. An answer during which this grew may lack it. */
  get losses(): number {
    return this.#readiness.losses
  }

  /**
   * Resolves when everything that is there now was read as it is now. Of what grows without pause no reading is the last: the
   * second that ends from now on was begun after now.
   */
  async whenCaughtUp(): Promise<void> {
    await this.whenReady()
    const isBehind = this.groups.whatIsBehind()
    while (!this.#isClosed && isBehind()) await pause(CATCHING_UP_MS)
  }

  hasAllRows(): boolean {
    return this.groups.hasAllRows()
  }

  /** In session files. */
  progress(): { filesDone: number; filesTotal: number } {
    return this.groups.progress()
  }

  /** Groups with whole rows, as they are to be remembered. */
  rows(): IterableIterator<IndexedGroup> {
    return this.#read.remembered()
  }

  /** Puts the rows of a group into the catalog if they are known as the group is now. */
  take(group: IndexGroup, known: IndexedGroup | undefined): boolean {
    return this.#read.take(group, known)
  }

  /** What an earlier run knew of a group that has changed since: it is shown if the group cannot be read now. */
  keepEarlier(groupId: string, records: SessionRecord[]): void {
    this.#read.keepEarlier(groupId, records)
  }

  /** Groups that could not be read are tried again. What is gone by now is unread no more. */
  retry(groupIds: readonly string[]): void {
    const { catalog, unread } = this.#options
    for (const id of groupIds) if (catalog.group(id) === undefined) unread.delete(id)
    this.#readings.start(groupIds.flatMap((id) => catalog.group(id) ?? []))
  }

  forget(groupId: string): void {
    this.#read.forget(groupId)
    this.#readings.forget(groupId)
  }

  /** The index holds nothing of these groups any more. Their rows stand; their text is read again. */
  lose(groupIds: readonly string[]): void {
    if (this.#isClosed) return
    this.#readiness.noteLoss()
    this.#index.lose(groupIds)
    // Before it is known what is on disk there is nothing to ask for; then all is asked for that is not stored.
    if (!this.groups.arePresentKnown || this.#scope === 'rows') return
    const ids = new Set(groupIds)
    const lost = this.groups.present.filter(({ id }) => ids.has(id))
    for (const { id } of lost) this.#readiness.lose(id)
    this.events.progress()
    this.#readings.restart(lost)
  }

  /**
   * Has the index read these groups before it is known what else is on disk. Resolves when it is asked. What is not
   * done when everything is asked for is asked again, in its place among the others: later questions go first.
   */
  async startEarly(groups: readonly IndexGroup[]): Promise<void> {
    this.#scope = 'text'
    await this.#index.open()
    this.#readings.restart(groups.filter((group) => !this.#index.holds(group)))
  }

  /** Has the index read what it lacks and drop what is gone. Resolves when it is asked, not when it is done. */
  async bringUpToDate(scope: IndexingScope): Promise<void> {
    this.#scope = scope
    await this.#index.removeOthers(this.groups.present)
    await this.#takeStored(this.groups.present)
    if (scope === 'text') this.#missTexts()
    this.start(this.groups.unread())
    // What was lost last may be gone from the disk.
    if (this.isComplete) this.#settle()
  }

  /** Has these groups read and no other. Resolves when their rows stand. @throws once the index was given up */
  async readOnly(groups: readonly IndexGroup[]): Promise<void> {
    this.events.wanted = groups
    await this.#takeStored(groups)
    const unread = this.#readable(groups.filter((group) => !this.groups.isWhole(group)))
    this.events.progress()
    await this.#readiness.orGivenUp(this.#readNow(unread))
    this.events.wanted = null
  }

  /** Asks the index to read these groups, as far as it was not asked before. */
  start(groups: readonly IndexGroup[]): void {
    if (this.isComplete) this.#readings.start(groups)
    else this.#readings.restart(groups)
  }

  #update(groups: readonly IndexGroup[]): void {
    if (!this.isComplete) this.events.progress()
    this.#readNow(this.#readable(groups))
      .then(() => this.#settle())
      .catch(() => {
        // The index cannot be asked just now, as where its threads do not start.
        this.#readings.drop(groups)
        if (this.#isClosed) return
        this.#retryTimer ??= setTimeout(() => {
          this.#retryTimer = null
          this.start(this.groups.unread())
        }, RETRY_MS)
      })
  }

  #readNow(groups: readonly IndexGroup[]): Promise<void> {
    return this.#index.update(
      groups,
      (id) => this.#options.catalog.group(id) !== undefined,
      (indexed, tookMs) => this.#takeIndexed(indexed, tookMs),
    )
  }

  #readable(groups: readonly IndexGroup[]): IndexGroup[] {
    return groups
      .filter((group) => !this.#isUnlisted(group))
      .map(({ id, fingerprint, files, claims, loose, prices }) => ({
        id,
        fingerprint,
        files,
        claims,
        loose,
        prices,
      }))
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

  /** The rows that the index holds of these groups as they are now. What cannot be loaded is read again. */
  async #takeStored(groups: readonly IndexGroup[]): Promise<void> {
    const unread = groups.filter((group) => !this.groups.isWhole(group))
    const loaded = await this.#index.load(unread)
    for (const group of unread) this.take(group, loaded.get(group.id))
  }

  /** Rows can be remembered of which the index has lost the text: they are to be read again. */
  #missTexts(): void {
    for (const group of this.groups.present) {
      const { id } = group
      if (this.#failed.has(id) || this.#options.unread.has(id)) continue
      if (!this.#index.holds(group) && this.groups.isWhole(group)) this.#readiness.lose(id)
    }
  }

  /** What was read is shown, also of a group that has grown meanwhile: it is read again then. */
  #takeIndexed(indexed: IndexedGroup, tookMs: number): void {
    const { id, fingerprint, failure, unread } = indexed
    this.#readings.end(id, fingerprint, tookMs)
    const wasLost = this.groups.noteEnded(id)
    const group = this.#options.catalog.group(id)
    // Its removal is asked for, too, and follows its reading.
    if (group === undefined) return
    if (failure === null && unread === undefined) this.#index.note(id, fingerprint)
    this.#read.put(group, indexed)
    if (this.isComplete && !wasLost) this.events.changed(id)
    else this.events.progress()
  }

  #notRead(groupId: string): IndexGroup | null {
    const group = this.#options.catalog.group(groupId)
    return group === undefined || this.groups.isWhole(group) ? null : group
  }

  #settle(): void {
    if (this.#isClosed || (this.#readiness.isWhole && this.#options.review())) return
    if (this.#readiness.settle()) this.events.progress(true)
  }
}
