import { rmSync } from 'node:fs'
import { fileIdOf, writeDatabaseSum } from '../database/database-sum.ts'
import { isDamage, isDatabaseError, isTrap } from '../database/is-database-error.ts'
import {
  openMemoryDatabase,
  openShardDatabase,
  removeShardDatabase,
} from '../database/open-shard-database.ts'
import type { DriverChoice } from '../driver/open-database.ts'
import { ShardStore } from './shard-store.ts'

export interface LastingStoreOptions {
  /** null: in memory only. */
  path: string | null
  folderId: string
  driver: DriverChoice
  /** Why the disk does not keep the index, each time that this changes; null: it does. */
  onProblem: (problem: string | null) => void
  /** What was stored of these groups is gone: whoever wants it has them indexed again. */
  onLost: (groupIds: string[]) => void
}

/** A program that is told to end has half a second. */
const LONGEST_LAST_SEAL_MS = 200

/**
 * A store that can always be asked. When the disk fails it goes on in memory, when its file turns out to be damaged it
 * starts a new one; either way it tells which groups it lost.
 */
export class LastingStore {
  readonly #options: LastingStoreOptions
  #path: string | null
  #store: ShardStore
  /** Of the file that is open. */
  #fileId: string | null = null
  #hasReplacedFile = false
  #sealMs = 0
  #problem: string | null = null

  constructor(options: LastingStoreOptions) {
    this.#options = options
    this.#path = options.path
    this.#store = this.#open()
  }

  /** As it is now: whoever gives way asks for it again. */
  get current(): ShardStore {
    return this.#store
  }

  /** What it holds is nowhere else. */
  get isInMemory(): boolean {
    return this.#path === null
  }

  /** Why the disk does not keep what is stored here. */
  get problem(): string | null {
    return this.#problem
  }

  /** How long the last look at the whole database took that follows each commit. */
  get sealMs(): number {
    return this.#sealMs
  }

  /** Asks the database; if it fails, or was replaced meanwhile, asks the new one. */
  readNow<Answer>(ask: (store: ShardStore) => Answer): Answer {
    for (;;) {
      const store = this.#store
      try {
        return ask(store)
      } catch (error) {
        this.#heal(store, error)
      }
    }
  }

  /** The same for what gives way on its way, however often it is replaced under it. */
  async read<Answer>(ask: (store: ShardStore) => Promise<Answer> | Answer): Promise<Answer> {
    for (;;) {
      const store = this.#store
      try {
        return await ask(store)
      } catch (error) {
        this.#heal(store, error)
      }
    }
  }

  /** Makes what was written durable; if the database fails, replaces it. */
  commit(pause: () => Promise<void>): Promise<void> {
    return this.read(async (store) => {
      if (store.commit()) await this.#seal(pause)
    })
  }

  /** Nothing of what was stored is left, in the file neither; all of it is told as lost. */
  beginAnew(): void {
    this.#store.rollback()
    this.#replaceStore(this.#path)
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

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
