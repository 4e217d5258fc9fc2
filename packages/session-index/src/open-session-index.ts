import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { UnreadFile } from 'gemini-sessions'
import type {
  FoundPlaces,
  IndexGroup,
  IndexSearchOptions,
  IndexSearchRequest,
  IndexSearchResult,
  LongFrom,
  OnIndexed,
  SessionAsk,
  StoredHome,
} from './contract.ts'
import { readDatabaseSum } from './database/database-sum.ts'
import type { DriverChoice } from './driver.ts'
import { type CloseWord, compareCloseWords } from './find/close-words.ts'
import {
  bestCommands,
  type CommandQuery,
  type EditQuery,
  type FoundCommand,
  type FoundEdit,
} from './find/find-calls.ts'
import { mostTouched, type TouchedPath } from './find/find-rows.ts'
import { claimFolder } from './folder.ts'
import type { FolderOwner } from './folder-owner.ts'
import { queryMatcher } from './match/query-matcher.ts'
import { ShardClient } from './pool/shard-client.ts'
import { ShardedSearch } from './pool/sharded-search.ts'
import { defaultShards, endWaitingThreads } from './pool/started-threads.ts'
import { unpackHome } from './store/unpack-home.ts'
import { hashGroup } from './to-session-record.ts'

export interface SessionIndexOptions {
  /** Folder of the index; null: nothing is written. */
  directory: string | null
  /** The built `worker.ts` of this package. */
  workerUrl: URL
  workerExecArgv?: string[]
  /** Databases, each with its own worker thread; the number used when the folder was created wins. */
  shards?: number
  driver?: DriverChoice
  /**
   * A number shared with the threads: while it is above zero they read nothing, because somebody waits for a session that another thread
   * opens. Searches are still answered.
   */
  openings?: Int32Array
  /** Called with why the index cannot be stored on disk, each time this changes; null: it is stored again. */
  onProblem?: (problem: string | null) => void
  /** Called with why searches fail at the moment, each time this changes; null: they do not. */
  onDown?: (problem: string | null) => void
  /**
   * The stored data of these groups was lost, because a database failed or a thread died: read them again. Called before anything is
   * answered without them.
   */
  onLost?: (groupIds: string[]) => void
  /** A search found files that cannot be read at the moment (absolute paths). Called before the search returns. */
  onUnread?: (groupId: string, files: UnreadFile[]) => void
  /** A busy thread that is silent for this long is considered hung. */
  silenceMs?: number
  /** Sessions with more bytes or messages are long. */
  longFrom?: LongFrom | undefined
}

/** No single step of a thread takes this long, even with a slow disk and a busy computer. */
const SILENCE_MS = 30_000

/** A regex search over tens of gigabytes takes minutes. */
const LONGEST_ANSWER_MS = 15 * 60_000

/** Opens the index in its folder, or in memory if the folder is taken or unusable. */
export async function openSessionIndex(options: SessionIndexOptions): Promise<SessionIndex> {
  const problems = new Problems((problem) => options.onProblem?.(problem))
  const down = new Problems((problem) => options.onDown?.(problem))
  const shards: ShardClient[] = []
  const leaveDisk = () => {
    problems.set(
      'folder',
      `The folder of the index (${options.directory}) was taken away or is used by another program now; the index is in memory until the next start.`,
    )
    for (const shard of shards) shard.leaveDisk()
  }
  const place = choosePlace(options, leaveDisk, (problem) => problems.set('folder', problem))
  try {
    for (let shard = 0; shard < place.shards; shard++) {
      shards.push(
        new ShardClient({
          folderId: place.folderId,
          owner: place.owner,
          path: place.directory === null ? null : join(place.directory, shardFileName(shard, place.shards)),
          driver: options.driver ?? 'auto',
          openings: options.openings,
          longFrom: options.longFrom,
          workerUrl: options.workerUrl,
          workerExecArgv: options.workerExecArgv ?? [],
          silenceMs: options.silenceMs ?? SILENCE_MS,
          longestAnswerMs: LONGEST_ANSWER_MS,
          onProblem: (problem) => {
            // The cause may be the loss of the folder, which is then reported instead.
            if (problem !== null) place.isOurs()
            problems.set(shard, problem)
          },
          onDown: (problem) => down.set(shard, problem),
          onLost: (groupIds) => options.onLost?.(groupIds),
          onUnread: (groupId, files) => options.onUnread?.(groupId, files),
        }),
      )
    }
    endWaitingThreads()
    await Promise.all(shards.map((shard) => shard.whenReady()))
  } catch (error) {
    await Promise.all(shards.map((shard) => shard.close()))
    place.release()
    throw error
  }
  return new ShardedIndex({
    ...place,
    shards,
    problem: () => problems.first,
    isKept: () => place.isOurs() && problems.first === null,
  })
}

