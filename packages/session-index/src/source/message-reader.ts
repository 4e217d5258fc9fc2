import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { type Message, parseSessionFile } from 'gemini-sessions'
import type { DiscoveredFile } from 'gemini-sessions/node'

const MAX_KEPT_FILES = 64
/** A record that is larger is no quick look. */
const MAX_RECORD_BYTES = 16 * 1024 * 1024

/**
 * Reads one message by the place of its record, without the rest of its file. What other records of the file say of it
 * is not known then: whoever asks has to know what the message should say.
 */
export class MessageReader {
  readonly #kept = new Map<string, RecordOffsets>()

  /** `record` as in `SessionRows.records`. null where there is no such record, or none that reads as one message. */
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
      // Gone, or not readable now: the whole group tells what is the matter.
      return null
    } finally {
      if (file !== null) closeSync(file)
    }
  }

  #recordBytes(file: number, absolutePath: string, record: number): Buffer | null {
    const { starts, ends } = this.#offsets(file, absolutePath, record > 0)
    const index = record > 0 ? record - 1 : ~record
    const start = starts[index]
    const end = ends[index]
    if (start === undefined || end === undefined || end <= start || end - start > MAX_RECORD_BYTES)
      return null
    const bytes = Buffer.allocUnsafe(end - start)
    return readSync(file, bytes, 0, bytes.length, start) === bytes.length ? bytes : null
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

/** The lines of a log. */
function lineOffsets(file: number, sizeBytes: number): RecordOffsets {
  const newlines = positionsOf(file, sizeBytes, Buffer.of(NEWLINE))
  return {
    starts: Float64Array.from([0, ...newlines.map((at) => at + 1)]),
    ends: Float64Array.from([...newlines, sizeBytes]),
  }
}

/**
 * The messages of a document as `JSON.stringify(…, null, 2)` writes it: a raw newline cannot stand within a string, so a
 * line that begins with four blanks and a brace is the edge of one.
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
