import { accessSync, constants, lstatSync, mkdirSync, readlinkSync, statSync } from 'node:fs'
import { dirname, join, parse, resolve, sep } from 'node:path'
import type { FolderOwner } from './folder-owner.ts'
import { newOwner, OwnerFile } from './owner-file.ts'

const HEARTBEAT_MS = 5_000

export type FolderClaim =
  | { kind: 'owned'; owner: FolderOwner; isOurs: () => boolean; release: () => void }
  /** Another running process has it; null: unknown which one. */
  | { kind: 'taken'; pid: number | null }
  /** It cannot be used at all. */
  | { kind: 'unusable'; reason: string }

/**
 * Makes this process the only user of the folder, if no running one is. `onLost` is called if the folder was removed or replaced, or if
 * another process took it because this one had been suspended for too long: at the next heartbeat, or before `isOurs` returns, whichever
 * comes first.
 */
export function claimFolder(directory: string, onLost: () => void): FolderClaim {
  const ownerFile = join(directory, 'owner.json')
  const file = new OwnerFile(ownerFile)
  const owner = newOwner()
  try {
    openTrustedFolder(directory)
    if (!file.claim(owner)) return { kind: 'taken', pid: file.read()?.pid ?? null }
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

/** The number of links that a system follows. */
const MAX_LINKS = 40

/**
 * Creates the folder for this user only, if it does not exist. Sessions contain secrets, and answers are made from its contents: nobody
 * else may control the path to it or write to it. Links of this user or the system are accepted.
 *
 * @throws with a message why nothing can be stored in it
 */
export function openTrustedFolder(directory: string): void {
  const path = resolve(directory)
  refuseForeignLinks(path, 0)
  makeFolder(path)
  expectOwn(path)
}

/** The same for readers: creates nothing, and needs no write permission. @throws with a message why nothing may be read from it */
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

/** In such a folder, nobody can move or remove the files of others. */
const STICKY = 0o1000

/** Checks each part of the path, and of the paths its links point to. */
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

/** If a folder cannot be created with its parents, the system only reports that something is missing. */
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
  EROFS: 'is on a read-only disk',
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

/** Owned by this user or the system. */
function isOurs(uid: number): boolean {
  const user = process.getuid?.()
  return user === undefined || uid === user || uid === 0
}
