import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import { isFolder } from '../paths.ts'
import { CliError } from '../terminal/cli-error.ts'

/** A file that the user wants to see, from any source. */
export interface HandedFile {
  /** As used in messages: its path as given, or its path in a zip or folder that was given. */
  name: string
  /** Its file name, and the name of its folder; '' if none. */
  baseName: string
  folder: string
  /** Name of its project, if known from elsewhere. */
  project?: string
  sizeBytes: number
  modifiedMs: number
  /** Absolute path of a file on disk; null: the content is in `bytes`. */
  path: string | null
  bytes: Uint8Array | null
}

/** Enough of a file to recognize its type. */
const HEAD_BYTES = 64 * 1024
/** Below a given folder: `tmp/<project>/chats/<parent>/<file>`, and one more. */
const MOST_LEVELS = 6
const MOST_FILES = 10_000
const READABLE = /\.jsonl?(\.unreadable-\d+)?$/i

/** A folder is searched for `.json` and `.jsonl`; links in it are not followed. */
export interface GivenPath {
  /** The user named this very file: the reason why it cannot be opened is printed. */
  isNamed: boolean
  files: Iterable<HandedFile> | AsyncIterable<HandedFile>
}

/** The files at one path. @throws CliError if there is nothing that can be opened */
export function handedFiles(given: string, limits: ZipLimits): GivenPath {
  const path = tryTo(given, () => realpathSync(given))
  const stats = tryTo(given, () => statSync(path))
  if (stats.isDirectory()) return { isNamed: false, files: filesInFolder(given, path) }
  if (!stats.isFile())
    throw new CliError(
      1,
      `${given} is not a file: it is a pipe, a socket or a device.`,
      'Save it to a file first.',
    )
  const file = fileOnDisk(given, path, stats)
  if (!isZip(firstBytes(file))) return { isNamed: true, files: [file] }
  const bytes = tryTo(given, () => {
    if (stats.size > limits.zipBytes) throw limits.tooLarge(given)
    return readFileSync(path)
  })
  return { isNamed: false, files: zipFiles(given, bytes, limits) }
}

/** The first bytes, which identify the type of a file. */
export function firstBytes({ name, path, bytes }: HandedFile): Uint8Array {
  if (bytes !== null || path === null) return (bytes ?? new Uint8Array()).subarray(0, HEAD_BYTES)
  return tryTo(name, () => {
    const descriptor = openSync(path, 'r')
    try {
      const head = new Uint8Array(HEAD_BYTES)
      return head.subarray(0, readSync(descriptor, head, 0, HEAD_BYTES, 0))
    } finally {
      closeSync(descriptor)
    }
  })
}

function* filesInFolder(given: string, path: string): Generator<HandedFile> {
  if (basename(path) === '.gemini' || isHome(join(path, '.gemini')) || isHome(path))
    throw new CliError(
      1,
      `${given} is a Gemini folder, not a folder of session files.`,
      `Open it with: gemini-dash --home ${given}`,
    )
  let count = 0
  for (const inner of walk(path, MOST_LEVELS)) {
    count += 1
    if (count > MOST_FILES)
      throw new CliError(1, `${given} has more than 10,000 files.`, 'Choose a subfolder.')
    const stats = lstatSync(inner, { throwIfNoEntry: false })
    if (stats?.isFile()) yield fileOnDisk(join(given, inner.slice(path.length + 1)), inner, stats)
  }
}

function* walk(folder: string, levels: number): Generator<string> {
  const entries = tryTo(folder, () => readdirSync(folder, { withFileTypes: true }))
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && levels > 1) yield* walk(path, levels - 1)
    else if (entry.isFile() && READABLE.test(entry.name) && !entry.name.startsWith('.')) yield path
  }
}

function fileOnDisk(name: string, path: string, stats: { size: number; mtimeMs: number }): HandedFile {
  return {
    name,
    ...{ baseName: basename(path), folder: basename(dirname(path)) },
    ...{ sizeBytes: stats.size, modifiedMs: stats.mtimeMs, path, bytes: null },
  }
}

/** A project may have a `tmp` and a `.gemini` of its own. */
function isHome(path: string): boolean {
  const tmp = join(path, 'tmp')
  return isFolder(tmp) && readdirSync(tmp).some((name) => existsSync(join(tmp, name, 'chats')))
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'there is no such file or folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ELOOP: 'it is a link that points to itself',
}

function tryTo<Result>(name: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof CliError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error))
    throw new CliError(1, `${name} could not be opened: ${reason}.`)
  }
}

/** Limits of a zip. */
export interface ZipLimits {
  /** Size of the zip itself. */
  zipBytes: number
  /** Unpacked size of one file in it, and of all of them. */
  fileBytes: number
  allBytes: number
  /** The error for a file that exceeds its limit. */
  tooLarge: (name: string) => CliError
}

const MOST_ENTRIES = 10_000
/** Logs with many equal lines are compressed to a hundredth; a zip bomb to a thousandth. */
const MOST_RATIO = 300
/** Below this size the ratio does not matter. */
const SMALL_BYTES = 1024 * 1024

const END_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const LONGEST_COMMENT = 65_535
const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 1
const LINK_MODE = 0o120000
const TYPE_MODE = 0o170000

export function isZip(head: Uint8Array): boolean {
  if (head.length < 4) return false
  const signature = Buffer.from(head.buffer, head.byteOffset, 4).readUInt32LE(0)
  return signature === LOCAL_SIGNATURE || signature === END_SIGNATURE
}

