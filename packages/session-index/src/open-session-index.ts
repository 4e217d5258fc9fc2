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
  /** Where the index is kept; null writes nothing at all. */
  directory: string | null
  /** The built `worker.ts` of this package. */
  workerUrl: URL
  workerExecArgv?: string[]
  /** Databases, each with a worker thread of its own; the number a folder was made with wins. */
  shards?: number
  driver?: DriverChoice
  /**
   * One number that threads share: while it is above zero they read nothing, as somebody waits for a session that another
   * thread opens. Searches are answered all the same.
   */
  openings?: Int32Array
  /** Why the index cannot be kept on disk, each time that this changes; null: it is kept again. */
  onProblem?: (problem: string | null) => void
  /** Why searches fail for now, each time that this changes; null: they do not. */
  onDown?: (problem: string | null) => void
  /**
   * What was stored of these groups is gone, because a database failed or a thread died: they are to be read again.
   * Called before anything is answered without them.
   */
  onLost?: (groupIds: string[]) => void
  /** A search met files that the system does not let us read now (absolute paths). Told before the search answers. */
  onUnread?: (groupId: string, files: UnreadFile[]) => void
  /** A thread that is waited for and says nothing for so long is taken to hang. */
  silenceMs?: number
  /** A session of more bytes or messages is a long one. */
  longFrom?: LongFrom | undefined
}

/** No single step of a thread takes that long, on a slow disk and a busy computer either. */
const SILENCE_MS = 30_000

/** A pattern over tens of gigabytes takes minutes. */
const LONGEST_ANSWER_MS = 15 * 60_000

/** Opens the index in its folder. Where the folder is taken or cannot be used, it lives in memory. */
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
            // What it could not do may come of the folder's loss, which is told as one then.
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

/** Of the folder and of the shards in it; the first is the one that is told. */
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
  /** That this process has it. */
  owner?: FolderOwner
  shards: number
  isPrivate: boolean
  /** There is a folder, and it is still there and no other program's. A loss is told before the answer. */
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

/** The random name that the databases of this folder carry, so that none from elsewhere is taken for one of them. */
function readFolderId(directory: string): string {
  const sums = readdirSync(directory)
    .filter((name) => name.endsWith('.db'))
    .flatMap((name) => readDatabaseSum(join(directory, name)) ?? [])
  return sums[0]?.folderId ?? randomUUID()
}

function shardFileName(shard: number, shards: number): string {
  return `shard-${shard}-of-${shards}.db`
}

/** How many shards the folder was built with; null if it holds none. Files of other numbers are removed. */
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

/** The searchable memory of all sessions of a home. A cache: everything in it can be read again from the sessions. */
export interface SessionIndex {
  /** Another live process has the folder, so this index is built in memory. */
  isPrivate: boolean
  /**
   * It is on disk, and stays there for the next start. Looks whether its folder is still there: whoever cannot write beside it
   * asks this before telling, as a lost folder is told by the index, before this answers.
   */
  isKept(): boolean
  /** Why it, or a part of it, is not kept on disk; null where it is, or is not meant to be. */
  problem(): string | null
  /** false: a thread of it died and is being started again; what it still holds is not known before that. */
  isUp(): boolean
  /** What is stored: the fingerprint of each group by its id. */
  fingerprints(): Map<string, string>
  /** All that is stored but messages. */
  load(): Promise<StoredHome>
  /**
   * Reads the groups and stores what they say, in the given order (newest first). Calls may overlap: a
   * later one goes first, and replaces groups of the same id that wait. A group that cannot be indexed is
   * reported with its `failure` and stops nothing.
   */
  update(groups: IndexGroup[], onIndexed: OnIndexed): Promise<void>
  remove(groupIds: string[]): Promise<void>
  /** Keeps where everything lies, in place of what was noted before. */
  note(found: FoundPlaces): Promise<void>
  /**
   * Has nothing left of these groups, not even in what a database keeps of rows that were deleted: the databases that held them
   * are begun anew. What else was in them is told as lost, and read again.
   */
  forget(groupIds: string[]): Promise<void>
  /** Answers also while an update runs, from what is there. */
  search(request: IndexSearchRequest, options?: IndexSearchOptions): Promise<IndexSearchResult>
  /** Asks about one session the thread that stores it; null: whoever asks has to read its files. Throws nothing. */
  ask(asked: SessionAsk): Promise<{ answer: unknown } | null>
  /** For each of the words (folded) those that are indexed and nearly the same, closest first; in bounded time. */
  closestWords(words: string[]): Promise<Map<string, string[]>>
  /** Paths with this in them that calls touched, those of most messages first, and no more than can be chosen from. */
  touchedPaths(typed: string): Promise<TouchedPath[]>
  /** The commands that ran with these words, each line of a session once, the best first. */
  commands(query: CommandQuery): Promise<FoundCommand[]>
  /** Edits of files that are called so. */
  edits(query: EditQuery): Promise<FoundEdit[]>
  /**
   * Ends threads that nothing was asked of for so long, to give their memory back; what is asked next starts them again.
   * true: one was ended.
   */
  rest(idleMs: number): Promise<boolean>
  /** Starts threads that rest, before somebody asks. true: one was started. */
  wake(): boolean
  close(): Promise<void>
}

const MAX_WORDS = 5

interface ShardedIndexOptions {
  shards: ShardClient[]
  /** It lies on disk, in a folder that is ours alone: looks now. */
  isKept: () => boolean
  isPrivate: boolean
  problem: () => string | null
  /** Gives the folder free. */
  release: () => void
}

/** Spreads the work over the shards and puts their answers together. */
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
    // A process that was stopped may find that another one has its files by now: their rows are not those that are known here.
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

/** Which shard a group belongs to, always the same. */
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
