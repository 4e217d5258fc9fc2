import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { type Message, parseSessionFile, type Session, type UnreadFile, unreadFiles } from 'gemini-sessions'
import type { DiscoveredFile, ReadFault } from 'gemini-sessions/node'
import { isUnchanged, stampOf } from '../cache-format.ts'
import type { IndexGroup } from '../contract.ts'

const MAX_KEPT_FILES = 64

/** The byte range of a record in its file; null if it requires the whole file. `record` comes from `recordOf`. */
export type FindRecord = (
  file: Pick<DiscoveredFile, 'absolutePath'>,
  record: number,
) => { start: number; end: number } | null

/** Larger records cannot be read quickly. */
const MAX_RECORD_BYTES = 16 * 1024 * 1024

/**
 * Reads one message by the position of its record, without the rest of its file. It lacks what other records of the file add: the caller
 * has to know what the message should contain.
 */
export class MessageReader {
  readonly #kept = new Map<string, RecordOffsets>()

  /** `record` comes from `recordOf`. null if there is no such record, or if it is not one message. */
  read({ absolutePath, path }: DiscoveredFile, record: number): Message | null {
    if (record === 0) return null
    let file: number | null = null
    try {
      file = openSync(absolutePath, constants.O_RDONLY)
      const bytes = this.#recordBytes(file, absolutePath, record)
      if (bytes === null) return null
      const { messages } = parseSessionFile({ path, bytes: asSessionFile(bytes, record) })
      return messages.length === 1 ? (messages[0] ?? null) : null
    } catch {
      // Gone, or unreadable at the moment: reading the whole group reports the reason.
      return null
    } finally {
      if (file !== null) closeSync(file)
    }
  }

  /** The message in these bytes of a file, if the file is unchanged. null: it has changed, or they contain no message. */
  readAt(
    file: DiscoveredFile,
    { line }: Message['source'],
    range: { start: number; end: number },
  ): Message | null {
    const bytes = readUnchanged(file, range)
    if (bytes === null) return null
    const { messages } = parseSessionFile({
      path: file.path,
      bytes: asSessionFile(bytes, line === undefined ? -1 : 1),
    })
    return messages.length === 1 ? (messages[0] ?? null) : null
  }

  /** Finds records in the current files; opens each once. */
  recordFinder(): FindRecord {
    const known = new Map<string, RecordOffsets | null>()
    return ({ absolutePath }, record) => {
      if (record === 0) return null
      const name = `${record > 0} ${absolutePath}`
      const offsets = known.get(name) ?? this.#openOffsets(absolutePath, record > 0)
      known.set(name, offsets)
      return offsets && rangeOf(offsets, record)
    }
  }

  #recordBytes(file: number, absolutePath: string, record: number): Buffer | null {
    const range = rangeOf(this.#offsets(file, absolutePath, record > 0), record)
    if (range === null || range.end - range.start > MAX_RECORD_BYTES) return null
    const bytes = Buffer.allocUnsafe(range.end - range.start)
    return readSync(file, bytes, 0, bytes.length, range.start) === bytes.length ? bytes : null
  }

  #openOffsets(absolutePath: string, isLog: boolean): RecordOffsets | null {
    try {
      const file = openSync(absolutePath, constants.O_RDONLY)
      try {
        return this.#offsets(file, absolutePath, isLog)
      } finally {
        closeSync(file)
      }
    } catch {
      return null
    }
  }

  #offsets(file: number, absolutePath: string, isLog: boolean): RecordOffsets {
    const { size, mtimeMs, ino } = fstatSync(file)
    const key = `${size} ${mtimeMs} ${ino} ${isLog} ${absolutePath}`
    const offsets = this.#kept.get(key) ?? (isLog ? lineOffsets(file, size) : elementOffsets(file, size))
    this.#kept.delete(key)
    this.#kept.set(key, offsets)
    if (this.#kept.size > MAX_KEPT_FILES)
      for (const oldest of this.#kept.keys()) {
        this.#kept.delete(oldest)
        break
      }
    return offsets
  }
}

