import { randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, parse, resolve, sep } from 'node:path'
import { z } from 'zod'
import type { FolderOwner } from './folder-owner.ts'

const HEARTBEAT_MS = 5_000

export type FolderClaim =
  | { kind: 'owned'; owner: FolderOwner; isOurs: () => boolean; release: () => void }
  /** Another living process has it. */
  | { kind: 'taken' }
  /** It cannot be used at all. */
  | { kind: 'unusable'; reason: string }

/**
 * Makes this process the only one that uses the folder, if no living one does already. `onLost` is called
 * when the folder was taken away or replaced, or another process took it because this one had been suspended for too long:
 * at the next heartbeat, or before `isOurs` answers, whichever looks first.
 */
export function claimFolder(directory: string, onLost: () => void): FolderClaim {
  const ownerFile = join(directory, 'owner.json')
  const file = new OwnerFile(ownerFile)
  const owner = { id: randomUUID(), pid: process.pid, host: hostname() }
  try {
    openTrustedFolder(directory)
    if (!file.claim(owner)) return { kind: 'taken' }
  } catch (error) {
    return { kind: 'unusable', reason: error instanceof Error ? error.message : String(error) }
  }
  let isLost = false
  const look = (isThere: boolean) => {
    if (isThere || isLost) return
    isLost = true
    clearInterval(heartbeat)
    onLost()
  }
  const heartbeat = setInterval(() => look(file.beat(owner)), HEARTBEAT_MS)
  heartbeat.unref()
  return {
    kind: 'owned',
    owner: { file: ownerFile, id: owner.id },
    isOurs: () => {
      look(file.isOf(owner))
      return !isLost
    },
    release: () => {
      clearInterval(heartbeat)
      file.release(owner)
    },
  }
}

const ownerSchema = z.object({ id: z.string(), pid: z.number(), host: z.string() })
type Owner = z.infer<typeof ownerSchema>

/** A heartbeat older than this is that of a process that is gone, whatever has its number now. */
export const STALE_AFTER_MS = 30_000

/** Owners made by this very process: its own number proves nothing, as a container counts anew each time. */
const ownIds = new Set<string>()

/** Says which process uses a folder. Its modification time is the heartbeat. */
class OwnerFile {
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
      // a full disk: nobody is to wait for what says nothing
      rmSync(this.#path, { force: true })
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

/** As many links as a system follows itself. */
const MAX_LINKS = 40

/**
 * Makes the folder for this user only, if it is not there. Sessions hold secrets, and answers are made of what lies there:
 * nobody else may have laid the way to it or be able to write into it. Links of this user's own or the system's are ordinary.
 *
 * @throws with words that say why nothing can be kept in it
 */
export function openTrustedFolder(directory: string): void {
  const path = resolve(directory)
  refuseForeignLinks(path, 0)
  makeFolder(path)
  expectOwn(path)
}

/** The same for who only reads: makes nothing, and asks for no right to write. @throws with words that say why nothing may be read in it */
export function expectTrustedFolder(directory: string): void {
  const path = resolve(directory)
  refuseForeignLinks(path, 0)
  expectOwn(path)
}

function expectOwn(path: string): void {
  const { uid, mode } = statSync(path)
  if (!isOurs(uid)) throw new Error(`${path} belongs to another user`)
  const isForAll = (mode & constants.S_IWOTH) !== 0 && (mode & STICKY) === 0
  if (isForAll && process.getuid !== undefined) throw new Error(`everybody may write to ${path}`)
}

/** In such a folder nobody moves or removes what is another's. */
const STICKY = 0o1000

/** Each part of the way, and of the ways that its links name. */
function refuseForeignLinks(path: string, links: number): void {
  const { root } = parse(path)
  let place = root
  for (const name of path.slice(root.length).split(sep)) {
    const next = join(place, name)
    const stats = lstatQuietly(next)
    if (stats?.isSymbolicLink() !== true) {
      place = next
      continue
    }
    if (!isOurs(stats.uid)) throw new Error(`${next} is a link that another user made`)
    if (links >= MAX_LINKS) throw new Error(`${next} is a link that leads nowhere`)
    place = resolve(place, readlinkSync(next))
    refuseForeignLinks(place, links + 1)
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.W_OK)
  } catch (error) {
    const code = codeOf(error) === 'ENOENT' ? whyNotBelow(dirname(path)) : codeOf(error)
    const file = code === 'ENOTDIR' || code === 'EEXIST' ? fileOnTheWay(path) : null
    if (file !== null) throw new Error(`${file} is a file, not a folder`)
    throw new Error(`${path} ${REASONS[code] ?? `cannot be used: ${String(error)}`}`)
  }
}

/** Of a folder that cannot be made with all above it, the system says only that something is missing. */
function whyNotBelow(path: string): string {
  try {
    accessSync(path, constants.W_OK)
    return 'ENOENT'
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT' && dirname(path) !== path
    return isMissing ? whyNotBelow(dirname(path)) : codeOf(error)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

const REASONS: Record<string, string> = {
  EACCES: 'may not be written to by this user',
  EPERM: 'may not be written to by this user',
  EROFS: 'is on a disk that can only be read',
  ENOSPC: 'is on a disk that is full',
  EDQUOT: 'is on a disk on which this user has no room left',
}

function fileOnTheWay(path: string): string | null {
  const stats = lstatQuietly(path)
  if (stats !== undefined) return stats.isDirectory() ? null : path
  return dirname(path) === path ? null : fileOnTheWay(dirname(path))
}

function lstatQuietly(path: string) {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

/** This user's or the system's. */
function isOurs(uid: number): boolean {
  const user = process.getuid?.()
  return user === undefined || uid === user || uid === 0
}
