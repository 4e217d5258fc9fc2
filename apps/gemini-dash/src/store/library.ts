import type { LiveEvent } from '@gemini-dash/api'
import type { IndexedGroup, IndexGroup, SessionIndex } from '@gemini-dash/session-index'
import { type GeminiHome, type Scan, scanHomes } from 'gemini-sessions/node'
import { Catalog } from './catalog.ts'
import { deferred } from './deferred.ts'
import { failedRecord } from './failed-record.ts'
import { type GroupedScan, ScanGrouper, type ScannedGroup } from './group-scan.ts'
import { LiveSessions } from './live-sessions.ts'
import { Neighbours } from './neighbours.ts'
import { provisionalRecord } from './provisional-record.ts'
import type { ReaderClient } from './reader/reader-client.ts'
import { restatGroup } from './restat-group.ts'

export interface LibraryOptions {
  homes: GeminiHome[]
  /** May still be opening: the first look at the disk goes on meanwhile. */
  index: Promise<SessionIndex>
  /** There is no index yet that could know the files: their heads are worth reading while it opens. */
  isFirstRun: boolean
  reader: ReaderClient
  emit: (event: LiveEvent) => void
  onProgress: (filesDone: number, filesTotal: number) => void
}

const INDEX_EVENT_INTERVAL_MS = 250

/** Keeps the catalog equal to what is on disk: scans, groups, and has the index read what changed. */
export class Library {
  readonly catalog = new Catalog()
  readonly live: LiveSessions
  readonly neighbours: Neighbours
  scan: Scan = { projects: [], files: [], skipped: [] }
  readonly #options: LibraryOptions
  readonly #grouper: ScanGrouper
  /** Fingerprints of the groups whose sessions stand in the catalog. */
  readonly #indexed = new Map<string, string>()
  /** Fingerprints of the groups that the index was asked to read last. */
  readonly #asked = new Map<string, string>()
  #stored: Promise<Map<string, IndexedGroup>>
  #running: Promise<void> | null = null
  #isAskedAgain = false
  #isComplete = false
  readonly #whenComplete = deferred()
  #lastIndexEventMs = 0
  #closed = false

