import { type ByteRange, copyBytes, joinBytes } from '../json/bytes.ts'
import type { OnItem } from '../json/json-stream-options.ts'
import type { LargeTexts } from '../large-texts/large-texts.ts'
import { type ParsedLine, parseLine } from './parse-line.ts'
import { StreamedObject } from './streamed-object.ts'

const NEWLINE = 10
/** Longer lines are parsed while they arrive. */
const LONG_LINE_BYTES = 1024 * 1024
/** The same where long texts are not decoded, as then what is left of most lines is small. */
const LONG_CUT_LINE_BYTES = 8 * 1024 * 1024

/** Cuts a growing byte stream, delivered in any pieces, into lines, and parses each. */
export class LogLines {
  /** Pieces of the line that has no newline yet, until it is long. */
  #pieces: Uint8Array[] = []
  #sizeBytes = 0
  /** Where the line begins. */
  #start = 0
  #long: StreamedObject | null = null
  /** Somebody reads the first line anyway; a long one must not be held twice. */
  #shared: StreamedObject | null
  readonly #onItem: OnItem
  readonly #texts: LargeTexts | null
  readonly #longBytes: number

  /**
   * @param shared is given the first line before it comes here
   * @param onItem sees the lists of long lines
   * @param texts takes what is large out of whole lines
   */
  constructor(shared: StreamedObject, onItem: OnItem, texts: LargeTexts | null) {
    this.#shared = shared
    this.#onItem = onItem
    this.#texts = texts
    this.#longBytes = texts ? LONG_CUT_LINE_BYTES : LONG_LINE_BYTES
  }

  /** Calls back with each completed line. The bytes are only lent for the call. */
  append(bytes: Uint8Array, onLine: (line: ParsedLine) => void): void {
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      onLine(this.#complete(bytes.subarray(start, end)))
      start = end + 1
    }
    if (start < bytes.length) this.#hold(bytes.subarray(start))
  }

  /** What follows the last newline, as far as it is there. */
  get rest(): ParsedLine {
    return this.#long ? this.#long.parsed : parseLine(this.#join())
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

  #complete(lastPiece: Uint8Array): ParsedLine {
    const isWhole = this.#sizeBytes === 0 && lastPiece.length <= this.#longBytes
    if (!isWhole) this.#hold(lastPiece)
    const range = { start: this.#start, end: this.#start + (isWhole ? lastPiece.length : this.#sizeBytes) }
    const parsed = this.#long
      ? this.#readLong(this.#long, range)
      : this.#read(isWhole ? lastPiece : this.#join(), range)
    this.#start = range.end + 1
    this.#pieces = []
    this.#sizeBytes = 0
    this.#long = this.#shared = null
    return parsed
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
