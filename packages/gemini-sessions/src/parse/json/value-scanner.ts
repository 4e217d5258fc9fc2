import { type ByteRange, copyBytes, cutMark, decodeText, isBlankByte, joinBytes } from './bytes.ts'

/** May replace an item of an opened list by something smaller, given the names of the fields that lead to it. */
export type OnItem = (names: readonly string[], item: unknown, range: ByteRange) => unknown

/**
 * May parse an object in a list of the root, which is then not passed to `OnItem`. undefined: parse it as usual. The bytes are only valid
 * during the call.
 */
export type ReadRow = (names: readonly string[], bytes: Uint8Array, range: ByteRange) => unknown

/** What a JSON stream opens, and the maximum it holds. */
export interface JsonStreamLimits {
  /** Larger lists and objects are opened: each of their values is parsed separately. */
  openBytes: number
  /** The same for objects parsed by `ReadRow`. */
  rowBytes: number
  /** Longer strings are decoded while they arrive, so that their bytes and their text are not in memory at once. */
  longTextBytes: number
  /** Of longer texts only the beginning is held. */
  maxTextBytes: number
  /** The same for the bytes of images and videos, which are not searched. */
  maxMediaBytes: number
  /** Larger values that are parsed in one piece are not held: very long names and numbers, and deeply nested values. */
  maxLeafBytes: number
  /** Of larger objects and lists only the first fields or items are held; the rest is skipped. */
  maxEntries: number
  /** The same for lists of messages. */
  maxRecords: number
  /** The same for all lists and objects of one record together, since they can be nested. */
  maxValues: number
}

const MEGABYTE = 1024 * 1024

/**
 * Far beyond anything seen: the longest line of a published session has 3 MB. The CLI accepts images and videos of 20 MB, which are 27 MB
 * here. A text is held several times on its way to a page, and a pattern takes a third of a second per MB. A field or item takes ten times
 * its bytes in memory: ten million took 1.3 GB and a minute to read.
 */
export const JSON_STREAM_LIMITS: JsonStreamLimits = {
  openBytes: 64 * 1024,
  rowBytes: 8 * MEGABYTE,
  longTextBytes: 512 * 1024,
  maxTextBytes: 4 * MEGABYTE,
  maxMediaBytes: 32 * MEGABYTE,
  maxLeafBytes: 8 * MEGABYTE,
  maxEntries: 100_000,
  maxRecords: 1_000_000,
  maxValues: 1_000_000,
}

/** Small enough that leftovers are collected soon: V8 keeps larger strings separately, and for long. */
const PIECE_BYTES = 32 * 1024

/** A value being read, unless it is opened: its bytes, or for a long text what is decoded. */
export class JsonLeaf {
  readonly start: number
  readonly firstByte: number
  /** It is a field name. */
  readonly isName: boolean
  readonly scanner: ValueScanner
  sizeBytes = 0
  readonly #limits: JsonStreamLimits
  #pieces: Uint8Array[] = []
  #text: LongText | null = null

  constructor(start: number, firstByte: number, isName: boolean, limits: JsonStreamLimits) {
    this.start = start
    this.firstByte = firstByte
    this.isName = isName
    this.scanner = new ValueScanner(firstByte)
    this.#limits = limits
  }

