import { randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { z } from 'zod'
import { ownIdentity, type Whereabouts, whereaboutsOf } from './process-identity.ts'

const ownerSchema = z.object({
  id: z.string(),
  pid: z.number(),
  host: z.string(),
  /** As in `ProcessIdentity`; missing in files of earlier versions. */
  place: z.string().optional(),
  began: z.string().optional(),
})
export type Owner = z.infer<typeof ownerSchema>

/** This process, with an id unique to this claim. */
export function newOwner(): Owner {
  return { id: randomUUID(), host: hostname(), ...ownIdentity() }
}

/** A heartbeat further away than this, in either direction, belongs to a process that is gone, whatever has its pid now. */
export const STALE_AFTER_MS = 30_000

/**
 * Records which process uses a folder. Its modification time is the heartbeat. Written atomically: a damaged file was left by a full disk
 * or an earlier version, and does not count.
 */
export class OwnerFile {
  readonly #path: string
  readonly #isAtWork: (owner: Owner, ageMs: number) => boolean

  /** `isAtWork`: whether an owner counts whose file was last written or touched this long ago. */
  constructor(path: string, isAtWork: (owner: Owner, ageMs: number) => boolean = hasHeartbeat) {
    this.#path = path
    this.#isAtWork = isAtWork
  }

  /** false if a running process has it. Of several concurrent attempts, one wins. @throws if the file cannot be written */
  claim(owner: Owner): boolean {
    if (!existsSync(this.#path)) return this.#create(owner)
    const seen = this.read()
    if (this.#isAlive(seen)) return false
    return this.#removeStale(seen) && this.#create(owner)
  }

  /** null: no owner, or the file cannot be read. */
  read(): Owner | null {
    try {
      return ownerSchema.parse(JSON.parse(readFileSync(this.#path, 'utf8')))
    } catch {
      return null
    }
  }

  /** false if the file is gone or has another owner. */
  isOf(owner: Owner): boolean {
    return this.read()?.id === owner.id
  }

  /** The same, and updates the heartbeat. */
  beat(owner: Owner): boolean {
    if (!this.isOf(owner)) return false
    try {
      const now = new Date()
      utimesSync(this.#path, now, now)
      return true
    } catch {
      return false
    }
  }

  release(owner: Owner): void {
    if (this.isOf(owner)) rmSync(this.#path, { force: true })
  }

  #create(owner: Owner): boolean {
    const whole = `${this.#path}.${owner.id}`
    try {
      writeFileSync(whole, JSON.stringify(owner), { mode: 0o600 })
      return putUnlessThere(whole, this.#path)
    } finally {
      rmSync(whole, { force: true })
    }
  }

  #isAlive(owner: Owner | null): boolean {
    const writtenMs = lstatSync(this.#path, { throwIfNoEntry: false })?.mtimeMs
    if (writtenMs === undefined) return false
    const ageMs = Math.abs(Date.now() - writtenMs)
    // For an unreadable file of another user, only its age counts.
    return owner === null ? ageMs <= STALE_AFTER_MS && !isReadable(this.#path) : this.#isAtWork(owner, ageMs)
  }

  /** Moved away first, to verify that it is the stale one: another process may have been faster. */
  #removeStale(seen: Owner | null): boolean {
    const moved = `${this.#path}.${randomUUID()}`
    try {
      renameSync(this.#path, moved)
    } catch {
      return true // Already gone; the process that creates it next wins.
    }
    const isTheStaleOne = new OwnerFile(moved).read()?.id === seen?.id
    try {
      if (!isTheStaleOne) putUnlessThere(moved, this.#path)
    } catch {
      // Its owner notices at its next heartbeat.
    }
    rmSync(moved, { recursive: true, force: true })
    return isTheStaleOne
  }
}

/** false: it exists. */
function putUnlessThere(whole: string, path: string): boolean {
  try {
    linkSync(whole, path)
    return true
  } catch (error) {
    return codeOf(error) !== 'EEXIST' && copyUnlessThere(whole, path)
  }
}

/** For file systems without hard links, such as FAT. */
function copyUnlessThere(whole: string, path: string): boolean {
  try {
    copyFileSync(whole, path, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    const code = codeOf(error)
    // Windows refuses a name whose file is being removed.
    if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return false
    throw error
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

function hasHeartbeat(owner: Owner, ageMs: number): boolean {
  return ageMs <= STALE_AFTER_MS && whereaboutsOfOwner(owner) !== 'ended'
}

/** Whether a process on another machine (a shared home) is running cannot be determined here. */
export function whereaboutsOfOwner({ pid, host, place, began }: Owner): Whereabouts {
  if (place !== undefined && began !== undefined) return whereaboutsOf({ pid, place, began })
  if (host !== hostname()) return 'elsewhere'
  // This process records its place, so the owner was an earlier process with its pid, as in a restarted container.
  if (pid === process.pid) return 'ended'
  try {
    process.kill(pid, 0)
    return 'elsewhere'
  } catch (error) {
    // EPERM: it exists, but belongs to another user.
    return codeOf(error) === 'EPERM' ? 'elsewhere' : 'ended'
  }
}

export function isSameProcess(one: Owner, other: Owner): boolean {
  return one.pid === other.pid && one.place === other.place && one.began === other.began
}
