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
import { basename, dirname, join } from 'node:path'
import { replaceFile } from '@gemini-dash/session-index'

/**
 * Told of what is wrong with a file (or folder) of a person, in a sentence; null: that holds no longer. The same sentence is
 * told once.
 */
export type TellProblem = (problem: string | null, file: string) => void

/** What stands where a file of ours is looked for. */
export type Found =
  | { kind: 'absent' }
  | { kind: 'file'; bytes: Buffer }
  /** Something that is no file of ours: `a folder`, `larger than 16 MB`. */
  | { kind: 'misplaced'; is: string }
  /** The system does not let us read it now; what it holds is not known. */
  | { kind: 'unreadable'; reason: string }

/** There is none, or its folder is a file. */
const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR'])
const KEPT_ASIDE = 5
/** Of all that are kept there. */
export const FORMAT_VERSION = 1
const LONGEST_BEGINNING = 256
const MB = 1024 * 1024

/** Never waits, whatever stands there. */
export function readOwnFile(file: string, maxBytes: number): Found {
  try {
    const kind = kindOf(statSync(file))
    if (kind !== null) return { kind: 'misplaced', is: kind }
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
    const code = codeOf(error)
    if (code === 'ELOOP' || (code === 'ENOENT' && isLink(file)))
      return { kind: 'misplaced', is: 'a link that leads nowhere' }
    return MISSING.has(code) ? { kind: 'absent' } : { kind: 'unreadable', reason: reasonOf(error) }
  }
}

/** null: an ordinary file. */
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

/** Another process sees the old file or the new one, never a part. Of those that write, one at a time does. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const part = `${file}.new`
  try {
    // of one that was killed
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

/** Where the last good content of a file is kept. */
export function copyOf(file: string): string {
  return `${file}.copy`
}

/**
 * Without its copy a file is whole all the same, and the next change tries again. That of a later version is left alone: it
 * may be all that there is of what was written there.
 */
export function writeCopy(file: string, content: string | Uint8Array): void {
  try {
    const copy = copyOf(file)
    const found = readOwnFile(copy, Number.MAX_SAFE_INTEGER)
    if (found.kind === 'file' && isOfLaterVersion(found.bytes)) return
    if (found.kind === 'misplaced') putAside(copy)
    writeWhole(copy, content)
  } catch {
    // The disk is full or closed to us.
  }
}

/** Of any of our files: each begins with the version of its format. */
function isOfLaterVersion(bytes: Buffer): boolean {
  const [, version] = /"version": ?(\d+)/.exec(bytes.toString('latin1', 0, LONGEST_BEGINNING)) ?? []
  return Number(version ?? FORMAT_VERSION) > FORMAT_VERSION
}

/** Damaged bytes are nobody's to destroy. Answers where they are now. @throws where they cannot be moved */
export function putAside(file: string): string {
  let place = `${file}.damaged-${Date.now()}`
  for (let another = 2; existsSync(place); another += 1) place = `${file}.damaged-${Date.now()}-${another}`
  renameSync(file, place)
  for (const old of asidesOf(file).slice(0, -KEPT_ASIDE)) rmSync(old, { recursive: true, force: true })
  return place
}

/** What was put aside of a file, the oldest first. */
export function asidesOf(file: string): string[] {
  const beginning = `${basename(file)}.damaged-`
  const names = readdirSync(dirname(file)).filter((name) => name.startsWith(beginning))
  return names.sort().map((name) => join(dirname(file), name))
}

/** When the copy was written, for people. */
export function timeOf(file: string): string {
  const writtenMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return `${new Date(writtenMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Changes with every writing of the file; empty if there is none. */
export function fileIdentity(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
  } catch (error) {
    return MISSING.has(codeOf(error)) && !isLink(file) ? '' : reasonOf(error)
  }
}

/** Of what JSON says, however it is written. 66 bits. */
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

/** Why a file may not be changed just now. Told when it begins, and when it is over. */
export class Hindrance {
  readonly #file: string
  readonly #tell: TellProblem
  #problem: string | null = null

  constructor(file: string, tell: TellProblem) {
    this.#file = file
    this.#tell = tell
  }

  get is(): boolean {
    return this.#problem !== null
  }

  /** null: there is none. */
  set(problem: string | null): void {
    if (problem === this.#problem) return
    this.#problem = problem
    this.#tell(problem, this.#file)
  }

  setLater(): void {
    this.set(
      `${this.#file} was written by a later version of gemini-dash and is not used. Changes are refused until that version runs again, or the file is moved away.`,
    )
  }

  /** @throws why nothing may be changed */
  expectNone(): void {
    if (this.#problem !== null) throw new Error(this.#problem)
  }
}
