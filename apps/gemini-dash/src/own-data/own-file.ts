import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expectTrustedFolder, replaceFile } from '@gemini-dash/session-index'
import { AWAY_ADVICE, describeAway, isAway } from './data-folder.ts'

/**
 * Says what is wrong with a file of the data folder, or with the folder (`about`), in a sentence; null: that is over.
 * `data-damaged`: what it said was restored or is lost; `data-not-kept`: changes are refused for now.
 */
export type TellDataProblem = (
  problem: string | null,
  about: string,
  code: 'data-damaged' | 'data-not-kept',
) => void

/** For whoever only prints: each sentence once. */
export function asNotes(print: (sentence: string) => void): TellDataProblem {
  const printed = new Set<string>()
  return (problem) => {
    if (problem !== null && !printed.has(problem)) print(problem)
    printed.add(problem ?? '')
  }
}

/** What was found where one of our files should be. */
export type Found =
  | { kind: 'absent' }
  | { kind: 'file'; bytes: Buffer }
  /** No file of ours: `is` says what, as `a folder` or `larger than 16 MB`. */
  | { kind: 'misplaced'; is: string }
  | Unreadable

/** What the file holds is not known. */
export interface Unreadable {
  kind: 'unreadable'
  /** The file, or its folder where more than this file is not read. */
  about: string
  /** `Nothing of the data folder is read`; null: only this file is not. */
  lead: string | null
  /** `/d/views.json may not be read by this user` */
  reason: string
  /** `run "chmod u+rw /d/views.json"` */
  advice: string
}

/** The version of the format of all files. */
export const FORMAT_VERSION = 1
/** There is none, or its folder is a file. */
const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR'])
/** Damaged states that are kept of each file. */
const MAX_ASIDES = 5
const LONGEST_BEGINNING = 256
const MB = 1024 * 1024

/** Never waits, whatever is there: a pipe has no end. */
export function readOwnFile(file: string, maxBytes: number): Found {
  const folder = dirname(file)
  if (isAway(folder)) return ofFolder(folder, describeAway(folder), AWAY_ADVICE)
  try {
    const kind = kindOf(statSync(file))
    if (kind !== null) return { kind: 'misplaced', is: kind }
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ELOOP' || (code === 'ENOENT' && isLink(file)))
      return { kind: 'misplaced', is: 'a link that leads nowhere' }
    return MISSING.has(code) ? { kind: 'absent' } : unreadableFolder(folder, error)
  }
  try {
    expectTrustedFolder(folder)
  } catch (error) {
    return unreadableFolder(folder, error)
  }
  try {
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const isLarge = fstatSync(descriptor).size > maxBytes
      return isLarge
        ? { kind: 'misplaced', is: `larger than ${maxBytes / MB} MB` }
        : { kind: 'file', bytes: readFileSync(descriptor) }
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    return unreadableFile(file, error)
  }
}

/** null: an ordinary file. */
function kindOf(stats: Stats): string | null {
  if (stats.isFile()) return null
  if (stats.isDirectory()) return 'a folder'
  return stats.isFIFO() ? 'a pipe' : 'a device or a socket'
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink()
  } catch {
    return false
  }
}

function ofFolder(folder: string, reason: string, advice: string): Unreadable {
  return { kind: 'unreadable', about: folder, lead: 'Nothing of the data folder is read', reason, advice }
}

function unreadableFolder(folder: string, error: unknown): Unreadable {
  const uid = process.getuid?.()
  if (codeOf(error) !== 'EACCES' || uid === undefined)
    return ofFolder(folder, reasonOf(error), 'make it a folder that only you can write to')
  return ownerOf(folder) === uid
    ? ofFolder(folder, `${folder} may not be read by this user`, `run "chmod u+rwx ${folder}"`)
    : ofFolder(folder, `${folder} belongs to another user`, `run "sudo chown -R ${ownName(uid)} ${folder}"`)
}

/** One run with `sudo` leaves several files of root behind: one sentence for all of them. */
function unreadableFile(file: string, error: unknown): Unreadable {
  const kind = 'unreadable'
  const uid = process.getuid?.()
  const owner = ownerOf(file)
  if (codeOf(error) !== 'EACCES' || uid === undefined || owner === undefined)
    return { kind, about: file, lead: null, reason: reasonOf(error), advice: 'check the disk' }
  if (owner === uid) {
    const reason = `${file} may not be read by this user`
    return { kind, about: file, lead: null, reason, advice: `run "chmod u+rw ${file}"` }
  }
  const folder = dirname(file)
  const foreign = readdirSync(folder).filter((name) => ownerOf(join(folder, name)) !== uid)
  return {
    kind,
    about: folder,
    lead: 'Some of your stars, notes, names and prices could not be read',
    reason: `${foreign.join(', ')} in ${folder} belong to another user`,
    advice: `run "sudo chown -R ${ownName(uid)} ${folder}"`,
  }
}