/** null: the file is gone, or has changed since its stamp. */
export function readUnchanged(
  file: DiscoveredFile,
  { start, end }: { start: number; end: number },
): Buffer | null {
  if (end - start > MAX_RECORD_BYTES) return null
  let handle: number | null = null
  try {
    handle = openSync(file.absolutePath, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const { size, mtimeNs, ctimeNs, ino } = fstatSync(handle, { bigint: true })
    const now = {
      ...file,
      sizeBytes: Number(size),
      mtimeNs: String(mtimeNs),
      ctimeNs: String(ctimeNs),
      inode: String(ino),
    }
    if (!isUnchanged(stampOf(file), now)) return null
    const bytes = Buffer.allocUnsafe(end - start)
    return readSync(handle, bytes, 0, bytes.length, start) === bytes.length ? bytes : null
  } catch {
    return null
  } finally {
    if (handle !== null) closeSync(handle)
  }
}

/** The record alone in a file of its format. */
function asSessionFile(record: Buffer, place: number): Buffer {
  return place > 0
    ? Buffer.concat([LOG_HEAD, record, Buffer.from('\n')])
    : Buffer.concat([DOCUMENT_HEAD, record, DOCUMENT_END])
}

const HEADER = '{"sessionId":"-","projectHash":"-","startTime":"2026-01-01T00:00:00.000Z"'
const LOG_HEAD = Buffer.from(`${HEADER}}\n`)
const DOCUMENT_HEAD = Buffer.from(`${HEADER},"messages":[`)
const DOCUMENT_END = Buffer.from(']}')

const CHUNK_BYTES = 1024 * 1024
const NEWLINE = 10

/** Where the records of a session file begin and end, found without parsing. */
interface RecordOffsets {
  starts: Float64Array
  /** Exclusive. */
  ends: Float64Array
}

function rangeOf({ starts, ends }: RecordOffsets, record: number): { start: number; end: number } | null {
  const index = record > 0 ? record - 1 : ~record
  const start = starts[index]
  const end = ends[index]
  return start === undefined || end === undefined || end <= start ? null : { start, end }
}

/** The lines of a log. */
function lineOffsets(file: number, sizeBytes: number): RecordOffsets {
  const newlines = positionsOf(file, sizeBytes, Buffer.of(NEWLINE))
  return {
    starts: Float64Array.from([0, ...newlines.map((at) => at + 1)]),
    ends: Float64Array.from([...newlines, sizeBytes]),
  }
}

/**
 * The messages of a document written by `JSON.stringify(…, null, 2)`: a raw newline cannot be inside a string, so a line that starts with
 * four spaces and a brace is the edge of a message.
 */
function elementOffsets(file: number, sizeBytes: number): RecordOffsets {
  const starts = positionsOf(file, sizeBytes, Buffer.from('\n    {'))
  const ends = positionsOf(file, sizeBytes, Buffer.from('\n    }'))
  return {
    starts: Float64Array.from(starts, (at) => at + 1),
    ends: Float64Array.from(ends, (at) => at + '\n    }'.length),
  }
}

function positionsOf(file: number, sizeBytes: number, mark: Buffer): number[] {
  const positions: number[] = []
  const overlap = mark.length - 1
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, sizeBytes) + overlap)
  for (let offset = 0; offset < sizeBytes; offset += chunk.length - overlap) {
    const bytes = chunk.subarray(0, readSync(file, chunk, 0, chunk.length, offset))
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) positions.push(offset + at)
    if (bytes.length < chunk.length) break
  }
  return positions
}

/** Reads the files of a group as sessions. */
export type ReadGroup = (group: IndexGroup) => Promise<Session[]>

/** Total file size of the cached groups. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024
/** How long the result of an abandoned reading is kept. */
const LEFT_FOR_MS = 30_000

interface KeptGroup {
  fingerprint: string
  sessions: Session[]
  sizeBytes: number
}

/** Reads groups and caches the last few, since the hits of a page and the next page are often in the same ones. */
export class SessionReader {
  readonly #readGroup: ReadGroup
  readonly #onUnread: (groupId: string, files: UnreadFile[]) => void
  /** Abandoned readings: the next caller finds them here. */
  readonly #reading = new Map<string, Promise<Session[]>>()
  readonly #kept = new Map<string, KeptGroup>()
  #keptBytes = 0

