import { type ByteRange, copyBytes, isBlankByte, joinBytes } from '../json/bytes.ts'
import { JSON_BYTES } from '../json/json-bytes.ts'
import type { OnItem } from '../json/json-stream-options.ts'
import { ValueScanner } from '../json/value-scanner.ts'
import type { LargeTexts } from '../large-texts/large-texts.ts'
import { type ParsedLine, parseLine } from './parse-line.ts'
import { StreamedObject } from './streamed-object.ts'

const NEWLINE = 10
/** Longer lines are parsed while they arrive. */
const LONG_LINE_BYTES = 1024 * 1024
/** The same where long texts are not decoded, as then what is left of most lines is small. */
const LONG_CUT_LINE_BYTES = 8 * 1024 * 1024
/** A brace alone on its line, with an indent and the end that Windows gives it. */
const BRACE_LINE_BYTES = 64
/** Behind these a brace may follow on the next line. */
const BEFORE_BRACE: ReadonlySet<number> = new Set([JSON_BYTES.listStart, JSON_BYTES.comma, JSON_BYTES.colon])

/** Hears of each record with the number of the line in which it begins, 1-based. */
export type OnLine = (line: ParsedLine, number: number) => void

/**
 * Cuts a growing byte stream, delivered in any pieces, into the records of a log, and parses each. A record is a line or,
 * where a formatter or an editor wrote the file again, what follows a line that is a brace alone, up to its closing brace.
 */
export class LogLines {
  /** Pieces of the record that is not complete yet, until it is long. */
  #pieces: Uint8Array[] = []
  #sizeBytes = 0
  /** Where the record begins: offset, and lines before it. */
  #start: number
  #startLine: number
  /** Ends of lines so far. */
  #lines: number
  /** Looks for the end of a record that is spread over several lines. */
  #spread: ValueScanner | null = null
  /** Of the lines of that record so far, the last byte that is no blank. */
  #lastByte = 0
  #isAtLineStart = false
  #long: StreamedObject | null = null
  /** Somebody reads the first line anyway; a long one must not be held twice. */
  #shared: StreamedObject | null
  readonly #onItem: OnItem
  readonly #texts: LargeTexts | null
  readonly #longBytes: number
  /** The first record is spread, so another one may be that begins with a field on the line of its brace. */
  readonly #mayOpenWithField: boolean

  /**
   * @param shared is given the first line before it comes here
   * @param onItem sees the lists of long lines
   * @param texts takes what is large out of whole lines
   * @param behind where the bytes begin behind a first record that is spread, and how many lines end before them
   */
  constructor(
    shared: StreamedObject | null,
    onItem: OnItem,
    texts: LargeTexts | null,
    behind: { offset: number; lines: number } | null = null,
  ) {
    this.#shared = shared
    this.#onItem = onItem
    this.#texts = texts
    this.#longBytes = texts ? LONG_CUT_LINE_BYTES : LONG_LINE_BYTES
    this.#mayOpenWithField = behind !== null
    this.#start = behind?.offset ?? 0
    this.#startLine = this.#lines = behind?.lines ?? 0
  }

  /** Ends of lines so far. */
  get lines(): number {
    return this.#lines
  }

  /** Calls back with each completed record. The bytes are only lent for the call. */
  append(bytes: Uint8Array, onLine: OnLine): void {
    for (let at = 0; at < bytes.length; ) {
      at = this.#spread
        ? this.#readSpread(this.#spread, bytes, at, onLine)
        : this.#readLine(bytes, at, onLine)
    }
  }

  /** What follows the last complete record, as far as it is there, and the number of its line. */
  get rest(): { line: ParsedLine; number: number } {
    return { line: this.#long ? this.#long.parsed : parseLine(this.#join()), number: this.#startLine + 1 }
  }

  #readLine(bytes: Uint8Array, start: number, onLine: OnLine): number {
    const end = bytes.indexOf(NEWLINE, start)
    if (end === -1) {
      this.#hold(bytes.subarray(start))
      return bytes.length
    }
    this.#lines += 1
    const piece = bytes.subarray(start, end)
    this.#spread = this.#opensSpread(piece)
    if (this.#spread) {
      this.#lastByte = lastContent(bytes, start, end) ?? JSON_BYTES.objectStart
      this.#isAtLineStart = true
      this.#hold(bytes.subarray(start, end + 1))
    } else this.#complete(piece, onLine, 1)
    return end + 1
  }

