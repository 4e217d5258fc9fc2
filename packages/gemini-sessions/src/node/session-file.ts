import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { StitchFile } from '../derive/files.ts'
import type { GroupClaims } from '../derive/identity.ts'
import { stitchGroup } from '../derive/stitch.ts'
import type { ParseIssueCode } from '../model/issue.ts'
import type { Message, Session } from '../model/message.ts'
import { detectEncoding } from '../parse/json/encoding.ts'
import { LargeTexts } from '../parse/large-texts.ts'
import { LiftedEntries } from '../parse/lift/lift.ts'
import type { ParsedFile } from '../parse/log.ts'
import { Problems } from '../parse/problems.ts'
import { parseSessionFile, SessionLogReader, toDamagedFile } from '../parse/session-file.ts'
import {
  explainSystemError,
  faultCode,
  type GiveWay,
  READ_ONLY_FLAGS,
  readChunks,
  SessionsError,
} from './files.ts'
import type { DiscoveredFile } from './scan/scan.ts'
import { endsAsBefore, type LogEnd, type PutAsideTexts, TextsInFile, writeStamp } from './texts.ts'

/**
 * The files of one group (see `groupFiles`), read repeatedly while some of them grow. `read` always returns the same as `readSessionGroup`.
 * One reading at a time.
 */
export class GrowingSessionGroup {
  readonly #options: GrowingFileOptions & { isReadOnce?: boolean }
  /** By absolute path. */
  #readers = new Map<string, GrowingSessionFile>()
  #putAside: { path: string; texts: PutAsideTexts }[] = []

  /** `isReadOnce`: keeps nothing for incremental reading. */
  constructor(options: GrowingFileOptions & { isReadOnce?: boolean } = {}) {
    this.#options = options
  }

  /** What the last `read` left in the files, by path. */
  get putAside(): readonly { path: string; texts: PutAsideTexts }[] {
    return this.#putAside
  }

  async read(files: readonly DiscoveredFile[], claims?: GroupClaims): Promise<Session[]> {
    const readers = new Map<string, GrowingSessionFile>()
    const read: StitchFile[] = []
    this.#putAside = []
    for (const file of files) {
      const reader = this.#readers.get(file.absolutePath) ?? new GrowingSessionFile(this.#options)
      readers.set(file.absolutePath, reader)
      const parsed = await reader.read(file)
      if (parsed === null) continue
      read.push(toStitchFile(file, parsed))
      this.#putAside.push({ path: file.path, texts: reader.putAside })
    }
    // Drops the data of deleted files.
    this.#readers = this.#options.isReadOnce ? new Map() : readers
    return stitchGroup(read, claims)
  }

  /**
   * Messages of the last `read` with all their texts.
   *
   * @throws SessionsError `file-changed` if a file was rewritten since
   */
  async restore(messages: readonly Message[]): Promise<Message[]> {
    let restored = [...messages]
    for (const { path, texts } of this.#putAside) {
      const filled = await texts.restore(restored)
      if (filled === null)
        throw new SessionsError('file-changed', `${path} was rewritten while it was read. Read it again.`)
      restored = filled
    }
    return restored
  }
}

const TAIL_BYTES = 64

/** What a `GrowingSessionFile` keeps in memory. */
export interface GrowingFileOptions {
  /** Large outputs, diffs and images are not kept: messages have short placeholders, until `putAside` restores the requested ones. */
  putsTextsAside?: boolean
  /** Awaited every few milliseconds during a reading, so that other work can run; default: one turn of the event loop. */
  giveWay?: GiveWay
}

/**
 * A log that is read repeatedly while the CLI appends to it: only new bytes are parsed, as long as the file is the same and its previous
 * content unchanged. Files of the older format are rewritten as a whole, so they are read as a whole.
 */
export class GrowingSessionFile {
  #putsTextsAside: boolean
  readonly #giveWay: GiveWay | undefined
  #texts: LargeTexts | null = null
  #putAside = new TextsInFile('', null, { stamp: '' })
  #reader: SessionLogReader | null = null
  #end: LogEnd = { inode: '', position: 0, tail: '' }
  /** Of everything before that end. */
  #checksum = 0

  constructor({ putsTextsAside = false, giveWay }: GrowingFileOptions = {}) {
    this.#putsTextsAside = putsTextsAside
    this.#giveWay = giveWay
  }

  /** What the last `read` left in the file. */
  get putAside(): PutAsideTexts {
    return this.#putAside
  }

