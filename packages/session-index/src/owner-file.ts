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
  /** As in `ProcessIdentity`; earlier versions wrote neither. */
  place: z.string().optional(),
  began: z.string().optional(),
})
export type Owner = z.infer<typeof ownerSchema>

/** This process, under an id that no other claim has. */
export function newOwner(): Owner {
  return { id: randomUUID(), host: hostname(), ...ownIdentity() }
}

/** A heartbeat further away than this, in either direction, is that of a process that is gone, whatever has its number now. */
export const STALE_AFTER_MS = 30_000

/**
 * Says which process uses a folder. Its modification time is the heartbeat. It is there whole or not at all: one that is
 * damaged was left by a full disk or an earlier version, and does not count.
 */
export class OwnerFile {
  readonly #path: string
  readonly #isAtWork: (owner: Owner, ageMs: number) => boolean

  /** `isAtWork`: whether an owner counts whose file was written, or touched, so long ago. */
  constructor(path: string, isAtWork: (owner: Owner, ageMs: number) => boolean = hasHeartbeat) {
    this.#path = path
    this.#isAtWork = isAtWork
  }

  /** false if a living process has it. Of several that try at once, one wins. @throws where the file cannot be written */
  claim(owner: Owner): boolean {
    if (!existsSync(this.#path)) return this.#create(owner)
    const seen = this.read()
    if (this.#isAlive(seen)) return false
    return this.#removeStale(seen) && this.#create(owner)
  }

  /** null: nobody has it, or the file cannot be read. */
  read(): Owner | null {
    try {
      return ownerSchema.parse(JSON.parse(readFileSync(this.#path, 'utf8')))
    } catch {
      return null
    }
  }

  /** false if the file is gone, or somebody else's by now. */
  isOf(owner: Owner): boolean {
    return this.read()?.id === owner.id
  }

  /** The same, and says that the owner lives. */
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
    // Of one that another user wrote for themselves only its age can tell.
    return owner === null ? ageMs <= STALE_AFTER_MS && !isReadable(this.#path) : this.#isAtWork(owner, ageMs)
  }

  /** Moved away first, to see that it is the stale one: another process may have been faster. */
  #removeStale(seen: Owner | null): boolean {
    const moved = `${this.#path}.${randomUUID()}`
    try {
      renameSync(this.#path, moved)
    } catch {
      return true // Gone already; whoever creates it now wins.
    }
    const isTheStaleOne = new OwnerFile(moved).read()?.id === seen?.id
    try {
      if (!isTheStaleOne) putUnlessThere(moved, this.#path)
    } catch {
      // The owner finds out at its next heartbeat.
    }
    rmSync(moved, { recursive: true, force: true })
    return isTheStaleOne
  }
}

/** false: something is there. */
function putUnlessThere(whole: string, path: string): boolean {
  try {
    linkSync(whole, path)
    return true
  } catch (error) {
    return codeOf(error) !== 'EEXIST' && copyUnlessThere(whole, path)
  }
}

/** Where the disk knows no links, as FAT. */
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

/** Of a process on another machine (a shared home) nothing here tells whether it runs. */
export function whereaboutsOfOwner({ pid, host, place, began }: Owner): Whereabouts {
  if (place !== undefined && began !== undefined) return whereaboutsOf({ pid, place, began })
  if (host !== hostname()) return 'elsewhere'
  // This process writes its place, so it is one before it that had its number, as in a container that was restarted.
  if (pid === process.pid) return 'ended'
  try {
    process.kill(pid, 0)
    return 'elsewhere'
  } catch (error) {
    // EPERM: it is there, but another user's.
    return codeOf(error) === 'EPERM' ? 'elsewhere' : 'ended'
  }
}

export function isSameProcess(one: Owner, other: Owner): boolean {
  return one.pid === other.pid && one.place === other.place && one.began === other.began
}