  /** Reads one line of a record that is spread over several, or the part that is there. */
  #readSpread(scanner: ValueScanner, bytes: Uint8Array, start: number, onLine: OnLine): number {
    if (this.#isAtLineStart && bytes[start] === JSON_BYTES.objectStart && !this.#mayHoldBrace(scanner)) {
      // a record that was cut off, and the next one: that begins in the first column
      this.#complete(new Uint8Array(0), onLine, 0)
      return start
    }
    const newline = bytes.indexOf(NEWLINE, start)
    const lineEnd = newline === -1 ? bytes.length : newline + 1
    const end = scanner.scan(bytes.subarray(0, lineEnd), start)
    if (end !== -1) {
      this.#complete(bytes.subarray(start, end), onLine, 0, true)
      return end
    }
    this.#lastByte = lastContent(bytes, start, lineEnd) ?? this.#lastByte
    this.#isAtLineStart = newline !== -1
    this.#hold(bytes.subarray(start, lineEnd))
    if (newline !== -1) this.#lines += 1
    // no string of JSON continues in another line
    if (newline !== -1 && scanner.isInString) this.#complete(new Uint8Array(0), onLine, 0)
    return lineEnd
  }

  #mayHoldBrace(scanner: ValueScanner): boolean {
    // between the fields of the record itself a name would follow a comma
    if (scanner.depth === 1 && this.#lastByte === JSON_BYTES.comma) return false
    return BEFORE_BRACE.has(this.#lastByte)
  }

  /** A scanner for the rest, where a line that ends with this piece begins a record that continues in the next lines. */
  #opensSpread(piece: Uint8Array): ValueScanner | null {
    const isShort = this.#sizeBytes + piece.length <= BRACE_LINE_BYTES
    if (this.#long || !(isShort || this.#mayOpenWithField)) return null
    const bytes = joinBytes([...this.#pieces, piece])
    const at = bytes.findIndex((byte) => !isBlankByte(byte))
    if (bytes[at] !== JSON_BYTES.objectStart) return null
    if (!this.#mayOpenWithField && !bytes.subarray(at + 1).every(isBlankByte)) return null
    const scanner = new ValueScanner(JSON_BYTES.objectStart)
    return scanner.scan(bytes, at) === -1 && !scanner.isInString ? scanner : null
  }

  #hold(piece: Uint8Array): void {
    this.#sizeBytes += piece.length
    // Copied: the caller may reuse its buffer for the next read.
    if (this.#sizeBytes <= this.#longBytes) this.#pieces.push(copyBytes(piece))
    else if (this.#long) this.#feed(this.#long, [piece], this.#start + this.#sizeBytes - piece.length)
    else {
      this.#long = this.#shared ?? new StreamedObject(this.#onItem)
      this.#feed(this.#long, [...this.#pieces, piece], this.#start)
      this.#pieces = []
    }
  }

  #feed(line: StreamedObject, pieces: readonly Uint8Array[], start: number): void {
    if (line === this.#shared) return
    let offset = start
    for (const piece of pieces) {
      line.append(piece, offset)
      offset += piece.length
    }
  }

  /** @param skippedBytes what is between this record and the next: the end of a line */
  #complete(lastPiece: Uint8Array, onLine: OnLine, skippedBytes: number, isSpread = false): void {
    const isWhole = this.#sizeBytes === 0 && lastPiece.length <= this.#longBytes
    if (!isWhole) this.#hold(lastPiece)
    const range = { start: this.#start, end: this.#start + (isWhole ? lastPiece.length : this.#sizeBytes) }
    const parsed = this.#long
      ? this.#readLong(this.#long, range)
      : this.#read(isWhole ? lastPiece : this.#join(), range)
    const number = this.#startLine + 1
    this.#start = range.end + skippedBytes
    this.#startLine = this.#lines
    this.#pieces = []
    this.#sizeBytes = 0
    this.#long = this.#shared = this.#spread = null
    onLine(isSpread && parsed.row ? { ...parsed, isSpread } : parsed, number)
  }

  #readLong({ parsed }: StreamedObject, range: ByteRange): ParsedLine {
    this.#texts?.putAside(parsed.row, range)
    return parsed
  }

  #read(bytes: Uint8Array, range: ByteRange): ParsedLine {
    const row = this.#texts?.parse(bytes, range)
    if (row) return { row, isBlank: false, isReadByCli: true, tooLargeBytes: [] }
    const parsed = bytes.length > LONG_LINE_BYTES ? this.#stream(bytes, range) : parseLine(bytes)
    this.#texts?.putAside(parsed.row, range)
    return parsed
  }

  #stream(bytes: Uint8Array, { start }: ByteRange): ParsedLine {
    const line = new StreamedObject(this.#onItem)
    line.append(bytes, start)
    return line.parsed
  }

  #join(): Uint8Array {
    const joined = joinBytes(this.#pieces)
    this.#pieces = joined.length === 0 ? [] : [joined]
    return joined
  }
}

function lastContent(bytes: Uint8Array, start: number, end: number): number | null {
  for (let at = end - 1; at >= start; at -= 1) if (!isBlankByte(bytes[at] ?? 0)) return bytes[at] ?? null
  return null
}