  /** The current content of the file. null: it is gone. */
  async read(file: DiscoveredFile): Promise<ParsedFile | null> {
    const parsed = await this.#readNow(file)
    if (!this.#texts?.hasFlatResults) return parsed
    this.#putsTextsAside = false
    this.#reader = null
    return this.#readNow(file)
  }

  async #readNow(file: DiscoveredFile): Promise<ParsedFile | null> {
    if (!file.path.endsWith('.jsonl')) return this.#readWhole(file)
    try {
      const handle = await open(file.absolutePath, READ_ONLY_FLAGS)
      try {
        return await this.#readOn(handle, file)
      } finally {
        await handle.close()
      }
    } catch {
      this.#reader = null
      return this.#readWhole(file)
    }
  }

  async #readWhole(file: DiscoveredFile): Promise<ParsedFile | null> {
    const stamp = await stampOfFile(file)
    const parsed = await readWith(file, () => this.#createReader(file), this.#giveWay)
    this.#putAside = new TextsInFile(file.absolutePath, this.#texts, { stamp })
    return parsed
  }

  async #readOn(handle: FileHandle, file: DiscoveredFile): Promise<ParsedFile> {
    // of the open file, not of the found one: the CLI may have replaced it since
    const stats = await handle.stat({ bigint: true })
    const inode = String(stats.ino)
    if (this.#reader === null || inode !== this.#end.inode || !(await this.#isAsBefore(handle))) {
      this.#reader = this.#createReader(file)
      this.#end = { inode, position: 0, tail: '' }
      this.#checksum = 0
    }
    const reader = this.#reader
    let position = this.#end.position
    let tail = Buffer.from(this.#end.tail, 'base64')
    const take = (bytes: Uint8Array): void => {
      reader.append(bytes)
      this.#checksum = crc32(bytes, this.#checksum)
      tail = Buffer.from(Buffer.concat([tail, bytes.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES))
    }
    position = await readChunks(handle.fd, position, Number(stats.size), take, this.#giveWay)
    this.#end = { inode, position, tail: tail.toString('base64') }
    this.#putAside = new TextsInFile(file.absolutePath, this.#texts, this.#end)
    return reader.result()
  }

  /** Covers everything: something may have been written into the middle. A checksum takes a fiftieth of the time of reading. */
  async #isAsBefore(handle: FileHandle): Promise<boolean> {
    if (!(await endsAsBefore(handle, this.#end))) return false
    let checksum = 0
    await readChunks(handle.fd, 0, this.#end.position, (bytes) => {
      checksum = crc32(bytes, checksum)
    })
    return checksum === this.#checksum
  }

  #createReader({ path }: DiscoveredFile): SessionLogReader {
    this.#texts = this.#putsTextsAside ? new LargeTexts() : null
    return new SessionLogReader(path, this.#texts, new LiftedEntries())
  }
}

async function stampOfFile({ absolutePath }: DiscoveredFile): Promise<string> {
  try {
    const handle = await open(absolutePath, READ_ONLY_FLAGS)
    try {
      return await writeStamp(handle)
    } finally {
      await handle.close()
    }
  } catch {
    return ''
  }
}

/** Up to 0.38 the CLI truncates and rewrites the whole file at every event; a reader can find it half-written. */
const RETRY_DELAY_MS = 50
const FRESH_MS = 10_000

/** Reads and parses a session file. null: it is gone. An unreadable one is a damaged file with the reason. */
export function readSessionFile(file: DiscoveredFile, giveWay?: GiveWay): Promise<ParsedFile | null> {
  return readWith(file, () => new SessionLogReader(file.path), giveWay)
}

/** The same with custom readers, one for each attempt. */
async function readWith(
  file: DiscoveredFile,
  createReader: () => SessionLogReader,
  giveWay?: GiveWay,
): Promise<ParsedFile | null> {
  try {
    const { parsed, isFresh } = await readOnce(file, createReader(), giveWay)
    if (!isFresh || !isHalfWritten(parsed)) return parsed
    await setTimeout(RETRY_DELAY_MS)
    return (await readOnce(file, createReader(), giveWay)).parsed
  } catch (error) {
    const reason = explainSystemError(error)
    return reason === null ? null : unreadableFile(file, reason, faultCode(error))
  }
}

async function readOnce(
  file: DiscoveredFile,
  reader: SessionLogReader,
  giveWay?: GiveWay,
): Promise<{ parsed: ParsedFile; isFresh: boolean }> {
  const opened = openSync(file.absolutePath, READ_ONLY_FLAGS)
  try {
    const stats = fstatSync(opened)
    const isFresh = Math.abs(Date.now() - stats.mtimeMs) < FRESH_MS
    if (!stats.isFile()) {
      return { parsed: unreadableFile(file, 'This is no regular file any more.', null), isFresh }
    }
    await readChunks(opened, 0, stats.size, (bytes) => reader.append(bytes), giveWay)
    return { parsed: reader.result(), isFresh }
  } finally {
    closeSync(opened)
  }
}

function isHalfWritten({ format, issues }: ParsedFile): boolean {
  return format === 'json' && issues.some(({ code }) => HALF_WRITTEN.has(code))
}

const HALF_WRITTEN: ReadonlySet<ParseIssueCode> = new Set(['truncated-json', 'nothing-whole', 'empty-file'])

/** A row for a file that cannot be read (contract rule 7). `errno`: the code of a fault that may go away; null if it will not. */
function unreadableFile(
  { path, sizeBytes }: DiscoveredFile,
  reason: string,
  errno: string | null,
): ParsedFile {
  const problems = new Problems()
  problems.addIssue('unreadable', '', errno === null ? { reason } : { reason, errno })
  return toDamagedFile({ path, sizeBytes, head: new Uint8Array(), problems })
}

/** What stitching needs to know of a read file. */
function toStitchFile({ home, kept }: DiscoveredFile, parsed: ParsedFile): StitchFile {
  return { home, parsed, kept }
}

/**
 * Reads the files of one group (see `groupFiles`), one after the other, and builds their sessions.
 *
 * @param options.claims from `planKeys`, about their keys
 * @param options.giveWay awaited every few milliseconds, so that other work can run; default: one turn of the event loop
 */
export async function readSessionGroup(
  files: readonly DiscoveredFile[],
  { claims, giveWay }: { claims?: GroupClaims | undefined; giveWay?: GiveWay } = {},
): Promise<Session[]> {
  const read: StitchFile[] = []
  for (const file of files) {
    const parsed = await readSessionFile(file, giveWay)
    if (parsed === null) continue
    read.push(toStitchFile(file, parsed))
  }
  return stitchGroup(read, claims)
}

const NEWLINE_BYTE = 0x0a

/**
 * The session in the first `lengthBytes` of its file. Its messages have their final keys, but later content may rewind, replace or extend
 * them. null: these bytes contain no session, or the file cannot be read at the moment.
 */
export function readSessionBeginning(
  file: DiscoveredFile,
  lengthBytes: number,
  claims?: GroupClaims,
): Session | null {
  const bytes = readBeginning(file, lengthBytes)
  if (bytes === null) return null
  const parsed = parseSessionFile({ path: file.path, bytes })
  const [session] = stitchGroup([{ home: file.home, parsed }], claims)
  return session ?? null
}

function readBeginning({ absolutePath, path }: DiscoveredFile, lengthBytes: number): Uint8Array | null {
  try {
    const opened = openSync(absolutePath, READ_ONLY_FLAGS)
    try {
      if (!fstatSync(opened).isFile()) return null
      const buffer = Buffer.allocUnsafe(lengthBytes)
      const bytes = buffer.subarray(0, readSync(opened, buffer, 0, lengthBytes, 0))
      // the cut position of a record is unknown in UTF-16
      if (detectEncoding(bytes) !== 'utf-8') return null
      // a cut record would look like a torn one
      return path.endsWith('.jsonl') ? bytes.subarray(0, bytes.lastIndexOf(NEWLINE_BYTE) + 1) : bytes
    } finally {
      closeSync(opened)
    }
  } catch {
    // reading the whole file reports the reason
    return null
  }
}

/** A message and its session. */
export interface ReadMessage {
  sessionKey: string
  message: Message
}

/** Number of complete messages in memory. */
const AT_ONCE = 16

/**
 * The messages in the files of one group (see `surveyHomes`), one after the other, for sessions that are too large for memory: large
 * outputs, diffs and images stay in their files until needed. The content equals `readSessionGroup`. `claims`:
 * `SurveyedGroup.claims`.
 *
 * @throws SessionsError `file-changed` if a file was rewritten meanwhile, and the reason of `signal` if it is aborted
 */
export async function* readMessages(
  files: readonly DiscoveredFile[],
  { signal, claims }: { signal?: AbortSignal; claims?: GroupClaims } = {},
): AsyncGenerator<ReadMessage, void, undefined> {
  signal?.throwIfAborted()
  const group = new GrowingSessionGroup({ putsTextsAside: true })
  for (const { key: sessionKey, messages } of await group.read(files, claims)) {
    for (let first = 0; first < messages.length; first += AT_ONCE) {
      signal?.throwIfAborted()
      for (const message of await group.restore(messages.slice(first, first + AT_ONCE)))
        yield { sessionKey, message }
    }
  }
}
