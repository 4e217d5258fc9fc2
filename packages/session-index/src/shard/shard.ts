import type { SearchHit } from '@gemini-dash/api'
import type { PriceOverrides } from '@gemini-dash/pricing'
import type { DriverChoice } from '../driver/open-database.ts'
import { type CloseWord, closestWords } from '../find/closest-words.ts'
import { findByScan, type ScanRun } from '../find/find-by-scan.ts'
import { findWords } from '../find/find-words.ts'
import type { HitReference, ShardFound } from '../find/shard-found.ts'
import { type TouchedPath, touchedPaths } from '../find/touched-paths.ts'
import type { IndexedGroup, IndexGroup } from '../index-group.ts'
import type { IndexSearchRequest } from '../index-search.ts'
import { MessageReader } from '../source/message-reader.ts'
import { describeHits } from './describe-hits.ts'
import { isDamage, isDatabaseError } from './is-database-error.ts'
import { openMemoryDatabase, openShardDatabase, removeShardDatabase } from './open-shard-database.ts'
import { pauser } from './pauser.ts'
import { type ReadGroup, SessionReader } from './session-reader.ts'
import { ShardStore, type StoredGroup } from './shard-store.ts'

export interface ShardOptions {
  /** null: in memory only. */
  path: string | null
  driver: DriverChoice
  readGroup: ReadGroup
  /** Called once when the disk cannot hold the index. */
  onNote: (note: string) => void
}

/**
 * One part of the index: one database, one connection. When the disk fails it goes on in memory, when its
 * file turns out to be damaged it starts a new one; either way it reads its groups again by itself.
 */
export class Shard {
  readonly #options: ShardOptions
  readonly #reader: SessionReader
  readonly #messages = new MessageReader()
  #path: string | null
  #store: ShardStore
  #hasReplacedFile = false
  /** Groups that a new database still lacks. */
  readonly #lacking = new Map<string, IndexGroup>()
  /** As the last group said. Groups that are read again because the database was replaced say nothing of prices. */
  #prices: PriceOverrides | undefined

  constructor(options: ShardOptions) {
    this.#options = options
    this.#reader = new SessionReader(options.readGroup)
    this.#path = options.path
    this.#store = this.#open()
  }

  fingerprints(): [groupId: string, fingerprint: string][] {
    return [...this.#store.groups.values()].map(({ id, fingerprint }) => [id, fingerprint])
  }

  load(groupIds: readonly string[] | null): StoredGroup[] {
    try {
      return this.#store.storedGroups(groupIds)
    } catch (error) {
      if (!isDatabaseError(error)) throw error
      this.#replaceDatabase(error)
      // What the damaged file held of these is asked for again by whoever loads.
      for (const id of groupIds ?? [...this.#lacking.keys()]) this.#lacking.delete(id)
      return []
    }
  }

  /** Reads the group and stores what it says. A group that cannot be indexed says why and stops nothing. */
  async index(group: IndexGroup): Promise<IndexedGroup> {
    const { id, fingerprint } = group
    this.#prices = group.prices ?? this.#prices
    try {
      const pause = pauser()
      this.#reader.forget(id)
      // Brings the price list along, which a warm start does without.
      const { toWrite } = await import('./to-write.ts')
      const sessions = (await this.#options.readGroup(group)).map((session) => toWrite(session, this.#prices))
      await this.#change(() => this.#store.write(group, sessions, pause))
      return { id, fingerprint, sessions: sessions.map(({ record }) => record), failure: null }
    } catch (error) {
      return {
        id,
        fingerprint,
        sessions: [],
        failure: error instanceof Error ? error.message : String(error),
      }
    } finally {
      this.#lacking.delete(id)
    }
  }

  async remove(groupIds: string[]): Promise<void> {
    for (const id of groupIds) {
      this.#reader.forget(id)
      this.#lacking.delete(id)
      await this.#change(async () => this.#store.remove(id))
    }
  }

  /** What it holds is nowhere else. */
  get isInMemory(): boolean {
    return this.#path === null
  }

  get isLacking(): boolean {
    return this.#lacking.size > 0
  }

  /** A group to index again after the database was replaced, if there is any. */
  nextLacking(): IndexGroup | undefined {
    return this.#lacking.values().next().value
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

  async find(request: IndexSearchRequest, run: Partial<ScanRun> = {}): Promise<ShardFound> {
    if (request.mode !== 'words' && request.pattern.trim() !== '') {
      return findByScan(this.#store, this.#reader, request, { ...NOT_WATCHED, pause: pauser(), ...run })
    }
    return this.#read((store) => findWords(store, request))
  }

  /** For each of the words those of the index that are nearly the same. */
  closestWords(words: string[]): CloseWord[][] {
    return this.#read(({ database }) => words.map((word) => closestWords(database, word)))
  }

  touchedPaths(typed: string): TouchedPath[] {
    return this.#read((store) => touchedPaths(store.calls('path'), typed))
  }

  describe(request: IndexSearchRequest, references: HitReference[]): Promise<SearchHit[]> {
    const sources = { store: this.#store, sessions: this.#reader, messages: this.#messages }
    return describeHits(sources, request, references, pauser())
  }

  async commit(): Promise<void> {
    await this.#change(async () => this.#store.commit())
  }

  /** Leaves the file to its new owner and goes on in memory. */
  leaveDisk(): void {
    if (this.#path === null) return
    this.#path = null
    this.#replaceStore()
  }

  close(): void {
    this.#store.close()
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
    try {
      return new ShardStore(openShardDatabase(path, this.#options.driver))
    } catch (error) {
      if (!isDamage(error)) throw error
      removeShardDatabase(path)
      return new ShardStore(openShardDatabase(path, this.#options.driver))
    }
  }

  #openInMemoryInstead(error: unknown): ShardStore {
    this.#path = null
    const reason = error instanceof Error ? error.message : String(error)
    this.#options.onNote(
      `The index cannot be kept on disk (${reason}); it is in memory until the next start.`,
    )
    return new ShardStore(openMemoryDatabase(this.#options.driver))
  }

  /** Asks the database; if it fails, replaces it and asks the new one. */
  #read<Answer>(ask: (store: ShardStore) => Answer): Answer {
    try {
      return ask(this.#store)
    } catch (error) {
      if (!isDatabaseError(error)) throw error
      this.#replaceDatabase(error)
      return ask(this.#store)
    }
  }

  /** Runs a change; if the database fails, replaces it and runs the change on the new one. */
  async #change(run: () => Promise<void>): Promise<void> {
    const store = this.#store
    try {
      await run()
    } catch (error) {
      // A search may have replaced the database while this change paused.
      const isReplaced = this.#store !== store
      if (!isReplaced && (!isDatabaseError(error) || this.#path === null)) throw error
      if (!isReplaced && isDatabaseError(error)) this.#replaceDatabase(error)
      await run()
    }
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
    for (const [id, group] of old.groups) this.#lacking.set(id, group)
    try {
      old.database.close()
    } catch {
      // A broken connection may refuse to close; nothing in it is needed any more.
    }
    if (damagedPath !== null) removeShardDatabase(damagedPath)
    this.#store = store ?? this.#open()
  }
}

const NOT_WATCHED = { onPartial: () => {}, signal: new AbortController().signal }