  constructor(options: LibraryOptions) {
    this.#options = options
    this.#grouper = new ScanGrouper(options.homes)
    this.neighbours = new Neighbours(this.catalog, options.reader)
    this.live = new LiveSessions((sessionKey) => options.emit({ kind: 'changed', sessionKey }))
    this.#stored = options.index
      .then((index) => index.load())
      .then((groups) => new Map(groups.map((group) => [group.id, group])))
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

  progress(): { filesDone: number; filesTotal: number } {
    let filesDone = 0
    let filesTotal = 0
    for (const id of this.catalog.groupIds()) {
      const group = this.catalog.group(id)
      if (group === undefined || this.neighbours.source(id) !== undefined) continue
      filesTotal += group.files.length
      if (this.#indexed.get(id) === group.fingerprint) filesDone += group.files.length
    }
    return { filesDone, filesTotal }
  }

  /** Everything that the first look found is read. */
  isReady(): boolean {
    return this.#isComplete
  }

  whenReady(): Promise<void> {
    return this.#whenComplete.promise
  }

  /** Looks again at one file that is known already. false: only a look at everything can tell what happened. */
  async refreshFile(absolutePath: string): Promise<boolean> {
    const groupId = this.catalog.groupOfFile(absolutePath)
    const group = groupId === undefined ? undefined : this.catalog.group(groupId)
    if (group === undefined || this.neighbours.source(group.id) !== undefined || !this.#isComplete)
      return false
    const grown = await restatGroup(group, absolutePath)
    if (grown === null) return false
    if (grown.fingerprint === group.fingerprint) return true
    this.live.noteGrowth(group, grown)
    this.catalog.put(grown, this.catalog.recordsOf(group.id))
    this.#startIndexing([grown])
    return true
  }

  close(): void {
    this.#closed = true
    this.live.close()
  }

  async #refreshUntilQuiet(): Promise<void> {
    do {
      this.#isAskedAgain = false
      await this.#refreshOnce()
    } while (this.#isAskedAgain && !this.#closed)
  }

  async #refreshOnce(): Promise<void> {
    this.scan = await scanHomes(this.#options.homes)
    let isLoaded = false
    const loading = this.#stored.finally(() => {
      isLoaded = true
    })
    if (this.#options.isFirstRun) await this.#grouper.readAhead(this.scan, () => isLoaded)
    const stored = await loading
    this.#stored = Promise.resolve(new Map())
    this.#grouper.prime(this.scan, stored.values())
    const grouped = await this.#grouper.group(this.scan)
    this.catalog.setProjects(grouped.projects)
    await this.#removeGone(grouped, stored)
    const changed = grouped.groups.filter((group) => !this.#takeStored(group, stored))
    for (const group of changed) this.#announce(group)
    await this.neighbours.refresh(this.scan, grouped.projects, grouped.groups)
    this.#startIndexing(changed)
  }

  /** A group that the index knows as it is now needs no reading. */
  #takeStored(group: ScannedGroup, stored: Map<string, IndexedGroup>): boolean {
    if (this.#indexed.get(group.id) === group.fingerprint) return true
    const known = stored.get(group.id)
    if (known === undefined || known.fingerprint !== group.fingerprint || known.failure !== null) return false
    this.catalog.put(group, known.sessions)
    this.#indexed.set(group.id, group.fingerprint)
    return true
  }

  /** A new group gets a row from its heads at once; a grown one keeps its rows until it is read. */
  #announce(group: ScannedGroup): void {
    const earlier = this.catalog.group(group.id)
    if (earlier !== undefined && this.#isComplete) this.live.noteGrowth(earlier, group)
    const records =
      earlier === undefined ? [provisionalRecord(group, group.heads)] : this.catalog.recordsOf(group.id)
    this.catalog.put(group, records)
  }

  async #removeGone({ groups }: GroupedScan, stored: Map<string, IndexedGroup>): Promise<void> {
    const present = new Set(groups.map(({ id }) => id))
    const gone = [...this.catalog.groupIds()].filter(
      (id) => !present.has(id) && this.neighbours.source(id) === undefined,
    )
    const goneKeys = gone.flatMap((id) => this.catalog.sessionsOf(id).map(({ summary }) => summary.key))
    for (const id of gone) {
      this.catalog.remove(id)
      this.#indexed.delete(id)
      this.#asked.delete(id)
    }
    for (const sessionKey of goneKeys) this.#options.emit({ kind: 'removed', sessionKey })
    const forgotten = [...gone, ...[...stored.keys()].filter((id) => !present.has(id))]
    if (forgotten.length > 0) await (await this.#options.index).remove(forgotten)
  }

  #startIndexing(changed: IndexGroup[]): void {
    if (!this.#isComplete) this.#emitProgress()
    const groups = changed
      .filter((group) => this.#asked.get(group.id) !== group.fingerprint)
      .map(({ id, fingerprint, files }) => ({ id, fingerprint, files }))
    for (const { id, fingerprint } of groups) this.#asked.set(id, fingerprint)
    this.#options.index
      .then((index) => index.update(groups, (indexed) => this.#takeIndexed(indexed)))
      .then(() => this.#settle())
      .catch((error: unknown) => {
        if (!this.#closed) throw error
      })
  }

  #takeIndexed(indexed: IndexedGroup): void {
    const group = this.catalog.group(indexed.id)
    // Gone or grown since it was asked for: a later reading answers.
    if (group === undefined || group.fingerprint !== indexed.fingerprint) return
    const { failure, sessions } = indexed
    const records =
      failure === null
        ? sessions
        : this.catalog.recordsOf(indexed.id).map((record) => failedRecord(record, failure))
    this.catalog.put(group, records)
    this.#indexed.set(indexed.id, indexed.fingerprint)
    if (this.#isComplete) this.#emitChanged(indexed.id)
    else this.#emitProgress()
  }

  #emitChanged(groupId: string): void {
    for (const { summary } of this.catalog.sessionsOf(groupId)) {
      for (const sessionKey of [summary.key, summary.parentKey]) {
        if (sessionKey !== null) {
          this.#options.emit({ kind: 'changed', sessionKey, projectKey: summary.project.key })
        }
      }
    }
  }

  #settle(): void {
    const { filesDone, filesTotal } = this.progress()
    if (this.#closed || this.#isComplete || filesDone < filesTotal) return
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
