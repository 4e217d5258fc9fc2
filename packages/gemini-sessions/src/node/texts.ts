import { open } from 'node:fs/promises'
import type { Message } from '../model/message.ts'
import { type ByteRange, decodeText, isBlankByte, joinBytes } from '../parse/json/bytes.ts'
import { detectEncoding, ENCODING_BYTES, type FileEncoding, Utf16Reader } from '../parse/json/encoding.ts'
import { JSON_BYTES, ValueScanner } from '../parse/json/value-scanner.ts'
import { type PlacedTexts, restoreMessage, type TextPlace } from '../parse/large-texts.ts'
import { parseLine, parseRow, StreamedObject } from '../parse/log.ts'
import { isRawObject } from '../raw.ts'
import { type OpenFile, READ_ONLY_FLAGS, readBytes, readChunks } from './files.ts'

const NEWLINE = 10

/** Larger records are not held in memory: a line may be as large as its file. */
const MOST_HELD_BYTES = 16 * 1024 * 1024

/** Reads what was put aside from the file, as long as the file is unchanged. */
export class TextsInFile implements PutAsideTexts {
  readonly #absolutePath: string
  readonly #texts: PlacedTexts | null
  readonly #mark: FileMark

  constructor(absolutePath: string, texts: PlacedTexts | null, mark: FileMark) {
    this.#absolutePath = absolutePath
    this.#texts = texts
    this.#mark = mark
  }

  get length(): number {
    return this.#texts?.length ?? 0
  }

  restore(messages: readonly Message[]): Promise<Message[] | null> {
    const texts = this.#texts
    if (texts === null || texts.places.length === 0) return Promise.resolve([...messages])
    return this.#open((handle) => restoreMessages(handle, messages, texts))
  }