  get isContainer(): boolean {
    return this.firstByte === JSON_BYTES.objectStart || this.firstByte === JSON_BYTES.listStart
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  /** It is longer than what is held. */
  get isCut(): boolean {
    return this.#text ? this.#text.isCut : this.sizeBytes > this.#limits.maxLeafBytes
  }

  /** Number of bytes before it is divided. `mayOpen`: for a list or an object. */
  room(isRow: boolean, mayOpen: boolean): number {
    const { longTextBytes, rowBytes, openBytes } = this.#limits
    if (this.#text || this.isName) return Number.POSITIVE_INFINITY
    if (this.firstByte === JSON_BYTES.quote) return longTextBytes - this.sizeBytes
    if (isRow) return rowBytes - this.sizeBytes
    return this.isContainer && mayOpen ? openBytes - this.sizeBytes : Number.POSITIVE_INFINITY
  }

  /** Keeps a piece that is not the last one. false: it is not held as bytes. */
  keep(piece: Uint8Array): boolean {
    if (this.#text) this.#text.append(piece)
    else if (this.sizeBytes <= this.#limits.maxLeafBytes) {
      // Copied: the caller may reuse its buffer for the next piece.
      this.#pieces.push(copyBytes(piece))
      return true
    } else this.#pieces = []
    return false
  }

  /** All held bytes, with the last ones, which are only valid during the call. */
  end(lastPiece: Uint8Array): Uint8Array {
    this.#pieces.push(lastPiece)
    const bytes = joinBytes(this.#pieces)
    this.#pieces = [bytes]
    return bytes
  }

  /** Releases its bytes, because it is opened. */
  takeBytes(): Uint8Array {
    const bytes = joinBytes(this.#pieces)
    this.#pieces = []
    return bytes
  }

  /** From now on it is decoded while it arrives. */
  decode(maxBytes: number): void {
    this.#text = new LongText(maxBytes)
    this.#text.append(this.takeBytes().subarray(1))
  }

  /** Copies its bytes, so that it does not depend on the caller's buffer. */
  own(): void {
    this.#pieces = [copyBytes(joinBytes(this.#pieces))]
  }

  /** Throws if it is invalid JSON. */
  parse(bytes: Uint8Array): unknown {
    const text = this.#text?.end(bytes.subarray(0, -1)) ?? ''
    if (this.isCut) return text + cutMark(this.sizeBytes, `${this.#text?.heldBytes ?? 0} bytes`)
    return this.#text ? text : JSON.parse(decodeText(bytes))
  }
}

/** The inside of a long JSON string, decoded piece by piece. */
class LongText {
  readonly #maxBytes: number
  #text = ''
  /** Number of its bytes in the text. */
  heldBytes = 0
  #sizeBytes = 0
  /** Start of a character or escape that continues in the next piece. */
  #rest: Uint8Array = new Uint8Array(0)

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** It is longer than the limit: the rest is neither decoded nor held. */
  get isCut(): boolean {
    return this.#sizeBytes > this.#maxBytes
  }

  /** @throws SyntaxError if this is invalid in a JSON string, as far as it is held */
  append(piece: Uint8Array): void {
    if (this.isCut) return
    for (let at = 0; at < piece.length; at += PIECE_BYTES) {
      const bytes = joinBytes([this.#rest, piece.subarray(at, at + PIECE_BYTES)])
      const end = splitPoint(bytes)
      this.#add(bytes.subarray(0, end))
      this.#rest = copyBytes(bytes.subarray(end))
    }
  }

  /** The text, up to the limit. `lastPiece` excludes the closing quote. */
  end(lastPiece: Uint8Array): string {
    this.append(lastPiece)
    this.#add(this.#rest)
    return this.#text
  }

  #add(bytes: Uint8Array): void {
    if (this.isCut) return
    const room = this.#maxBytes - this.#sizeBytes
    this.#sizeBytes += bytes.length
    // Always at the same position, in whatever pieces it arrives: a later reading compares lengths.
    const held = bytes.length > room ? bytes.subarray(0, splitPoint(bytes.subarray(0, room))) : bytes
    this.#text += JSON.parse(`"${decodeText(held)}"`)
    this.heldBytes += held.length
  }
}

/** Structural bytes of JSON. */
export const JSON_BYTES = {
  quote: 34,
  comma: 44,
  colon: 58,
  listStart: 91,
  backslash: 92,
  listEnd: 93,
  objectStart: 123,
  objectEnd: 125,
} as const

/** JSON whitespace. */
export function isJsonBlank(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9
}

const LONGEST_CHARACTER_BYTES = 4
/** `\u0041` */
const UNICODE_ESCAPE_BYTES = 6
const LETTER_U = 117

/**
 * The last position at which the inside of a JSON string can be split so that both pieces decode separately: not inside a UTF-8 character
 * or an escape.
 */
export function splitPoint(bytes: Uint8Array): number {
  const end = characterEnd(bytes)
  for (let at = end - 1; at >= 0 && at > end - UNICODE_ESCAPE_BYTES; at -= 1) {
    if (bytes[at] !== JSON_BYTES.backslash) continue
    const isEscape = countBackslashes(bytes, at) % 2 === 1
    const length = bytes[at + 1] === LETTER_U ? UNICODE_ESCAPE_BYTES : 2
    return isEscape && at + length > end ? at : end
  }
  return end
}

function characterEnd(bytes: Uint8Array): number {
  for (let back = 1; back < LONGEST_CHARACTER_BYTES && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    // The first byte of a character: its others may still follow.
    if (byte >= 0xc0) return bytes.length - back
  }
  return bytes.length
}

/** Up to and including the one at `last`. */
function countBackslashes(bytes: Uint8Array, last: number): number {
  let at = last
  while (at >= 0 && bytes[at] === JSON_BYTES.backslash) at -= 1
  return last - at
}

/** Most names and short values end within this many bytes; beyond, the native search is faster than a loop. */
const SHORT_STRING_BYTES = 48

/**
 * Finds the end of one JSON value in bytes that arrive in pieces cut anywhere. Tracks strings, escapes and depth; validation is left to
 * `JSON.parse`.
 */
export class ValueScanner {
  readonly #isPrimitive: boolean
  #depth = 0
  #isInString = false
  #isEscaped = false

  constructor(firstByte: number) {
    const { quote, listStart, objectStart } = JSON_BYTES
    this.#isPrimitive = firstByte !== quote && firstByte !== listStart && firstByte !== objectStart
  }

  /** Starts between two fields of an object, and finds its end. */
  static inside(): ValueScanner {
    const scanner = new ValueScanner(JSON_BYTES.objectStart)
    scanner.#depth = 1
    return scanner
  }

  /** Number of open lists and objects. */
  get depth(): number {
    return this.#depth
  }

  get isInString(): boolean {
    return this.#isInString
  }

  /** The offset after the value's last byte; -1 if it continues in the next piece. */
  scan(bytes: Uint8Array, start: number): number {
    if (this.#isPrimitive) return findPrimitiveEnd(bytes, start)
    let at = start
    while (at < bytes.length) {
      if (this.#isInString) {
        at = this.#skipString(bytes, at)
        if (!this.#isInString && this.#depth === 0) return at
        continue
      }
      const byte = bytes[at]
      at += 1
      if (byte === JSON_BYTES.quote) this.#isInString = true
      else if (byte === JSON_BYTES.objectStart || byte === JSON_BYTES.listStart) this.#depth += 1
      else if (byte === JSON_BYTES.objectEnd || byte === JSON_BYTES.listEnd) {
        this.#depth -= 1
        if (this.#depth === 0) return at
      }
    }
    return -1
  }

  /** Skips to after the closing quote or, if there is none yet, to the end. */
  #skipString(bytes: Uint8Array, start: number): number {
    let at = start
    const shortEnd = Math.min(bytes.length, start + SHORT_STRING_BYTES)
    while (at < shortEnd) {
      const byte = bytes[at]
      at += 1
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === JSON_BYTES.backslash) this.#isEscaped = true
      else if (byte === JSON_BYTES.quote) {
        this.#isInString = false
        return at
      }
    }
    return at < bytes.length ? this.#skipLongString(bytes, at) : at
  }

  #skipLongString(bytes: Uint8Array, start: number): number {
    let from = start + (this.#isEscaped ? 1 : 0)
    for (;;) {
      const quote = bytes.indexOf(JSON_BYTES.quote, from)
      const end = quote === -1 ? bytes.length : quote
      this.#isEscaped = countBackslashesBefore(bytes, from, end) % 2 === 1
      if (quote === -1) return end
      this.#isInString = this.#isEscaped
      this.#isEscaped = false
      from = quote + 1
      if (!this.#isInString) return from
    }
  }
}

/** Backslashes directly before `end`, not further back than `start`. */
function countBackslashesBefore(bytes: Uint8Array, start: number, end: number): number {
  let at = end
  while (at > start && bytes[at - 1] === JSON_BYTES.backslash) at -= 1
  return end - at
}

function findPrimitiveEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (
      byte === JSON_BYTES.comma ||
      byte === JSON_BYTES.objectEnd ||
      byte === JSON_BYTES.listEnd ||
      isBlankByte(byte)
    ) {
      return at
    }
  }
  return -1
}