  /** `onUnread` receives files that cannot be read at the moment, with absolute paths. */
  constructor(readGroup: ReadGroup, onUnread: (groupId: string, files: UnreadFile[]) => void) {
    this.#readGroup = readGroup
    this.#onUnread = onUnread
  }

  /** Not cached: for work that passes over everything once. null: it takes longer than `waitMs`. */
  readOnce(group: IndexGroup): Promise<Session[]>
  readOnce(group: IndexGroup, waitMs: number): Promise<Session[] | null>
  async readOnce(group: IndexGroup, waitMs = Number.POSITIVE_INFINITY): Promise<Session[] | null> {
    const known = this.#find(group)
    if (known !== null) return known
    if (waitMs === Number.POSITIVE_INFINITY) return this.#readNow(group)
    const name = `${group.id} ${group.fingerprint}`
    const reading = this.#reading.get(name) ?? this.#readNow(group)
    this.#reading.set(name, reading)
    const late = new AbortController()
    const sessions = await Promise.race([
      reading,
      setTimeout(waitMs, null, { signal: late.signal }).catch(() => null),
    ]).finally(() => late.abort())
    if (sessions !== null) this.#reading.delete(name)
    else void reading.catch(() => {}).then(() => this.#forgetLater(name))
    return sessions
  }

  async #forgetLater(name: string): Promise<void> {
    await setTimeout(LEFT_FOR_MS, null, { ref: false })
    this.#reading.delete(name)
  }

  /** null: it takes longer than `waitMs`. */
  async read(group: IndexGroup, waitMs: number): Promise<Session[] | null> {
    const known = this.#find(group)
    if (known !== null) return known
    const sessions = await this.readOnce(group, waitMs)
    if (sessions === null) return null
    this.forget(group.id)
    if (unreadIn(group, sessions).length > 0) return sessions
    const sizeBytes = group.files.reduce((sum, file) => sum + file.sizeBytes, 0)
    this.#kept.set(group.id, { fingerprint: group.fingerprint, sessions, sizeBytes })
    this.#keptBytes += sizeBytes
    this.#dropOldest()
    return sessions
  }

  forget(groupId: string): void {
    this.#keptBytes -= this.#kept.get(groupId)?.sizeBytes ?? 0
    this.#kept.delete(groupId)
  }

  /** Unreadable files are left out, and reported. */
  async #readNow(group: IndexGroup): Promise<Session[]> {
    try {
      const sessions = await this.#readGroup(group)
      const unread = unreadIn(group, sessions)
      if (unread.length > 0) this.#tellUnread(group, unread)
      return sessions
    } catch (error) {
      if (!isReadFault(error)) throw error
      this.#tellUnread(group, [{ path: error.path, code: error.code }])
      return []
    }
  }

  #tellUnread({ id, files }: IndexGroup, unread: UnreadFile[]): void {
    const absolute = new Map(files.map(({ path, absolutePath }) => [path, absolutePath]))
    this.#onUnread(
      id,
      unread.map(({ path, code }) => ({ path: absolute.get(path) ?? path, code })),
    )
  }

  #find(group: IndexGroup): Session[] | null {
    const known = this.#kept.get(group.id)
    if (known === undefined || known.fingerprint !== group.fingerprint) return null
    // Move to the end: the map is in order of use.
    this.#kept.delete(group.id)
    this.#kept.set(group.id, known)
    return known.sessions
  }

  #dropOldest(): void {
    for (const id of this.#kept.keys()) {
      if (this.#keptBytes <= MAX_KEPT_BYTES || this.#kept.size === 1) return
      this.forget(id)
    }
  }
}

function unreadIn({ files, loose }: IndexGroup, sessions: readonly Session[]): UnreadFile[] {
  return unreadFiles(sessions, loose === undefined ? files : [])
}

/** The class is in a module that reads disks, which a start that reads nothing does not load. */
export function isReadFault(error: unknown): error is ReadFault {
  return error instanceof Error && error.name === 'ReadFault'
}
