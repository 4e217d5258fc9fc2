import type { LiveEvent } from '@gemini-dash/api'
import type { IndexedGroup, IndexGroup, SessionIndex } from '@gemini-dash/session-index'
import type { Catalog } from './catalog.ts'
import { deferred } from './deferred.ts'
import { failedRecord } from './failed-record.ts'
import { Readings } from './readings.ts'

export interface IndexingOptions {
  catalog: Catalog
  /** Opens the index, the first time that it is called. */
  openIndex: () => Promise<SessionIndex>
  emit: (event: LiveEvent) => void
  onProgress: (filesDone: number, filesTotal: number) => void
}

/** `rows`: only what the rows of the catalog still lack. `text`: everything that a search looks at as well. */
export type IndexingScope = 'rows' | 'text'

const INDEX_EVENT_INTERVAL_MS = 250

/** Has the index read what changed, and knows how far that is. */
export class Indexing {
  readonly #options: IndexingOptions
  /** Groups that are on disk now. */
  #present: readonly IndexGroup[] = []
  /** Files that were found, until it is known which groups they make; null from then on. */
  #expectedFiles: number | null = 0
  /** Fingerprints of the groups whose rows in the catalog are whole. */
  readonly #whole = new Map<string, string>()
  /** Groups that had grown when they were read: as far as that, their rows are whole. */
  readonly #behind = new Set<string>()
  /** Groups that could not be read as they are now. */
  readonly #failed = new Set<string>()
  /** Fingerprints of what the index holds; null until it is open. */
  #stored: Map<string, string> | null = null
  readonly #readings = new Readings({
    read: (groups) => this.#update(groups),
    unread: (groupId) => this.#unread(groupId),
  })
  #isComplete = false
  readonly #whenComplete = deferred()
  #lastIndexEventMs = 0
  #isClosed = false

  constructor(options: IndexingOptions) {
    this.#options = options
  }

  /** Everything that the first look found is read. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  whenComplete(): Promise<void> {
    return this.#whenComplete.promise
  }

  hasAllRows(): boolean {
    const { filesDone, filesTotal } = this.progress()
    return filesDone === filesTotal && (this.#expectedFiles !== null || this.groupsLeft === 0)
  }

  /** Groups that are not read yet. As long as heads have to tell which there are, nobody knows. */
  get groupsLeft(): number {
    if (this.#expectedFiles !== null) return Number.POSITIVE_INFINITY
    return this.#present.filter((group) => !this.#isShown(group)).length
  }

  /** In session files. */
  progress(): { filesDone: number; filesTotal: number } {
    if (this.#expectedFiles !== null) return this.#earlyProgress(this.#expectedFiles)
    let filesDone = 0
    let filesTotal = 0
    for (const group of this.#present) {
      if (group.loose !== undefined) continue
      filesTotal += group.files.length
      if (this.#isShown(group)) filesDone += group.files.length
    }
    return { filesDone, filesTotal }
  }

  /** What grows without pause counts as read once it was read at all. */
  #isShown({ id, fingerprint }: IndexGroup): boolean {
    return this.#whole.get(id) === fingerprint || this.#behind.has(id)
  }

  #earlyProgress(filesTotal: number): { filesDone: number; filesTotal: number } {
    const done = [...this.#whole.keys()].map((id) => this.#options.catalog.group(id)?.files.length ?? 0)
    return { filesDone: done.reduce((sum, files) => sum + files, 0), filesTotal }
  }

  /** Groups with whole rows, as they are to be remembered. */
  *rows(): IterableIterator<IndexedGroup> {
    for (const { id, fingerprint } of this.#present) {
      if (this.#whole.get(id) !== fingerprint || this.#failed.has(id)) continue
      yield { id, fingerprint, sessions: this.#options.catalog.recordsOf(id), failure: null }
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
    if (this.#whole.get(group.id) === group.fingerprint) return true
    if (known === undefined || known.fingerprint !== group.fingerprint || known.failure !== null) return false
    this.#options.catalog.put(group, known.sessions)
    this.#whole.set(group.id, group.fingerprint)
    this.#behind.delete(group.id)
    this.#failed.delete(group.id)
    return true
  }

  forget(groupId: string): void {
    this.#whole.delete(groupId)
    this.#behind.delete(groupId)
    this.#failed.delete(groupId)
    this.#readings.forget(groupId)
  }

  /**
   * Has the index read these groups before it is known what else is on disk. Resolves when it is asked. What is not
   * done when everything is asked for is asked again, in its place among the others: later questions go first.
   */
  async startEarly(groups: readonly IndexGroup[]): Promise<void> {
    const index = await this.#options.openIndex()
    const stored = this.#stored ?? (await index.fingerprints())
    this.#stored = stored
    this.#readings.restart(groups.filter(({ id, fingerprint }) => stored.get(id) !== fingerprint))
  }

  /** Has the index read what it lacks and drop what is gone. Resolves when it is asked, not when it is done. */
  async bringUpToDate(scope: IndexingScope): Promise<void> {
    const index = await this.#options.openIndex()
    const stored = this.#stored ?? (await index.fingerprints())
    this.#stored = stored
    await this.#removeGone(index, stored)
    const unread = this.#present.filter((group) => this.#whole.get(group.id) !== group.fingerprint)
    const known = unread.filter((group) => stored.get(group.id) === group.fingerprint).map(({ id }) => id)
    const loaded = new Map(
      known.length === 0 ? [] : (await index.load(known)).map((group) => [group.id, group]),
    )
    for (const group of unread) this.take(group, loaded.get(group.id))
    if (scope === 'text') this.#missTexts(stored)
    this.start(this.#present.filter((group) => this.#whole.get(group.id) !== group.fingerprint))
  }

  /** Asks the index to read these groups, as far as it was not asked before. */
  start(groups: readonly IndexGroup[]): void {
    if (this.#isComplete) this.#readings.start(groups)
    else this.#readings.restart(groups)
  }

  #update(groups: readonly IndexGroup[]): void {
    if (!this.#isComplete) this.#emitProgress()
    const wanted = groups.map(({ id, fingerprint, files, loose, prices }) => ({
      id,
      fingerprint,
      files,
      loose,
      prices,
    }))
    this.#options
      .openIndex()
      .then((index) => index.update(wanted, (indexed, tookMs) => this.#takeIndexed(indexed, tookMs)))
      .then(() => this.#settle())
      .catch((error: unknown) => {
        this.#readings.drop(groups)
        if (!this.#isClosed) throw error
      })
  }

  close(): void {
    this.#isClosed = true
    this.#readings.close()
  }

  async #removeGone(index: SessionIndex, stored: Map<string, string>): Promise<void> {
    const present = new Set(this.#present.map(({ id }) => id))
    const gone = [...stored.keys()].filter((id) => !present.has(id))
    for (const id of gone) stored.delete(id)
    if (gone.length > 0) await index.remove(gone)
  }

  /** Rows can be remembered of which the index has lost the text: they are to be read again. */
  #missTexts(stored: ReadonlyMap<string, string>): void {
    for (const { id, fingerprint } of this.#present) {
      if (stored.get(id) !== fingerprint && !this.#failed.has(id)) this.#whole.delete(id)
    }
  }

  /** What was read is shown, also of a group that has grown meanwhile: it is read again then. */
  #takeIndexed(indexed: IndexedGroup, tookMs: number): void {
    const { id, fingerprint, failure, sessions } = indexed
    if (failure === null) this.#stored?.set(id, fingerprint)
    this.#readings.end(id, fingerprint, tookMs)
    const { catalog } = this.#options
    const group = catalog.group(id)
    if (group === undefined) return
    const records =
      failure === null ? sessions : catalog.recordsOf(id).map((record) => failedRecord(record, failure))
    catalog.put(group, records, { ...group, fingerprint })
    if (group.fingerprint === fingerprint) this.#behind.delete(id)
    else this.#behind.add(id)
    this.#whole.set(id, fingerprint)
    if (failure === null) this.#failed.delete(id)
    else this.#failed.add(id)
    if (this.#isComplete) this.#emitChanged(id)
    else this.#emitProgress()
  }

  #unread(groupId: string): IndexGroup | null {
    const group = this.#options.catalog.group(groupId)
    return group === undefined || this.#whole.get(groupId) === group.fingerprint ? null : group
  }

  #emitChanged(groupId: string): void {
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
    if (this.#isClosed || this.#isComplete || !isPresentKnown || !this.hasAllRows()) return
    this.#isComplete = true
    this.#lastIndexEventMs = 0
    this.#emitProgress()
    this.#whenComplete.resolve()
  }

  #emitProgress(): void {
    const nowMs = Date.now()
    if (nowMs - this.#lastIndexEventMs < INDEX_EVENT_INTERVAL_MS) return
    this.#lastIndexEventMs = nowMs
    const { filesDone, filesTotal } = this.progress()
    this.#options.onProgress(filesDone, filesTotal)
    this.#options.emit({ kind: 'index' })
  }
}