/** Problems of the folder and its shards; the first one is reported. */
class Problems {
  readonly #problems = new Map<'folder' | number, string>()
  readonly #onChange: (problem: string | null) => void

  constructor(onChange: (problem: string | null) => void) {
    this.#onChange = onChange
  }

  get first(): string | null {
    const [first = null] = this.#problems.values()
    return first
  }

  set(part: 'folder' | number, problem: string | null): void {
    const before = this.first
    if (problem === null) this.#problems.delete(part)
    else this.#problems.set(part, problem)
    if (this.first !== before) this.#onChange(this.first)
  }
}

interface Place {
  directory: string | null
  folderId: string
  /** Set if this process owns it. */
  owner?: FolderOwner
  shards: number
  isPrivate: boolean
  /** There is a folder, and it still exists and is ours. A loss is reported before this returns. */
  isOurs: () => boolean
  release: () => void
}

function choosePlace(
  { directory, shards }: SessionIndexOptions,
  onLost: () => void,
  onProblem: (problem: string) => void,
): Place {
  const wanted = Math.min(MAX_SHARDS, Math.max(1, shards ?? defaultShards()))
  const inMemory = {
    ...{ directory: null, folderId: '', shards: wanted, isPrivate: false },
    isOurs: () => false,
    release: () => {},
  }
  if (directory === null) return inMemory
  const claim = claimFolder(directory, onLost)
  switch (claim.kind) {
    case 'owned':
      return {
        directory,
        folderId: readFolderId(directory),
        owner: claim.owner,
        shards: readShardCount(directory) ?? wanted,
        isPrivate: false,
        isOurs: claim.isOurs,
        release: claim.release,
      }
    case 'taken':
      return { ...inMemory, isPrivate: true }
    case 'unusable':
      onProblem(`The index cannot be kept on disk (${claim.reason}); it is in memory until the next start.`)
      return inMemory
  }
}

/** The random id in the databases of this folder, so that none from elsewhere is mistaken for one of them. */
function readFolderId(directory: string): string {
  const sums = readdirSync(directory)
    .filter((name) => name.endsWith('.db'))
    .flatMap((name) => readDatabaseSum(join(directory, name)) ?? [])
  return sums[0]?.folderId ?? randomUUID()
}

function shardFileName(shard: number, shards: number): string {
  return `shard-${shard}-of-${shards}.db`
}

/** How many shards the folder was created with; null if it has none. Removes files of other shard counts. */
function readShardCount(directory: string): number | null {
  const files = readdirSync(directory).flatMap((name) => {
    const match = SHARD_FILE.exec(name)
    return match === null ? [] : [{ name, shards: Number(match[1]) }]
  })
  const tally = new Map<number, number>()
  for (const { shards } of files) tally.set(shards, (tally.get(shards) ?? 0) + 1)
  const [most] = [...tally].sort((a, b) => b[1] - a[1])
  const shards = most === undefined || most[0] < 1 || most[0] > MAX_SHARDS ? null : most[0]
  for (const file of files) {
    if (file.shards !== shards) rmSync(join(directory, file.name), { recursive: true, force: true })
  }
  return shards
}

