import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { claimFolder } from '@gemini-dash/session-index'
import { OPENED_NAME } from '../reader/skeleton/skeleton-files.ts'

/** One a set of homes, in the cache folder. */
const INDEX = /^index-[0-9a-f]{16}$/
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** All names that this program and its earlier versions give in the folder of an index, with `/` between. */
const OURS = new RegExp(
  `^(?:${[
    String.raw`shard-\d+-of-\d+\.db(?:\.sum|\.sum\.new|-journal|-wal|-shm|\.lock(?:/.*)?)?`,
    String.raw`rows\.jsonl(?:\.${UUID})?`,
    String.raw`owner\.json(?:\.${UUID})?`,
  ].join('|')})$`,
)

const LOCK = /\.lock(?:\/|$)/
/** The folder of what was made of opened sessions. */
const OPENED = 'opened'

export interface RemovedIndexes {
  count: number
  /** That another process uses. */
  inUse: number
  freedBytes: number
  /** Paths of what is none of ours, and stays. */
  left: string[]
}

/** All indexes of the cache folder but one: those of other homes. One that is in use stays. */
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

/** Names of the folders of indexes. */
export function indexesIn(folder: string): string[] {
  if (!isFolder(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory() && INDEX.test(entry.name)).map(({ name }) => name)
}

/** Bytes of what we named in the folder of an index; 0 where there is none. */
export function sizeOfIndex(path: string): number {
  const found = namesIn(path).filter((name) => isOurs(path, name))
  const stats = found.map((name) => lstatSync(join(path, name), { throwIfNoEntry: false }))
  return stats.reduce((sum, each) => sum + (each?.isFile() ? each.size : 0), 0)
}

/** Deletes what we named, and nothing else; answers the paths of what is left. A link goes, not what it leads to. */
function removeOurs(path: string): string[] {
  const names = namesIn(path)
  for (const name of names) if (isOurs(path, name)) rmSync(join(path, name), { recursive: true, force: true })
  const opened = join(path, OPENED)
  const left = names.filter((name) => !isOurs(path, name) && name !== OPENED)
  if (isEmptyFolder(opened)) rmdirSync(opened)
  else if (left.length === 0 && existsSync(opened)) left.push(OPENED)
  return left.map((name) => join(path, name))
}

/** A folder is ours only where we make one: a lock. */
function isOurs(path: string, name: string): boolean {
  const inOpened = name.startsWith(`${OPENED}/`) ? name.slice(OPENED.length + 1) : null
  if (inOpened !== null ? !OPENED_NAME.test(inOpened) : !OURS.test(name)) return false
  return LOCK.test(name) || !isFolder(join(path, name))
}

/** Of files and folders, as seen from the folder. Links are not followed. */
function namesIn(folder: string, prefix = ''): string[] {
  if (!isFolder(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = `${prefix}${entry.name}`
    return entry.isDirectory() ? [name, ...namesIn(join(folder, entry.name), `${name}/`)] : [name]
  })
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function isEmptyFolder(path: string): boolean {
  return isFolder(path) && readdirSync(path).length === 0
}
