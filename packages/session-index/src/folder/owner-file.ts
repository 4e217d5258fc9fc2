import { randomUUID } from 'node:crypto'
import { lstatSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { z } from 'zod'

const ownerSchema = z.object({ id: z.string(), pid: z.number(), host: z.string() })
export type Owner = z.infer<typeof ownerSchema>

/** A heartbeat older than this is that of a process that is gone, whatever has its number now. */
export const STALE_AFTER_MS = 30_000

/** Owners made by this very process: its own number proves nothing, as a container counts anew each time. */
const ownIds = new Set<string>()

/** Says which process uses a folder. Its modification time is the heartbeat. */
export class OwnerFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** false if a living process has it. Of several that try at once, one wins. */
  claim(owner: Owner): boolean {
    if (this.#create(owner)) return true
    const seen = this.#read()
    if (this.#isAlive(seen)) return false
    return this.#removeStale(seen) && this.#create(owner)
  }

  /** false if the file is gone, or somebody else's by now. */
  isOf(owner: Owner): boolean {
    return this.#read()?.id === owner.id
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
    ownIds.delete(owner.id)
    if (this.isOf(owner)) rmSync(this.#path, { force: true })
  }

  #create(owner: Owner): boolean {
    try {
      writeFileSync(this.#path, JSON.stringify(owner), { mode: 0o600, flag: 'wx' })
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
      throw error
    }
    ownIds.add(owner.id)
    return true
  }

  #read(): Owner | null {
    try {
      return ownerSchema.parse(JSON.parse(readFileSync(this.#path, 'utf8')))
    } catch {
      return null
    }
  }

  #isAlive(owner: Owner | null): boolean {
    const writtenMs = lstatSync(this.#path, { throwIfNoEntry: false })?.mtimeMs
    if (writtenMs === undefined || Date.now() - writtenMs > STALE_AFTER_MS) return false
    // Unreadable but young: it is being written right now.
    return owner === null || isProcessAlive(owner, ownIds)
  }

  /** Moved away first, to see that it is the stale one: another process may have been faster. */
  #removeStale(seen: Owner | null): boolean {
    const moved = `${this.#path}.${randomUUID()}`
    try {
      renameSync(this.#path, moved)
    } catch {
      return true // Gone already; whoever creates it now wins.
    }
    const found = new OwnerFile(moved)
    const isTheStaleOne = found.#read()?.id === seen?.id
    if (!isTheStaleOne) found.#giveBack(this.#path)
    rmSync(moved, { recursive: true, force: true })
    return isTheStaleOne
  }

  #giveBack(path: string): void {
    try {
      writeFileSync(path, readFileSync(this.#path), { mode: 0o600, flag: 'wx' })
    } catch {
      // A third process was faster; the owner finds out at its next heartbeat.
    }
  }
}

/** Whether the owner still runs; of a process on another machine (a shared home) only its heartbeat can tell. */
function isProcessAlive({ id, pid, host }: Owner, ownIds: ReadonlySet<string>): boolean {
  if (host !== hostname()) return true
  if (pid === process.pid) return ownIds.has(id)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is there, but another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