/**
 * The `.json` and `.jsonl` files of a zip, one after the other. Names are used only as labels, never as paths to write to, so no name can
 * escape a folder. Links are left out.
 *
 * @throws CliError if it is not a complete zip, or exceeds `limits`
 */
export async function* zipFiles(zip: string, bytes: Buffer, limits: ZipLimits): AsyncGenerator<HandedFile> {
  const entries = readEntries(zip, bytes)
  const wanted = entries.filter(
    ({ name, isLink }) => READABLE.test(name) && !isLink && !/(^__MACOSX\/|(^|\/)\.[^/]*$)/.test(name),
  )
  checkSizes(zip, wanted, limits)
  for (const entry of wanted) {
    const content = await unpack(zip, bytes, entry)
    const parts = entry.name.split(/[/\\]/)
    yield {
      name: `${entry.name} in ${zip}`,
      ...{ baseName: parts.at(-1) ?? '', folder: parts.at(-2) ?? '' },
      ...{ sizeBytes: content.length, modifiedMs: entry.modifiedMs, path: null, bytes: content },
    }
  }
}

interface ZipEntry {
  name: string
  method: number
  isEncrypted: boolean
  isLink: boolean
  packedBytes: number
  sizeBytes: number
  crc: number
  /** Offset of its local header. */
  offset: number
  modifiedMs: number
}

/** The entries of the central directory. */
function readEntries(zip: string, bytes: Buffer): ZipEntry[] {
  const end = findEnd(bytes)
  if (end === -1) throw damaged(zip, 'its end is missing')
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  if (count === 0xffff || at === 0xffffffff)
    throw damaged(zip, 'it has more than 65,535 files or 4 GB (zip64)')
  if (count > MOST_ENTRIES)
    throw new CliError(
      1,
      `${zip} has ${count} files; at most 10,000 are opened.`,
      'Unpack it and open the folder.',
    )
  const entries: ZipEntry[] = []
  for (let number = 0; number < count; number += 1) {
    if (at + ENTRY_BYTES > bytes.length || bytes.readUInt32LE(at) !== ENTRY_SIGNATURE)
      throw damaged(zip, 'its list of files is damaged')
    const nameBytes = bytes.readUInt16LE(at + 28)
    entries.push({
      name: bytes.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes),
      method: bytes.readUInt16LE(at + 10),
      isEncrypted: (bytes.readUInt16LE(at + 8) & ENCRYPTED) !== 0,
      isLink: ((bytes.readUInt32LE(at + 38) >>> 16) & TYPE_MODE) === LINK_MODE,
      packedBytes: bytes.readUInt32LE(at + 20),
      sizeBytes: bytes.readUInt32LE(at + 24),
      crc: bytes.readUInt32LE(at + 16),
      offset: bytes.readUInt32LE(at + 42),
      modifiedMs: timeOf(bytes.readUInt16LE(at + 12), bytes.readUInt16LE(at + 14)),
    })
    at += ENTRY_BYTES + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

/** A comment may follow it. */
function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - END_BYTES - LONGEST_COMMENT)
  for (let at = bytes.length - END_BYTES; at >= first; at -= 1)
    if (bytes.readUInt32LE(at) === END_SIGNATURE) return at
  return -1
}

/** A DOS time, without a time zone. */
function timeOf(time: number, date: number): number {
  return new Date(
    ...([(date >> 9) + 1980, ((date >> 5) & 15) - 1, date & 31] as const),
    ...([time >> 11, (time >> 5) & 63, (time & 31) * 2] as const),
  ).getTime()
}

/** Before anything is unpacked; unpacking then never exceeds the declared size. */
function checkSizes(zip: string, entries: readonly ZipEntry[], { fileBytes, allBytes, tooLarge }: ZipLimits) {
  let sum = 0
  for (const { name, packedBytes, sizeBytes } of entries) {
    sum += sizeBytes
    if (sizeBytes > fileBytes || sum > allBytes) throw tooLarge(zip)
    if (sizeBytes > SMALL_BYTES && sizeBytes > packedBytes * MOST_RATIO)
      throw new CliError(
        1,
        `${name} in ${zip} would unpack to more than ${MOST_RATIO} times its size, like a zip bomb.`,
        'If you trust it, unpack it and open the folder.',
      )
  }
}

const inflate = promisify(inflateRaw)

async function unpack(zip: string, bytes: Buffer, entry: ZipEntry): Promise<Buffer> {
  const { name, method, isEncrypted, packedBytes, sizeBytes, crc, offset } = entry
  if (isEncrypted)
    throw new CliError(
      1,
      `${name} in ${zip} is encrypted.`,
      'Unpack it with its password and open the folder.',
    )
  if (offset + LOCAL_BYTES > bytes.length || bytes.readUInt32LE(offset) !== LOCAL_SIGNATURE)
    throw damaged(zip, `${name} in it is damaged`)
  const start = offset + LOCAL_BYTES + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  const packed = bytes.subarray(start, start + packedBytes)
  if (method !== STORED && method !== DEFLATED)
    throw new CliError(
      1,
      `${name} in ${zip} uses an unknown compression method.`,
      'Unpack it and open the folder.',
    )
  try {
    const content =
      method === STORED ? packed : await inflate(packed, { maxOutputLength: Math.max(1, sizeBytes) })
    if (content.length === sizeBytes && crc32(content) === crc) return content
  } catch {
    // it is damaged, or larger than declared
  }
  throw damaged(zip, `${name} in it is damaged`)
}

function damaged(zip: string, reason: string): CliError {
  return new CliError(
    1,
    `${zip} cannot be unpacked: ${reason}.`,
    'Download it again, or unpack it with another program and open the folder.',
  )
}
