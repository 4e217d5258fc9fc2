import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { UnreadFile } from 'gemini-sessions'
import { readDatabaseSum } from './database/database-sum.ts'
import type { DriverChoice } from './driver/open-database.ts'
import { claimFolder } from './folder/claim-folder.ts'
import { ShardClient } from './pool/shard-client.ts'
import type { SessionIndex } from './session-index.ts'
import { ShardedIndex } from './sharded-index.ts'

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
}

/** No single step of a thread takes that long, on a slow disk and a busy computer either. */
const SILENCE_MS = 60_000

/** A pattern over tens of gigabytes takes minutes. */
const LONGEST_ANSWER_MS = 15 * 60_000

const MAX_DEFAULT_SHARDS = 4

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
          path: place.directory === null ? null : join(place.directory, shardFileName(shard, place.shards)),
          driver: options.driver ?? 'auto',
          openings: options.openings,
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
  const wanted = Math.min(
    MAX_SHARDS,
    Math.max(1, shards ?? Math.min(availableParallelism(), MAX_DEFAULT_SHARDS)),
  )
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
