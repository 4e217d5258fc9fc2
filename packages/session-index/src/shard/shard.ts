import { rmSync } from 'node:fs'
import type { SearchHit } from '@gemini-dash/api'
import { type UnreadFile, unreadFiles } from 'gemini-sessions'
import type { IndexedGroup, IndexGroup } from '../contract/index-group.ts'
import type { IndexSearchRequest } from '../contract/index-search.ts'
import type { DriverChoice } from '../driver/open-database.ts'
import { type CloseWord, closestWords } from '../find/close-words/closest-words.ts'
import { findByScan, type ScanRun } from '../find/find-by-scan.ts'
import { findWords } from '../find/find-words.ts'
import type { HitReference, ShardFound } from '../find/hits/shard-found.ts'
import { type TouchedPath, touchedPaths } from '../find/touched-paths.ts'
import { MessageReader } from '../source/message-reader.ts'
import { isReadFault, type ReadGroup, SessionReader } from '../source/session-reader.ts'
import { fileIdOf, writeDatabaseSum } from './database/database-sum.ts'
import { isDamage, isDatabaseError, isThreadFault, isTrap } from './database/is-database-error.ts'
import { openMemoryDatabase, openShardDatabase, removeShardDatabase } from './database/open-shard-database.ts'
import { describeHits } from './describe-hits.ts'
import { pauser } from './pauser.ts'
import type { HeldGroup } from './shard-message.ts'
import { GrowingGroups, type OpenGrowing } from './store/growing-groups.ts'
import { ShardStore, type StoredGroup } from './store/shard-store.ts'

export interface ShardOptions {
  /** null: in memory only. */
  path: string | null
  folderId: string
  driver: DriverChoice
  readGroup: ReadGroup
  /** Loads what `readGroup` needs. */
  loadReader?: () => Promise<unknown>
  /** For what grows while we look on; without it all is read whole each time. */
  openGrowing?: OpenGrowing
  /** Why the disk does not keep the index, each time that this changes; null: it does. */
  onProblem: (problem: string | null) => void
  /** What was stored of these groups is gone: whoever wants it has them indexed again. */
  onLost: (groupIds: string[]) => void
  /** A search met files that the system does not let us read now. Their paths are absolute. */
  onUnread: (groupId: string, files: UnreadFile[]) => void
}

/**
 * One part of the index: one database, one connection. When the disk fails it goes on in memory, when its
 * file turns out to be damaged it starts a new one; either way it tells which groups it lost.
 */
export class Shard {
  readonly #options: ShardOptions
  readonly #reader: SessionReader
  readonly #messages = new MessageReader()
  readonly #growing: GrowingGroups | null
  #path: string | null
  #store: ShardStore
  /** Of the file that is open. */
  #fileId: string | null = null
  #hasReplacedFile = false
  #sealMs = 0
  #problem: string | null = null

  constructor(options: ShardOptions) {
    this.#options = options
    this.#reader = new SessionReader(options.readGroup, options.onUnread)
    this.#growing = options.openGrowing === undefined ? null : new GrowingGroups(options.openGrowing)
    this.#path = options.path
    this.#store = this.#open()
  }