const MAX_SHARDS = 16

// The database, its journal and its lock.
const SHARD_FILE = /^shard-\d+-of-(\d+)\.db/

/** The searchable index of all sessions of a Gemini folder. A cache: everything in it can be read again from the sessions. */
export interface SessionIndex {
  /** Another running process has the folder, so this index is in memory. */
  isPrivate: boolean
  /**
   * Whether it is on disk and stays there for the next start. Checks that its folder still exists: callers that cannot write beside it
   * check this before they report a problem, since a lost folder is reported by the index, before this returns.
   */
  isKept(): boolean
  /** Why it, or part of it, is not stored on disk; null if it is, or is not meant to be. */
  problem(): string | null
  /** false: one of its threads died and is being restarted; until then it is unknown what it still holds. */
  isUp(): boolean
  /** The fingerprint of each stored group, by id. */
  fingerprints(): Map<string, string>
  /** Everything stored except messages. */
  load(): Promise<StoredHome>
  /**
   * Reads the groups and stores them, in the given order (newest first). Calls may overlap: a later one goes first, and replaces waiting
   * groups with the same id. A group that cannot be indexed is reported with its `failure` and does not stop the others.
   */
  update(groups: IndexGroup[], onIndexed: OnIndexed): Promise<void>
  remove(groupIds: string[]): Promise<void>
  /** Stores where everything is, replacing what was noted before. */
  note(found: FoundPlaces): Promise<void>
  /**
   * Erases these groups, including deleted rows that a database keeps: the databases with them are recreated. Other groups in them are
   * reported as lost and read again.
   */
  forget(groupIds: string[]): Promise<void>
  /** Answers also during an update, from what is stored so far. */
  search(request: IndexSearchRequest, options?: IndexSearchOptions): Promise<IndexSearchResult>
  /** Asks the thread that stores a session about it; null: the caller has to read its files. Never throws. */
  ask(asked: SessionAsk): Promise<{ answer: unknown } | null>
  /** For each of the (folded) words, similar indexed words, closest first; in bounded time. */
  closestWords(words: string[]): Promise<Map<string, string[]>>
  /** Paths touched by calls that contain this text, by number of messages; limited to a number one can choose from. */
  touchedPaths(typed: string): Promise<TouchedPath[]>
  /** Commands that ran with these words, each line once per session, the best first. */
  commands(query: CommandQuery): Promise<FoundCommand[]>
  /** Edits of files with these names. */
  edits(query: EditQuery): Promise<FoundEdit[]>
  /** Ends threads that have been idle for this long, to free their memory; the next request restarts them. true: one was ended. */
  rest(idleMs: number): Promise<boolean>
  /** Restarts ended threads ahead of a request. true: one was started. */
  wake(): boolean
  close(): Promise<void>
}

const MAX_WORDS = 5

interface ShardedIndexOptions {
  shards: ShardClient[]
  /** Checks that it is on disk, in a folder that only we own. */
  isKept: () => boolean
  isPrivate: boolean
  problem: () => string | null
  /** Releases the folder. */
  release: () => void
}

/** Distributes the work over the shards and merges their answers. */
class ShardedIndex implements SessionIndex {
  readonly isPrivate: boolean
  readonly #options: ShardedIndexOptions

  constructor(options: ShardedIndexOptions) {
    this.#options = options
    this.isPrivate = options.isPrivate
  }

  isKept(): boolean {
    return this.#options.isKept()
  }

  problem(): string | null {
    return this.#options.problem()
  }

  isUp(): boolean {
    return this.#options.shards.every((shard) => shard.isUp)
  }

  fingerprints(): Map<string, string> {
    return new Map(this.#options.shards.flatMap((shard) => [...shard.held]))
  }

  async load(): Promise<StoredHome> {
    const packed = await this.#all((shard) => shard.call('load', null))
    const homes: StoredHome[] = []
    for (const each of packed) homes.push(await unpackHome(each))
    return {
      folders: homes.flatMap(({ folders }) => folders),
      groups: homes.flatMap(({ groups }) => groups),
    }
  }

  async update(groups: IndexGroup[], onIndexed: OnIndexed): Promise<void> {
    await this.#all((shard) => {
      const its = groups.filter((group) => this.#shardOf(group.id) === shard)
      return its.length === 0 ? null : shard.update(its, onIndexed)
    })
  }