  readRecord({ line, index }: Message['source']): Promise<Uint8Array | FilePart | null> {
    return this.#open(async (handle) => {
      const encoding = detectEncoding(await readBytes(handle, { start: 0, end: ENCODING_BYTES }))
      if (encoding !== 'utf-8') return readUtf16Record(handle, encoding, line)
      const row = index === undefined ? undefined : this.#texts?.documentRows[index]
      const range =
        line === undefined
          ? (row ?? { start: 0, end: (await handle.stat()).size })
          : await findRecord(handle, line)
      if (range === null) return null
      const isSmall = range.end - range.start <= MOST_HELD_BYTES
      return isSmall ? readBytes(handle, range) : { absolutePath: this.#absolutePath, ...range }
    })
  }

  save(): SavedTexts {
    return { absolutePath: this.#absolutePath, texts: this.#texts && placesOf(this.#texts), mark: this.#mark }
  }

  async #open<T>(look: (handle: OpenFile) => Promise<T | null>): Promise<T | null> {
    try {
      const handle = await open(this.#absolutePath, READ_ONLY_FLAGS)
      try {
        return (await fitsMark(handle, this.#mark)) ? await look(handle) : null
      } finally {
        await handle.close()
      }
    } catch {
      return null
    }
  }
}

/** Without data needed only for reading. */
function placesOf({ owner, places, length, documentRows }: PlacedTexts): PlacedTexts {
  return { owner, places, length, documentRows }
}

/** The record that begins in a line, or a whole document, as UTF-8: its position requires decoding everything before it. */
async function readUtf16Record(
  handle: OpenFile,
  encoding: Exclude<FileEncoding, 'utf-8'>,
  line: number | undefined,
): Promise<Uint8Array | null> {
  const utf16 = new Utf16Reader(encoding)
  const pieces: Uint8Array[] = []
  const { size } = await handle.stat()
  await readChunks(handle.fd, 0, size, (bytes) => {
    pieces.push(utf16.toUtf8(bytes))
  })
  const text = joinBytes(pieces)
  if (line === undefined) return text
  let start = 0
  for (let number = 1; number < line; number += 1) {
    start = text.indexOf(NEWLINE, start) + 1
    if (start === 0) return null
  }
  const newline = text.indexOf(NEWLINE, start)
  const bytes = text.subarray(start, newline === -1 ? text.length : newline)
  const brace = findOpenBrace(bytes)
  if (brace === null) return bytes
  const end = new ValueScanner(JSON_BYTES.objectStart).scan(text, start + brace)
  return end === -1 ? bytes : text.subarray(start + brace, end)
}

/** The range of the record that begins in a line of a file: the line or, after a formatter, an object over several lines. */
async function findRecord(handle: OpenFile, line: number): Promise<ByteRange | null> {
  const range = await findLine(handle, line)
  if (range === null || range.end - range.start > MOST_HELD_BYTES) return range
  const brace = findOpenBrace(await readBytes(handle, range))
  if (brace === null) return range
  const start = range.start + brace
  const scanner = new ValueScanner(JSON_BYTES.objectStart)
  const { size } = await handle.stat()
  let position = start
  let end = -1
  await readChunks(handle.fd, start, size, (bytes) => {
    if (end !== -1) return
    const found = scanner.scan(bytes, 0)
    if (found !== -1) end = position + found
    position += bytes.length
  })
  return end === -1 ? range : { start, end }
}

/** Where in a line an object begins that continues in the next lines; null: the line is complete, or no object begins in it. */
function findOpenBrace(line: Uint8Array): number | null {
  if (parseLine(line).row !== null) return null
  const last = line.findLastIndex((byte) => !isBlankByte(byte))
  const brace = line[last] === JSON_BYTES.objectStart ? last : line.indexOf(JSON_BYTES.objectStart)
  return brace === -1 ? null : brace
}

/** The range of a line in a file, 1-based, without its end. null: the file has fewer. */
async function findLine(handle: OpenFile, line: number): Promise<ByteRange | null> {
  const { size } = await handle.stat()
  let number = 1
  let start = line === 1 ? 0 : -1
  let end = -1
  let position = 0
  await readChunks(handle.fd, 0, size, (bytes) => {
    for (let at = bytes.indexOf(NEWLINE); at !== -1 && end === -1; at = bytes.indexOf(NEWLINE, at + 1)) {
      if (number === line) end = position + at
      number += 1
      if (number === line) start = position + at + 1
    }
    position += bytes.length
  })
  return start === -1 ? null : { start, end: end === -1 ? size : end }
}

/** The file is unchanged, or a log that only grew. */
async function fitsMark(handle: OpenFile, mark: FileMark): Promise<boolean> {
  if ('stamp' in mark) return (await writeStamp(handle)) === mark.stamp
  const { ino } = await handle.stat({ bigint: true })
  return String(ino) === mark.inode && endsAsBefore(handle, mark)
}

/** Changes whenever the file is written or replaced. */
export async function writeStamp(handle: OpenFile): Promise<string> {
  const { ino, size, mtimeNs } = await handle.stat({ bigint: true })
  return `${ino} ${size} ${mtimeNs}`
}

export async function endsAsBefore(handle: OpenFile, { position, tail }: LogEnd): Promise<boolean> {
  const expected = Buffer.from(tail, 'base64')
  const { size } = await handle.stat()
  if (size < position) return false
  const bytes = Buffer.alloc(expected.length)
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, position - bytes.length)
  return bytesRead === bytes.length && bytes.equals(expected)
}

/** Recognizes a file. Plain JSON. */
type FileMark = LogEnd | { stamp: string }

/** How far a log was read, and its last bytes there. */
export interface LogEnd {
  inode: string
  position: number
  /** The last bytes read, as base64: if they are unchanged, the file only grew. */
  tail: string
}

/** Where one reading of a file left its large texts, as plain JSON: stored with its messages, it can be used by later runs. */
export interface SavedTexts {
  absolutePath: string
  /** null: all of the file was held. */
  texts: PlacedTexts | null
  mark: FileMark
}

/** A range of a file that is too large for memory. */
export interface FilePart extends ByteRange {
  absolutePath: string
}

/** Reads it piece by piece. */
export async function* streamFilePart({ absolutePath, start, end }: FilePart): AsyncGenerator<Uint8Array> {
  const handle = await open(absolutePath, READ_ONLY_FLAGS)
  try {
    yield* handle.createReadStream({ start, end: end - 1, autoClose: false })
  } finally {
    await handle.close()
  }
}

/** What one reading of a file left in the file. Everything returns null once the file has changed other than by growing. */
export interface PutAsideTexts {
  /** Approximate number of bytes not held in memory. */
  readonly length: number
  /** Messages of that reading, with the texts put aside from this file. */
  restore(messages: readonly Message[]): Promise<Message[] | null>
  /** The bytes of a message's record: its line, its row in a document, or a document. If there are too many, their range. */
  readRecord(source: Message['source']): Promise<Uint8Array | FilePart | null>
  /** For `reopenTexts` in a later run. */
  save(): SavedTexts
}

/** For several rows. */
const MOST_AT_ONCE_BYTES = 1024 * 1024
const MOST_BETWEEN_BYTES = 32 * 1024

/** Restores the texts taken out by `texts`, from their rows. null: the rows have changed. */
async function restoreMessages(
  handle: OpenFile,
  messages: readonly Message[],
  texts: PlacedTexts,
): Promise<Message[] | null> {
  const values = new Map<number, unknown>()
  for (const { range: span, rows } of spansOf(rowsOf(wantedIndices(messages, texts), texts))) {
    const bytes = sizeOf(span) <= MOST_HELD_BYTES ? await readBytes(handle, span) : null
    for (const { range, indices } of rows) {
      const places = indices.flatMap((index) => texts.places[index] ?? [])
      const found =
        bytes === null
          ? await readLongRow(handle, range, places)
          : findValues(bytes.subarray(range.start - span.start, range.end - span.start), places)
      for (const [at, index] of indices.entries()) {
        if (found[at] === undefined) return null
        values.set(index, found[at])
      }
    }
  }
  return messages.map((message) =>
    restoreMessage(message, ({ owner, index }) => (owner === texts.owner ? values.get(index) : undefined)),
  )
}

async function readLongRow(
  handle: OpenFile,
  range: ByteRange,
  places: readonly TextPlace[],
): Promise<unknown[]> {
  const row = new StreamedObject()
  await readChunks(handle.fd, range.start, range.end, (bytes) => row.append(bytes))
  return places.map((place) => ('path' in place ? valueAt(row.parsed.row, place) : undefined))
}

function wantedIndices(messages: readonly Message[], texts: PlacedTexts): Set<number> {
  const wanted = new Set<number>()
  for (const message of messages) {
    restoreMessage(message, ({ owner, index }) => {
      if (owner === texts.owner) wanted.add(index)
    })
  }
  return wanted
}

interface Row {
  range: ByteRange
  indices: number[]
}

/** The rows with these texts, in file order. */
function rowsOf(wanted: ReadonlySet<number>, texts: PlacedTexts): Row[] {
  const rows = new Map<number, Row>()
  for (const index of wanted) {
    const range = texts.places[index]?.range
    if (range === undefined) continue
    const row = rows.get(range.start)
    if (row) row.indices.push(index)
    else rows.set(range.start, { range, indices: [index] })
  }
  return [...rows.values()].sort((a, b) => a.range.start - b.range.start)
}

interface Span {
  range: ByteRange
  rows: Row[]
}

/** Nearby rows are read together: a system call for each takes longer than reading what is in between. */
function spansOf(rows: readonly Row[]): Span[] {
  const spans: Span[] = []
  for (const row of rows) {
    const last = spans.at(-1)
    const isNear = last !== undefined && row.range.start - last.range.end <= MOST_BETWEEN_BYTES
    if (isNear && row.range.end - last.range.start <= MOST_AT_ONCE_BYTES) {
      last.range = { start: last.range.start, end: Math.max(last.range.end, row.range.end) }
      last.rows.push(row)
    } else spans.push({ range: row.range, rows: [row] })
  }
  return spans
}

function sizeOf({ start, end }: ByteRange): number {
  return end - start
}

/** The values in these bytes of a file at each place; undefined if changed. */
function findValues(bytes: Uint8Array, places: readonly TextPlace[]): unknown[] {
  let row: unknown
  return places.map((place) => {
    if ('at' in place) return readString(bytes, place.at)
    row ??= parseRow(bytes)
    return valueAt(row, place)
  })
}

function readString(bytes: Uint8Array, { start, end }: ByteRange): unknown {
  try {
    const value: unknown = JSON.parse(decodeText(bytes.subarray(start, end)))
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** The value at a path in a row; undefined if changed. */
function valueAt(row: unknown, { path, length }: Extract<TextPlace, { path: unknown }>): unknown {
  const value = path.reduce<unknown>(step, row)
  const isSame = (typeof value === 'string' || Array.isArray(value)) && value.length === length
  return isSame ? value : undefined
}

function step(value: unknown, name: string | number): unknown {
  if (Array.isArray(value)) return value[Number(name)]
  return isRawObject(value) ? value[name] : undefined
}

/** What an earlier reading left in a file, for the messages of that reading; `saved` is from its `save`. */
export function reopenTexts({ absolutePath, texts, mark }: SavedTexts): PutAsideTexts {
  return new TextsInFile(absolutePath, texts, mark)
}
