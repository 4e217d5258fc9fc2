import { randomUUID } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { OwnerFile } from './owner-file.ts'

const HEARTBEAT_MS = 5_000

export type FolderClaim =
  | { kind: 'owned'; release: () => void }
  /** Another living process has it. */
  | { kind: 'taken' }
  /** It cannot be used at all. */
  | { kind: 'unusable'; reason: string }

/**
 * Makes this process the only one that uses the folder, if no living one does already. `onLost` is called
 * when another process took the folder because this one had been suspended for too long.
 */
export function claimFolder(directory: string, onLost: () => void): FolderClaim {
  const file = new OwnerFile(join(directory, 'owner.json'))
  const owner = { id: randomUUID(), pid: process.pid, host: hostname() }
  try {
    makePrivateFolder(directory)
    if (!file.claim(owner)) return { kind: 'taken' }
  } catch (error) {
    return { kind: 'unusable', reason: error instanceof Error ? error.message : String(error) }
  }
  const heartbeat = setInterval(() => {
    if (file.beat(owner)) return
    clearInterval(heartbeat)
    onLost()
  }, HEARTBEAT_MS)
  heartbeat.unref()
  const release = () => {
    clearInterval(heartbeat)
    file.release(owner)
  }
  return { kind: 'owned', release }
}

/** Sessions hold secrets: the folder is for this user alone, and never a link that somebody else put there. */
function makePrivateFolder(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const stats = lstatSync(directory)
  if (stats.isSymbolicLink()) throw new Error(`${directory} is a symbolic link`)
  if (!stats.isDirectory()) throw new Error(`${directory} is not a folder`)
  const user = process.getuid?.()
  if (user !== undefined && stats.uid !== user) throw new Error(`${directory} belongs to another user`)
  chmodSync(directory, 0o700)
}
