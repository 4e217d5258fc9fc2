import { type Dirent, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { CacheCleared, Settings } from '@gemini-dash/api'
import { claimFolder, type SessionIndex } from '@gemini-dash/session-index'
import type { Sync } from './sync/sync.ts'

interface OwnCacheParts {
  sync: Sync
  openIndex: () => Promise<SessionIndex>
  /** Folder of the index; null: it is in memory. */
  directory: string | null
}

const NOTHING = { count: 0, inUse: 0, freedBytes: 0, left: [] }

/** The data derived from session files: its size, and a way to clear it. */
export class OwnCache {
  readonly #parts: OwnCacheParts

  constructor(parts: OwnCacheParts) {
    this.#parts = parts
  }

  /** null: it is in memory. */
  state(): Settings['cache'] {
    const { directory } = this.#parts
    if (directory === null) return null
    const path = dirname(directory)
    const others = indexesIn(path).filter((name) => name !== basename(directory))
    const sizeBytes = others.reduce((sum, name) => sum + sizeOfIndex(join(path, name)), 0)
    return { path, sizeBytes: sizeOfIndex(directory), others: { count: others.length, sizeBytes } }
  }

  /**
   * Deletes everything derived from the shown homes and starts reading again; `all` also deletes indexes of other homes. Resolves when
   * reading has begun.
   */
  async clear(of: 'shown' | 'all'): Promise<CacheCleared> {
    const { sync, openIndex, directory } = this.#parts
    const index = await openIndex()
    const isOurs = directory !== null && index.isKept()
    const ownBytes = isOurs ? sizeOfIndex(directory) : 0
    await index.forget(sync.rows.groups().map(({ id }) => id))
    const isAll = directory !== null && of === 'all'
    const others = isAll ? removeIndexes(dirname(directory), basename(directory)) : NOTHING
    const { count, inUse, freedBytes, left } = others
    return { freedBytes: ownBytes + freedBytes, indexes: count, inUse, left }
  }
}

/** One per set of homes, in the cache folder. */
const INDEX = /^index-[0-9a-f]{16}$/
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** All names used in the folder of an index by this program and its earlier versions, separated by `/`. */
const OURS = new RegExp(
  `^(?:${[
    String.raw`shard-\d+-of-\d+\.db(?:\.sum|\.sum\.new|-journal|-wal|-shm|\.lock(?:/.*)?)?`,
    String.raw`rows\.jsonl(?:\.${UUID})?`,
    String.raw`owner\.json(?:\.${UUID})?`,
  ].join('|')})$`,
)

const LOCK = /\.lock(?:\/|$)/

interface RemovedIndexes {
  count: number
  /** Number of indexes that another process is using. */
  inUse: number
  freedBytes: number
  /** Paths of files that are not ours and stay. */
  left: string[]
}

/** Removes all indexes of the cache folder but one: those of other homes. One that is in use stays. */
export function removeIndexes(folder: string, own: string | null = null): RemovedIndexes {
  const removed: RemovedIndexes = { count: 0, inUse: 0, freedBytes: 0, left: [] }
  for (const name of indexesIn(folder)) {
    if (name === own) continue
    const path = join(folder, name)
    const sizeBytes = sizeOfIndex(path)
    const claimed = claimFolder(path, () => {})
    if (claimed.kind !== 'owned') {
      removed.inUse += 1
      continue
    }
    removed.freedBytes += sizeBytes
    const left = removeOurs(path)
    claimed.release()
    if (left.length === 0) rmdirSync(path)
    removed.count += 1
    removed.left.push(...left)
  }
  return removed
}

/** Names of the index folders. */
export function indexesIn(folder: string): string[] {
  const entries = entriesOf(folder)
  return entries.filter((entry) => entry.isDirectory() && INDEX.test(entry.name)).map(({ name }) => name)
}

/** Bytes of our own files in the folder of an index; 0 if it does not exist. */
export function sizeOfIndex(path: string): number {
  const found = namesIn(path).filter((name) => isOurs(path, name))
  const stats = found.map((name) => lstatSync(join(path, name), { throwIfNoEntry: false }))
  return stats.reduce((sum, each) => sum + (each?.isFile() ? each.size : 0), 0)
}

/** Deletes only our own files; returns the paths of what is left. Deletes a link, not its target. */
function removeOurs(path: string): string[] {
  const names = namesIn(path)
  for (const name of names) if (isOurs(path, name)) rmSync(join(path, name), { recursive: true, force: true })
  return names.filter((name) => !isOurs(path, name)).map((name) => join(path, name))
}

/** Only one of our names is a folder: a lock. */
function isOurs(path: string, name: string): boolean {
  if (!OURS.test(name)) return false
  return LOCK.test(name) || !isFolder(join(path, name))
}

/** Files and folders, relative to the folder. Does not follow links. */
function namesIn(folder: string, prefix = ''): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const name = `${prefix}${entry.name}`
    return entry.isDirectory() ? [name, ...namesIn(join(folder, entry.name), `${name}/`)] : [name]
  })
}

/** Empty if it is not a folder or unreadable. Locks may appear and disappear at any time. */
function entriesOf(folder: string): Dirent[] {
  try {
    return isFolder(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  } catch {
    return []
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
