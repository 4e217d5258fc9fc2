import { createHash } from 'node:crypto'
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { HashText } from '../derive/sha256.ts'
import type { ByteRange } from '../parse/json/bytes.ts'
import { decodeFile } from '../parse/json/encoding.ts'

/** The used part of an open file, so that published declarations do not need Node's types. */
export interface OpenFile {
  fd: number
  read: (
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ) => Promise<{ bytesRead: number }>
  stat: {
    (): Promise<{ size: number }>
    (how: { bigint: true }): Promise<{ ino: bigint; size: bigint; mtimeNs: bigint }>
  }
}

/** Reads these bytes of a file; fewer if it ends before. */
export async function readBytes(handle: OpenFile, { start, end }: ByteRange): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(end - start)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, start + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

/**
 * Text of a small regular file (a marker, a registry, settings); null if it does not exist or cannot be read. `onFault`: receives the
 * system error code.
 */
export function readSmallFile(
  path: string,
  maxSizeBytes: number,
  onFault: (code: string) => void = () => {},
): string | null {
  let descriptor: number | null = null
  try {
    descriptor = openSync(path, READ_ONLY_FLAGS)
    const stats = fstatSync(descriptor)
    if (!stats.isFile() || stats.size > maxSizeBytes) return null
    return decodeFile(readFileSync(descriptor))
  } catch (error) {
    const code = faultCode(error)
    if (code !== null) onFault(code)
    return null
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

/** The same for a file found by a scan: if it is gone, this is reported as a fault, since it may come back unchanged. */
export function readFoundFile(
  path: string,
  maxSizeBytes: number,
  onFault: (code: string) => void,
): string | null {
  const text = readSmallFile(path, maxSizeBytes, onFault)
  if (text === null && !existsSync(path)) onFault('ENOENT')
  return text
}

/** Permanent conditions of a file, rather than temporary faults. */
const STATES = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENXIO', 'EINVAL', 'ENAMETOOLONG', 'EFBIG'])

/** A file cannot be read at the moment. */
export class ReadFault extends Error {
  override readonly name = 'ReadFault'
  readonly path: string
  readonly code: string

  /** @param path relative to the file's Gemini folder */
  constructor(path: string, code: string) {
    super(`The system refuses to read ${path} (${code}).`)
    this.path = path
    this.code = code
  }
}

/** The system error code of a fault that may go away or can be fixed (EACCES, EIO, EMFILE, ...); null for other errors. */
export function faultCode(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) && !STATES.has(code) ? code : null
}

/**
 * Flags for opening any file in a Gemini folder: never for writing, never through a link put there after the scan, never waiting for the
 * other end of a FIFO. Windows supports only the first.
 */
export const READ_ONLY_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Like `sha256Hex`, but twenty times as fast. */
export const hashText: HashText = (text) => createHash('sha256').update(text).digest('hex')

/** Accessing a name there makes an automounter connect to a host with that name. */
const NETWORK_FOLDER = /^\/(?:net|afs|Network)(?:\/|$)/

/**
 * Whether a path from a file may be accessed: absolute on this system, plain, and not on the network. For a UNC path, Windows would sign in
 * to any host in it.
 */
export function isLocalPath(path: string, platform: string = process.platform): boolean {
  if (path.length > 4096 || /\p{Cc}/u.test(path) || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) return false
  if (platform === 'win32') return /^[A-Za-z]:[\\/](?![\\/])/.test(path)
  return path.startsWith('/') && !path.startsWith('//') && !NETWORK_FOLDER.test(path)
}

/** A path with `/` on every system, as in the model and the API. */
export function toSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}

/** JSON as in settings files: allows `//` and block comments and trailing commas. undefined if invalid. */
export function parseJsonWithComments(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return parseLoosely(text)
  }
}

function parseLoosely(text: string): unknown {
  try {
    // Strings are matched first, so that nothing inside them is changed.
    const bare = text.replace(
      /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_, quoted) => quoted ?? ' ',
    )
    return JSON.parse(bare.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, quoted) => quoted ?? ''))
  } catch {
    return undefined
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'It is not there any more, or the folder of sessions that held it is not.',
  EACCES: 'The system does not allow to read this: permission denied.',
  EPERM: 'The system does not allow to read this: operation not permitted.',
  EIO: 'The disk reports an error while reading this.',
  ELOOP: 'This became a link after it was found; links are not followed.',
  EISDIR: 'This is a folder, not a file.',
  EMFILE: 'Too many files are open at once.',
  ENFILE: 'Too many files are open on this system.',
  ENXIO: 'This is a device or a pipe, not a file.',
}

/** An error not caused by a file's content: `code` is for programs, `message` for people. */
export class SessionsError extends Error {
  readonly code: 'no-home' | 'file-changed'

  constructor(code: SessionsError['code'], message: string) {
    super(message)
    this.name = 'SessionsError'
    this.code = code
  }
}

/** The reason for a system error in one sentence; null if the file or folder does not exist. */
export function explainSystemError(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  if (code === 'ENOENT' || code === 'ENOTDIR') return null
  return explainFault(code)
}

/** The same for a system error code such as `EACCES`. */
export function explainFault(code: string): string {
  return REASONS[code] ?? `The system refuses to read this (${code}).`
}

const CHUNK_BYTES = 1024 * 1024

/**
 * Reads from `start` up to `end`, or to the current end of the file, through one small buffer, which is only valid during the call. What is
 * appended meanwhile is left for the next reading, so that a busy writer cannot keep this running. Parsing a chunk takes longer than
 * reading it, so reading in another thread would only cost more.
 *
 * @param file a descriptor
 * @returns the position reached
 */
export async function readChunks(
  file: number,
  start: number,
  end: number,
  onChunk: (bytes: Uint8Array) => void,
  giveWay?: GiveWay,
): Promise<number> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, Math.max(end - start, 0)))
  const slice = new TimeSlice(giveWay)
  let position = start
  while (position < end) {
    const length = readSync(file, buffer, 0, Math.min(buffer.length, end - position), position)
    if (length === 0) break
    onChunk(buffer.subarray(0, length))
    position += length
    if (slice.isOver()) await slice.next()
  }
  return position
}

const SLICE_MS = 8

/** Awaited by long work between two slices; must let the event loop run. */
export type GiveWay = () => Promise<unknown>

/** Lets long synchronous work yield to the event loop: `if (slice.isOver()) await slice.next()`. */
export class TimeSlice {
  readonly #giveWay: GiveWay
  #startMs = performance.now()

  constructor(giveWay: GiveWay = setImmediate) {
    this.#giveWay = giveWay
  }

  isOver(): boolean {
    return performance.now() - this.#startMs > SLICE_MS
  }

  async next(): Promise<void> {
    await this.#giveWay()
    this.#startMs = performance.now()
  }
}