/** `what`: what the file holds, as in `The views that you named`. */
function describeUnreadable({ lead, reason, advice }: Unreadable, what: string): string {
  return `${lead ?? `${what} could not be read`}: ${reason}. To go on, ${advice}; until then changes are refused.`
}

function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid
  } catch {
    return undefined
  }
}

function ownName(uid: number): string {
  try {
    return userInfo().username
  } catch {
    return String(uid)
  }
}

/** Why a file cannot be changed now. Told when it starts, and when it is over. */
export class Hindrance {
  readonly #file: string
  readonly #tell: TellDataProblem
  #now: { problem: string; about: string } | null = null

  constructor(file: string, tell: TellDataProblem) {
    this.#file = file
    this.#tell = tell
  }

  set(problem: string, about = this.#file): void {
    if (this.#now?.problem === problem) return
    this.clear()
    this.#now = { problem, about }
    this.#tell(problem, about, 'data-not-kept')
  }

  setUnreadable(found: Unreadable, what: string): void {
    this.set(describeUnreadable(found, what), found.about)
  }

  setLater(): void {
    this.set(
      `${this.#file} was written by a later version of gemini-dash and is not used. Changes are refused until that version runs again, or the file is moved away.`,
    )
  }

  clear(): void {
    if (this.#now !== null) this.#tell(null, this.#now.about, 'data-not-kept')
    this.#now = null
  }

  /** @throws why nothing can be changed */
  expectNone(): void {
    if (this.#now !== null) throw new Error(this.#now.problem)
  }
}

/**
 * Writes all of them or none: what a disk has no room for is found out before anything is replaced. Another process sees the
 * old file or the new one, never a part. `beforeReplacing` is called when everything is on the disk.
 */
export function writeWhole(
  files: readonly string[],
  content: string | Uint8Array,
  beforeReplacing: () => void = () => {},
): void {
  const parts = files.map((file) => [`${file}.new`, file] as const)
  try {
    for (const [part] of parts) writePart(part, content)
    beforeReplacing()
    for (const [part, file] of parts) {
      if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) putAside(file)
      replaceFile(part, file)
    }
  } catch (error) {
    for (const [part] of parts) rmSync(part, { force: true, recursive: true })
    throw error
  }
}

function writePart(part: string, content: string | Uint8Array): void {
  // of one that was killed
  rmSync(part, { force: true, recursive: true })
  const descriptor = openSync(part, 'wx', 0o600)
  try {
    writeFileSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Where the same content is kept once more. */
export function copyOf(file: string): string {
  return `${file}.copy`
}

/** A file and its copy; not a copy that a later version wrote: it may be all that there is of what was said there. */
export function withCopy(file: string): string[] {
  const copy = copyOf(file)
  const found = readOwnFile(copy, Number.MAX_SAFE_INTEGER)
  const beginning = found.kind === 'file' ? found.bytes.toString('latin1', 0, LONGEST_BEGINNING) : ''
  const version = Number(/"version": ?(\d+)/.exec(beginning)?.[1] ?? FORMAT_VERSION)
  return version > FORMAT_VERSION ? [file] : [copy, file]
}

/** When the copy was written, for people. */
export function timeOfCopy(file: string): string {
  const writtenMs = statSync(copyOf(file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return `${new Date(writtenMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Damaged bytes are not ours to destroy. Returns where they are now. @throws where they cannot be moved */
export function putAside(file: string): string {
  const taken = new Set(asidesOf(file))
  let place = `${file}.damaged-${Date.now()}`
  while (taken.has(place)) place += '-again'
  renameSync(file, place)
  for (const old of asidesOf(file).slice(0, -MAX_ASIDES)) rmSync(old, { recursive: true, force: true })
  return place
}

/** What was put aside of a file, oldest first. */
export function asidesOf(file: string): string[] {
  const beginning = `${basename(file)}.damaged-`
  const names = readdirSync(dirname(file)).filter((name) => name.startsWith(beginning))
  return names.sort().map((name) => join(dirname(file), name))
}

/** Changes with every writing of the file; empty if there is none. */
export function fileIdentity(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
  } catch (error) {
    const isMissing = MISSING.has(codeOf(error)) && !isAway(dirname(file)) && !isLink(file)
    return isMissing ? '' : reasonOf(error)
  }
}

/** Of what JSON says, however it is laid out. 66 bits. */
export function sumOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 11)
}

/** undefined: it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
