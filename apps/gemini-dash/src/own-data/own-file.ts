import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
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
import { replaceFile } from '@gemini-dash/session-index'

/**
 * Receives a problem with a file of the data folder, or with the folder itself (`about`), as a sentence; null: the problem is over.
 * `data-damaged`: content was restored or is lost; `data-not-kept`: changes are refused for now.
 */
export type TellProblem = (
  problem: string | null,
  about: string,
  code: 'data-damaged' | 'data-not-kept',
) => void

/** What was found at the path of one of our files. */
export type Found =
  | { kind: 'absent' }
  | { kind: 'file'; bytes: Buffer }
  /** Something other than our file: `a folder`, `larger than 16 MB`. */
  | { kind: 'misplaced'; is: string }
  | Unreadable

/** The system denies reading it at the moment; its content is unknown. */
export interface Unreadable {
  kind: 'unreadable'
  /** The file, or its folder if more than this file is unreadable. */
  about: string
  /** `The data folder can’t be read`; null: only this file is affected. */
  title: string | null
  /** `/d/views.json may not be read by this user` */
  reason: string
  /** `run "chmod u+rw /d/views.json"` */
  advice: string
}

/** The file does not exist, or its folder is a file. */
const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR'])
const KEPT_ASIDE = 5
/** Of all files stored there. */
export const FORMAT_VERSION = 1
const LONGEST_BEGINNING = 256
const MB = 1024 * 1024

/** Never blocks, whatever is at the path. */
export function readOwnFile(file: string, maxBytes: number): Found {
  const folder = dirname(file)
  try {
    const kind = kindOf(statSync(file))
    if (kind !== null) return { kind: 'misplaced', is: kind }
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ELOOP' || (code === 'ENOENT' && isLink(file)))
      return { kind: 'misplaced', is: 'a broken link' }
    return MISSING.has(code) ? { kind: 'absent' } : unreadableFolder(folder, error)
  }
  try {
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const { size } = fstatSync(descriptor)
      return size > maxBytes
        ? { kind: 'misplaced', is: `larger than ${maxBytes / MB} MB` }
        : { kind: 'file', bytes: readFileSync(descriptor) }
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    return MISSING.has(codeOf(error)) ? { kind: 'absent' } : unreadableFile(file, error)
  }
}

function unreadableFolder(folder: string, error: unknown): Unreadable {
  const all = { kind: 'unreadable', about: folder, title: 'The data folder can’t be read' } as const
  const uid = process.getuid?.()
  if (codeOf(error) !== 'EACCES' || uid === undefined)
    return { ...all, reason: reasonOf(error), advice: 'make it a folder that only you can write to' }
  return ownerOf(folder) === uid
    ? { ...all, reason: `${folder} may not be read by this user`, advice: `run "chmod u+rwx ${folder}"` }
    : {
        ...all,
        reason: `${folder} belongs to another user`,
        advice: `run "sudo chown -R ${ownName(uid)} ${folder}"`,
      }
}

/** One run with `sudo` leaves several files owned by root: one sentence for all of them. */
function unreadableFile(file: string, error: unknown): Unreadable {
  const own = { kind: 'unreadable', about: file, title: null } as const
  const uid = process.getuid?.()
  const owner = ownerOf(file)
  if (codeOf(error) !== 'EACCES' || uid === undefined || owner === undefined)
    return { ...own, reason: reasonOf(error), advice: 'check the disk' }
  if (owner === uid)
    return { ...own, reason: `${file} may not be read by this user`, advice: `run "chmod u+rw ${file}"` }
  const folder = dirname(file)
  const foreign = readdirSync(folder).filter((name) => ownerOf(join(folder, name)) !== uid)
  return {
    ...own,
    about: folder,
    title: 'Some of your stars, notes, names and prices could not be read',
    reason: `${foreign.join(', ')} in ${folder} belong to another user`,
    advice: `run "sudo chown -R ${ownName(uid)} ${folder}"`,
  }
}

/** `what`: the content of the file, as in `The views that you named`. */
export function describeUnreadable({ title, reason, advice }: Unreadable, what: string): string {
  return `${title ?? `${what} could not be read`}: ${reason}. To fix this, ${advice}; until then changes are refused.`
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

/** null: a regular file. */
function kindOf(stats: Stats): string | null {
  if (stats.isFile()) return null
  if (stats.isDirectory()) return 'a folder'
  return stats.isFIFO() ? 'a pipe' : 'a device or socket'
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink()
  } catch {
    return false
  }
}

/** Other processes see the old file or the new one, never a part. Callers must not write concurrently. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const part = `${file}.new`
  try {
    // left by a killed process
    rmSync(part, { force: true, recursive: true })
    const descriptor = openSync(part, 'wx', 0o600)
    try {
      writeFileSync(descriptor, content)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    replaceFile(part, file)
  } catch (error) {
    rmSync(part, { force: true, recursive: true })
    throw error
  }
}

/** Path of the copy with a file's last good content. */
export function copyOf(file: string): string {
  return `${file}.copy`
}

/**
 * A failure is ignored: the file is complete without its copy, and the next change tries again. A copy of a later version is left alone: it
 * may be all that is left of what that version wrote.
 */
export function writeCopy(file: string, content: string | Uint8Array): void {
  try {
    const copy = copyOf(file)
    const found = readOwnFile(copy, Number.MAX_SAFE_INTEGER)
    if (found.kind === 'file' && isOfLaterVersion(found.bytes)) return
    if (found.kind === 'misplaced') putAside(copy)
    writeWhole(copy, content)
  } catch {
    // The disk is full or not writable.
  }
}

/** Works for all our files: each begins with the version of its format. */
function isOfLaterVersion(bytes: Buffer): boolean {
  const [, version] = /"version": ?(\d+)/.exec(bytes.toString('latin1', 0, LONGEST_BEGINNING)) ?? []
  return Number(version ?? FORMAT_VERSION) > FORMAT_VERSION
}

/** Never deletes damaged content. Returns its new path. @throws if it cannot be moved */
export function putAside(file: string): string {
  let place = `${file}.damaged-${Date.now()}`
  for (let another = 2; existsSync(place); another += 1) place = `${file}.damaged-${Date.now()}-${another}`
  renameSync(file, place)
  for (const old of asidesOf(file).slice(0, -KEPT_ASIDE)) rmSync(old, { recursive: true, force: true })
  return place
}

/** Files put aside for a file, oldest first. */
export function asidesOf(file: string): string[] {
  const beginning = `${basename(file)}.damaged-`
  const names = readdirSync(dirname(file)).filter((name) => name.startsWith(beginning))
  return names.sort().map((name) => join(dirname(file), name))
}

/** When the file was written, formatted for people. */
export function timeOf(file: string): string {
  const writtenMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return `${new Date(writtenMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Changes with every write of the file; empty if there is none. */
export function fileIdentity(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
  } catch (error) {
    return MISSING.has(codeOf(error)) && !isLink(file) ? '' : reasonOf(error)
  }
}

/** Depends on the JSON value, not on its formatting. 66 bits. */
export function sumOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 11)
}

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

/** Why a file may not be changed at the moment. Reported when it begins and when it is over. */
export class Hindrance {
  readonly #file: string
  readonly #tell: TellProblem
  #now: { problem: string; about: string } | null = null

  constructor(file: string, tell: TellProblem) {
    this.#file = file
    this.#tell = tell
  }

  get is(): boolean {
    return this.#now !== null
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

  /** @throws with the reason why changes are refused */
  expectNone(): void {
    if (this.#now !== null) throw new Error(this.#now.problem)
  }
}