  held(): HeldGroup[] {
    return [...this.#store.groups.values()].map(({ id, fingerprint }) => [id, fingerprint])
  }

  load(groupIds: readonly string[] | null): StoredGroup[] {
    return this.#readNow((store) => store.storedGroups(groupIds))
  }

  /** Loads what reading needs, so that no group is blamed where that cannot be loaded. */
  async loadReader(): Promise<void> {
    // Brings the price list along, which a warm start does without.
    await Promise.all([import('./store/to-write.ts'), this.#options.loadReader?.()])
  }

  /** Reads the group and stores what it says. A group that cannot be indexed says why and stops nothing. */
  async index(group: IndexGroup): Promise<IndexedGroup> {
    const { id, fingerprint, prices } = group
    try {
      const pause = pauser()
      this.#reader.forget(id)
      const { toWrite } = await import('./store/to-write.ts')
      const growing = (await this.#growing?.of(group, this.#store.groups.get(id))) ?? null
      const read = await (growing?.read(group.files) ?? this.#options.readGroup(group))
      const texts = growing?.texts ?? null
      const sessions = read.map((session) => toWrite(session, prices, texts))
      const unread = unreadFiles(read)
      // What is known of a group is more than what is left of it while some of its files cannot be read.
      if (unread.length === 0 || !this.#store.groups.has(id)) {
        const stored = unread.length === 0 ? group : { ...group, fingerprint: NOT_READ }
        await this.#change(() => {
          texts?.begin()
          return this.#store.write(stored, sessions, pause)
        })
        texts?.keep()
      }
      const records = sessions.map(({ record }) => record)
      return { id, fingerprint, sessions: records, failure: null, ...(unread.length > 0 && { unread }) }
    } catch (error) {
      if (isThreadFault(error)) throw error
      return {
        id,
        fingerprint,
        sessions: [],
        failure: error instanceof Error ? error.message : String(error),
        ...(isReadFault(error) && { unread: [{ path: error.path, code: error.code }] }),
      }
    }
  }

  async remove(groupIds: string[]): Promise<void> {
    for (const id of groupIds) {
      this.#reader.forget(id)
      this.#growing?.forget(id)
      await this.#change(async () => this.#store.remove(id))
    }
  }

  /** What it holds is nowhere else. */
  get isInMemory(): boolean {
    return this.#path === null
  }

  /** Reads what every search needs before the first one asks for it. */
  prepare(): void {
    try {
      this.#store.prepare()
    } catch (error) {
      // A search meets the same, and heals it.
      if (!isDatabaseError(error)) throw error
    }
  }

  find(request: IndexSearchRequest, run: Partial<ScanRun> = {}): Promise<ShardFound> {
    const isScan = request.mode !== 'words' && request.pattern.trim() !== ''
    return this.#read((store) =>
      isScan
        ? findByScan(store, this.#reader, request, { ...NOT_WATCHED, pause: pauser(), ...run })
        : findWords(store, request),
    )
  }

  /** For each of the words those of the index that are nearly the same. */
  closestWords(words: string[]): CloseWord[][] {
    return this.#readNow(({ database }) => words.map((word) => closestWords(database, word)))
  }

  touchedPaths(typed: string): TouchedPath[] {
    return this.#readNow((store) => touchedPaths(store.calls('path'), typed))
  }

  describe(request: IndexSearchRequest, references: HitReference[]): Promise<SearchHit[]> {
    return this.#read((store) => {
      const sources = { store, sessions: this.#reader, messages: this.#messages }
      return describeHits(sources, request, references, pauser())
    })
  }

  async commit(): Promise<void> {
    await this.#change(async () => {
      if (this.#store.commit()) await this.#seal(pauser())
    })
  }

  /** Why the disk does not keep what is stored here. */
  get problem(): string | null {
    return this.#problem
  }

  /** How long the last look at the whole database took that follows each commit. */
  get sealMs(): number {
    return this.#sealMs
  }

  /** Leaves the file to its new owner and goes on in memory. */
  leaveDisk(): void {
    if (this.#path === null) return
    this.#path = null
    this.#replaceStore()
  }

  /** `isHurried`: what would take too long to make sure of is left out, and read again at the next start. */
  async close({ isHurried = false } = {}): Promise<void> {
    try {
      if (isHurried && this.#sealMs > LONGEST_LAST_SEAL_MS) this.#store.rollback()
      else if (this.#store.commit()) await this.#seal(async () => {})
      this.#store.database.close()
    } catch (error) {
      if (!isDatabaseError(error)) throw error
      this.#setProblem(
        `The index cannot be kept on disk (${reasonOf(error)}); the next start reads again what is missing.`,
      )
    }
  }

  /** Without it the next start builds the database anew. */
  async #seal(pause: () => Promise<void>): Promise<void> {
    const path = this.#path
    if (path === null) return
    const startedMs = performance.now()
    let problem: string | null = null
    try {
      await writeDatabaseSum(path, { folderId: this.#options.folderId, fileId: this.#fileId, pause })
    } catch (error) {
      problem = `The index cannot be kept on disk (${reasonOf(error)}); the next start builds it anew.`
    }
    this.#sealMs = performance.now() - startedMs
    if (this.#path === path) this.#setProblem(problem)
  }

  #setProblem(problem: string | null): void {
    if (problem === this.#problem) return
    this.#problem = problem
    this.#options.onProblem(problem)
  }

  #open(): ShardStore {
    if (this.#path === null) return new ShardStore(openMemoryDatabase(this.#options.driver))
    try {
      return this.#openFile(this.#path)
    } catch (error) {
      return this.#openInMemoryInstead(error)
    }
  }

  /** Damage can show only when the tables are read. */
  #openFile(path: string): ShardStore {
    const open = () => {
      const database = openShardDatabase(path, this.#options.driver, this.#options.folderId)
      this.#fileId = fileIdOf(path)
      return new ShardStore(database)
    }
    try {
      return open()
    } catch (error) {
      if (!isDamage(error)) throw error
      removeShardDatabase(path)
      return open()
    }
  }

  #openInMemoryInstead(error: unknown): ShardStore {
    this.#path = null
    this.#setProblem(
      `The index cannot be kept on disk (${reasonOf(error)}); it is in memory until the next start.`,
    )
    return new ShardStore(openMemoryDatabase(this.#options.driver))
  }

  /** Asks the database; if it fails, replaces it and asks the new one. */
  #readNow<Answer>(ask: (store: ShardStore) => Answer): Answer {
    const store = this.#store
    try {
      return ask(store)
    } catch (error) {
      this.#heal(store, error)
      return ask(this.#store)
    }
  }

  /** The same for what gives way on its way. */
  async #read<Answer>(ask: (store: ShardStore) => Promise<Answer> | Answer): Promise<Answer> {
    const store = this.#store
    try {
      return await ask(store)
    } catch (error) {
      this.#heal(store, error)
      return ask(this.#store)
    }
  }

  /** Runs a change; if the database fails, replaces it and runs the change on the new one. */
  async #change(run: () => Promise<void>): Promise<void> {
    const store = this.#store
    try {
      await run()
    } catch (error) {
      this.#heal(store, error)
      await run()
    }
  }

  /** Replaces a database that failed, unless somebody else has done so meanwhile. Throws what a new one would not mend. */
  #heal(failed: ShardStore, error: unknown): void {
    if (this.#store !== failed) return
    // The thread ends with it; the next one finds no sum, and builds the database anew.
    if (isTrap(error) && this.#path !== null) rmSync(`${this.#path}.sum`, { force: true })
    if (!(isDatabaseError(error) || isDamage(error)) || this.#path === null) throw error
    this.#replaceDatabase(error)
  }

  #replaceDatabase(error: Error): void {
    const canReplaceFile = isDamage(error) && this.#path !== null && !this.#hasReplacedFile
    if (canReplaceFile && this.#path !== null) {
      this.#hasReplacedFile = true
      this.#replaceStore(this.#path)
    } else {
      const store = this.#openInMemoryInstead(error)
      this.#replaceStore(null, store)
    }
  }

  #replaceStore(damagedPath: string | null = null, store?: ShardStore): void {
    const old = this.#store
    const lost = [...old.groups.keys()]
    try {
      old.database.close()
    } catch {
      // A broken connection may refuse to close; nothing in it is needed any more.
    }
    if (damagedPath !== null) removeShardDatabase(damagedPath)
    this.#store = store ?? this.#open()
    if (lost.length > 0) this.#options.onLost(lost)
  }
}

/** The fingerprint of no group: it is read again at the next start. */
const NOT_READ = 'not read'

/** A program that is told to end has half a second. */
const LONGEST_LAST_SEAL_MS = 200

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const NOT_WATCHED = { onPartial: () => {}, signal: new AbortController().signal }
