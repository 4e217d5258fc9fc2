import { type FileHandle, open } from 'node:fs/promises'
import type { Message } from '../../model/message.ts'
import { type ByteRange, isBlankByte, joinBytes } from '../../parse/json/bytes.ts'
import {
  detectEncoding,
  ENCODING_BYTES,
  type FileEncoding,
  Utf16Reader,
} from '../../parse/json/file-encoding.ts'
import { JSON_BYTES } from '../../parse/json/json-bytes.ts'
import { ValueScanner } from '../../parse/json/value-scanner.ts'
import type { PlacedTexts } from '../../parse/large-texts/large-texts.ts'
import { parseLine } from '../../parse/log/parse-line.ts'
import { readBytes } from '../files/read-bytes.ts'
import { readChunks } from '../files/read-chunks.ts'
import { READ_ONLY_FLAGS } from '../files/read-only-flags.ts'
import { fitsMark } from './file-mark.ts'
import type { FilePart } from './file-part.ts'
import type { PutAsideTexts } from './put-aside-texts.ts'
import { restoreMessages } from './restore-messages.ts'
import type { FileMark, SavedTexts } from './saved-texts.ts'

const NEWLINE = 10

/** Larger records are not held: a line may be as large as its file. */
const MOST_HELD_BYTES = 16 * 1024 * 1024

/** Reads what was put aside from the file, as long as it is the file that was read. */
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

  async #open<T>(look: (handle: FileHandle) => Promise<T | null>): Promise<T | null> {
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

/** Without what only the reading itself needs. */
function placesOf({ owner, places, length, documentRows }: PlacedTexts): PlacedTexts {
  return { owner, places, length, documentRows }
}

/** The record that begins in a line, or a whole document, as UTF-8: only all before it says where it is in the file. */
async function readUtf16Record(
  handle: FileHandle,
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

/** Where the record is that begins in a line of a file: the line or, where a formatter wrote it, an object over several. */
async function findRecord(handle: FileHandle, line: number): Promise<ByteRange | null> {
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

/** Where in a line an object begins that continues in the next lines; null: the line is whole, or no object begins in it. */
function findOpenBrace(line: Uint8Array): number | null {
  if (parseLine(line).row !== null) return null
  const last = line.findLastIndex((byte) => !isBlankByte(byte))
  const brace = line[last] === JSON_BYTES.objectStart ? last : line.indexOf(JSON_BYTES.objectStart)
  return brace === -1 ? null : brace
}

/** Where a line of a file stands, 1-based, without its end. null: the file has fewer. */
async function findLine(handle: FileHandle, line: number): Promise<ByteRange | null> {
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
