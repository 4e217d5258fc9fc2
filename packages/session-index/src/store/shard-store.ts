import { rmSync } from 'node:fs'
import type { FoundPlaces, SessionRecord } from '../contract.ts'
import { fileIdOf, writeDatabaseSum } from '../database/database-sum.ts'
import {
  isDamage,
  isDatabaseError,
  isTrap,
  openMemoryDatabase,
  openShardDatabase,
  removeShardDatabase,
} from '../database/shard-database.ts'
import type { Database, DriverChoice } from '../driver.ts'
import { type FolderOwner, ownsFolder } from '../folder-owner.ts'
import type { FieldPiece } from '../text.ts'
import type { SearchColumns } from './search-rows.ts'
import { arePlacesStored, type PackedHome, packHome, StoredGroups, writePlaces } from './stored-home.ts'

/** A session of this shard, with what a search needs in memory. */
export interface StoredSession {
  number: number
  key: string
  groupId: string
}

/**
 * The tables of one shard, with an overview of their groups and sessions. Writing to them is in `plan-session.ts`, which a start that only
 * reads a list does not load.
 */
export class ShardStore {
  readonly database: Database
  readonly groups: StoredGroups
  readonly sessions: StoredSessions
  /** Searchable title texts by session. Cached, since every search in the files needs all of them. */
  readonly titles = new Map<number, FieldPiece[]>()
  /** Data of all rows for searches, as last read by `searchColumns`. */
  columns: SearchColumns | null = null
  readonly #owner: FolderOwner | undefined
  #lastId: number
  #isInTransaction = false

  /** `owner`: of the folder with the database; without it the database is in memory. */
  constructor(database: Database, owner?: FolderOwner) {
    this.database = database
    this.#owner = owner
    this.#lastId = Number(database.get('SELECT max(id) AS last FROM message')?.last ?? 0)
    this.groups = new StoredGroups(database)
    this.sessions = new StoredSessions(database)
  }

  newId(): number {
    this.#lastId += 1
    return this.#lastId
  }

  session(number: number): StoredSession | undefined {
    return this.sessions.get(number)
  }

  /** Numbers of the sessions with these keys. */
  numbersOf(keys: ReadonlySet<string>): number[] {
    return this.sessions.numbersOf(keys)
  }

  sessionsOf(groupId: string): StoredSession[] {
    return this.sessions.ofGroup(groupId)
  }

  /** Removes its sessions from memory. */
  forgetSessions(groupId: string): void {
    for (const { number } of this.sessions.ofGroup(groupId)) this.titles.delete(number)
    this.sessions.removeGroup(groupId)
  }

  record(number: number): SessionRecord | null {
    const row = this.database.get('SELECT record FROM session WHERE number = ?', number)
    return row === undefined ? null : JSON.parse(String(row.record))
  }

  /** Ids of the messages of a session by `Message.key`. */
  messageIds(number: number): Map<string, number> {
    const row = this.database.get(
      'SELECT json_group_array(json_array(key, id)) AS ids FROM message WHERE session = ?',
      number,
    )
    return new Map(JSON.parse(String(row?.ids ?? '[]')))
  }