  async remove(groupIds: string[]): Promise<void> {
    await this.#all((shard) => {
      const its = groupIds.filter((id) => this.#shardOf(id) === shard)
      return its.length === 0 ? null : shard.remove(its)
    })
  }

  async note({ projects, folders, unread }: FoundPlaces): Promise<void> {
    const [first] = this.#options.shards
    await this.#all((shard) =>
      shard.call('note', {
        projects,
        folders: shard === first ? folders : [],
        unread: unread.filter(({ id }) => this.#shardOf(id) === shard),
      }),
    )
  }

  async forget(groupIds: string[]): Promise<void> {
    const holding = new Set(groupIds.map((id) => this.#shardOf(id)))
    await this.#all((shard) => (holding.has(shard) ? shard.call('beginAnew', null) : null))
  }

  async search(asked: IndexSearchRequest, options: IndexSearchOptions = {}): Promise<IndexSearchResult> {
    // After a suspension, another process may own its files: their rows would not be the ones known here.
    this.#options.isKept()
    const { notes } = await queryMatcher(asked)
    const search = new ShardedSearch(this.#options.shards, asked, notes)
    return search.run(options)
  }

  async ask(asked: SessionAsk): Promise<{ answer: unknown } | null> {
    const { id } = asked.args.source
    this.#options.isKept()
    const shard = this.#shardOf(id)
    if (!shard.held.has(id)) return null
    return shard.call('ask', asked).catch(() => null)
  }

  async closestWords(words: string[]): Promise<Map<string, string[]>> {
    const found = await this.#all((shard) => shard.call('closestWords', words))
    return new Map(
      words.map((word, index) => [word, mergeCloseWords(found.flatMap((ofShard) => ofShard[index] ?? []))]),
    )
  }

  async touchedPaths(typed: string): Promise<TouchedPath[]> {
    return mostTouched((await this.#all((shard) => shard.call('touchedPaths', typed))).flat())
  }

  async commands(query: CommandQuery): Promise<FoundCommand[]> {
    return bestCommands((await this.#all((shard) => shard.call('commands', query))).flat())
  }

  async edits(query: EditQuery): Promise<FoundEdit[]> {
    return (await this.#all((shard) => shard.call('edits', query))).flat()
  }

  async rest(idleMs: number): Promise<boolean> {
    return (await this.#all((shard) => shard.rest(idleMs))).includes(true)
  }

  wake(): boolean {
    return this.#options.shards.map((shard) => shard.wake()).includes(true)
  }

  async close(): Promise<void> {
    await this.#all((shard) => shard.close())
    this.#options.release()
  }

  #shardOf(groupId: string): ShardClient {
    const { shards } = this.#options
    const shard = shards[shardOfGroup(groupId, shards.length)]
    if (shard === undefined) throw new Error('The index has no shards.')
    return shard
  }

  #all<Answer>(ask: (shard: ShardClient) => Promise<Answer> | Answer): Promise<Answer[]> {
    return Promise.all(this.#options.shards.map(ask))
  }
}

/** The shard of a group; stable. */
function shardOfGroup(groupId: string, shards: number): number {
  return hashGroup(groupId) % shards
}

/** The closest words of all shards, each once. */
function mergeCloseWords(found: CloseWord[]): string[] {
  const byWord = new Map<string, CloseWord>()
  for (const close of found) {
    byWord.set(close.word, { ...close, texts: close.texts + (byWord.get(close.word)?.texts ?? 0) })
  }
  return [...byWord.values()]
    .sort(compareCloseWords)
    .slice(0, MAX_WORDS)
    .map(({ word }) => word)
}