  /** Replaces what was noted before. */
  note(found: FoundPlaces): void {
    if (this.isNoted(found)) return
    this.begin()
    writePlaces(this.database, this.#withoutRead(found))
  }

  isNoted(found: FoundPlaces): boolean {
    return arePlacesStored(this.database, this.#withoutRead(found))
  }

  #withoutRead(found: FoundPlaces): FoundPlaces {
    return { ...found, unread: found.unread.filter(({ id }) => !this.groups.has(id)) }
  }

  /** Makes everything written so far durable. false: nothing was written. @throws TakenFolder */
  commit(): boolean {
    if (this.#isInTransaction) this.#expectOwnFolder()
    return this.#end('COMMIT')
  }

  /** Undoes what was written since the last commit. What this object remembers of it is wrong afterwards. */
  rollback(): void {
    this.#end('ROLLBACK')
  }

  #end(how: 'COMMIT' | 'ROLLBACK'): boolean {
    if (!this.#isInTransaction) return false
    this.#isInTransaction = false
    this.database.exec(how)
    return true
  }

  /** Starts a transaction, unless one is open. @throws TakenFolder */
  begin(): void {
    if (this.#isInTransaction) return
    this.#expectOwnFolder()
    this.database.exec('BEGIN')
    this.#isInTransaction = true
  }

  /** A process resumes from suspension in the middle of its work: rows it knows may have changed. */
  #expectOwnFolder(): void {
    if (this.#owner !== undefined && !ownsFolder(this.#owner)) throw new TakenFolder()
  }
}

/** The folder of the database now belongs to another process. */
class TakenFolder extends Error {}

/** Sessions in a shard's tables. Read on first use: the list of sessions does not need them. */
class StoredSessions {
  readonly #database: Database
  readonly #sessions = new Map<number, StoredSession>()
  readonly #numbersByGroup = new Map<string, number[]>()
  #lastNumber = 0
  #isRead = false

  constructor(database: Database) {
    this.#database = database
  }

  get(number: number): StoredSession | undefined {
    return this.#all.get(number)
  }

  ofGroup(groupId: string): StoredSession[] {
    const all = this.#all
    return (this.#numbersByGroup.get(groupId) ?? []).flatMap((number) => all.get(number) ?? [])
  }

  numbersOf(keys: ReadonlySet<string>): number[] {
    return [...this.#all.values()].filter(({ key }) => keys.has(key)).map(({ number }) => number)
  }

  newNumber(): number {
    void this.#all
    this.#lastNumber += 1
    return this.#lastNumber
  }

  add(stored: StoredSession): void {
    void this.#all
    this.#remember(stored)
  }

  removeGroup(groupId: string): void {
    const all = this.#all
    for (const number of this.#numbersByGroup.get(groupId) ?? []) all.delete(number)
    this.#numbersByGroup.delete(groupId)
  }

  get #all(): Map<number, StoredSession> {
    if (!this.#isRead) {
      this.#isRead = true
      for (const row of this.#database.all('SELECT number, group_id, key FROM session ORDER BY number'))
        this.#remember({ number: Number(row.number), groupId: String(row.group_id), key: String(row.key) })
    }
    return this.#sessions
  }

  #remember(stored: StoredSession): void {
    this.#sessions.set(stored.number, stored)
    this.#lastNumber = Math.max(this.#lastNumber, stored.number)
    const numbers = this.#numbersByGroup.get(stored.groupId)
    if (numbers === undefined) this.#numbersByGroup.set(stored.groupId, [stored.number])
    else numbers.push(stored.number)
  }
}

export interface LastingStoreOptions {
  /** null: in memory only. */
  path: string | null
  folderId: string
  /** If another process may take the folder: nothing is written after that. */
  owner?: FolderOwner | undefined
  driver: DriverChoice
  /** Called with why the index is not stored on disk, each time this changes; null: it is. */
  onProblem: (problem: string | null) => void
  /** The stored data of these groups was lost: index them again if needed. */
  onLost: (groupIds: string[]) => void
}

/** A program that is told to exit has half a second. */
const LONGEST_LAST_SEAL_MS = 200

/**
 * A store that always answers. If the disk fails it continues in memory, if its file is damaged it starts a new one; either way it reports
 * the groups it lost.
 */
export class LastingStore {
  readonly #options: LastingStoreOptions
  #path: string | null
  #store: ShardStore
  /** Of the open file. */
  #fileId: string | null = null
  #hasReplacedFile = false
  #sealMs = 0
  #problem: string | null = null

  constructor(options: LastingStoreOptions) {
    this.#options = options
    this.#path = options.path
    this.#store = this.#open()
  }

  /** The current one: get it again after yielding. */
  get current(): ShardStore {
    return this.#store
  }

  /** Its data exists nowhere else. */
  get isInMemory(): boolean {
    return this.#path === null
  }

  /** Why its data is not stored on disk. */
  get problem(): string | null {
    return this.#problem
  }

  /** How long the last read of the whole database after a commit took. */
  get sealMs(): number {
    return this.#sealMs
  }

  /** Queries the database; if it fails, or was replaced meanwhile, queries the new one. */
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

  /** The same for queries that yield, however often the database is replaced meanwhile. */
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

  held(): [groupId: string, fingerprint: string][] {
    return this.#store.groups.held()
  }

  load(): PackedHome {
    return this.readNow(({ database }) => packHome(database))
  }

  isNoted(found: FoundPlaces): boolean {
    return this.readNow((store) => store.isNoted(found))
  }

  /** Makes what was written durable; if the database fails, replaces it. */
  commit(pause: () => Promise<void>): Promise<void> {
    return this.read(async (store) => {
      if (store.commit()) await this.#seal(pause)
    })
  }

  /** Erases everything stored, including in the file, and reports it as lost. */
  beginAnew(): void {
    this.#store.rollback()
    this.#replaceStore(this.#path)
  }

  /** Leaves the file to its new owner and continues in memory. */
  leaveDisk(): void {
    if (this.#path === null) return
    this.#path = null
    this.#replaceStore()
  }

  /** `isHurried`: skips what would take too long to verify; it is read again at the next start. */
  async close({ isHurried = false } = {}): Promise<void> {
    try {
      if (isHurried && this.#sealMs > LONGEST_LAST_SEAL_MS) this.#store.rollback()
      else if (this.#store.commit()) await this.#seal(async () => {})
      this.#store.database.close()
    } catch (error) {
      if (error instanceof TakenFolder) return this.leaveDisk()
      if (!isDatabaseError(error)) throw error
      this.#setProblem(
        `The index cannot be kept on disk (${reasonOf(error)}); the next start reads again what is missing.`,
      )
    }
  }

  /** Without it, the next start rebuilds the database. */
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

  /** Some damage only shows when the tables are read. */
  #openFile(path: string): ShardStore {
    const open = () => {
      const database = openShardDatabase(path, this.#options.driver, this.#options.folderId)
      this.#fileId = fileIdOf(path)
      return new ShardStore(database, this.#options.owner)
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

  /** Replaces a failed database, unless this was done meanwhile. Rethrows errors that a new one would not fix. */
  #heal(failed: ShardStore, error: unknown): void {
    if (this.#store !== failed) return
    if (error instanceof TakenFolder) {
      this.leaveDisk()
      return
    }
    // The thread ends; the next one finds no sum, and rebuilds the database.
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
    const lost = [...old.groups.ids()]
    try {
      old.database.close()
    } catch {
      // Closing a broken connection may fail; nothing in it is needed any more.
    }
    if (damagedPath !== null) removeShardDatabase(damagedPath)
    this.#store = store ?? this.#open()
    if (lost.length > 0) this.#options.onLost(lost)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
