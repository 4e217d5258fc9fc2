import { copyBytes, decodeText, joinBytes } from './bytes.ts'
import { cutMark } from './cut-mark.ts'
import { JSON_BYTES } from './json-bytes.ts'
import type { JsonStreamLimits } from './json-stream-options.ts'
import { splitPoint } from './split-point.ts'
import { ValueScanner } from './value-scanner.ts'

/** So small that what is left over of a piece is soon collected: V8 keeps larger strings apart, and for long. */
const PIECE_BYTES = 32 * 1024

/** A value that is being read, as long as it is not opened: its bytes, or of a long text what is decoded. */
export class JsonLeaf {
  readonly start: number
  readonly firstByte: number
  /** Of a field. */
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

  /** More of it was there than is held. */
  get isCut(): boolean {
    return this.#text ? this.#text.isCut : this.sizeBytes > this.#limits.maxLeafBytes
  }

  /** Bytes that may still come before it is divided. `mayOpen`: where it is a list or an object. */
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

  /** All bytes that are held, with the last ones, which are only lent. */
  end(lastPiece: Uint8Array): Uint8Array {
    this.#pieces.push(lastPiece)
    const bytes = joinBytes(this.#pieces)
    this.#pieces = [bytes]
    return bytes
  }

  /** Gives its bytes away: it is opened. */
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

  /** Nothing of it is lent any more. */
  own(): void {
    this.#pieces = [copyBytes(joinBytes(this.#pieces))]
  }

  /** Throws where it is no JSON. */
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
  /** What of its bytes is in the text. */
  heldBytes = 0
  #sizeBytes = 0
  /** Start of a character or escape that goes on in the next piece. */
  #rest: Uint8Array = new Uint8Array(0)

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** It is longer than the limit: what follows is neither decoded nor held. */
  get isCut(): boolean {
    return this.#sizeBytes > this.#maxBytes
  }

  /** @throws SyntaxError where this cannot stand in a JSON string, as far as it is held */
  append(piece: Uint8Array): void {
    if (this.isCut) return
    for (let at = 0; at < piece.length; at += PIECE_BYTES) {
      const bytes = joinBytes([this.#rest, piece.subarray(at, at + PIECE_BYTES)])
      const end = splitPoint(bytes)
      this.#add(bytes.subarray(0, end))
      this.#rest = copyBytes(bytes.subarray(end))
    }
  }

  /** The text, up to the limit. `lastPiece` comes without the closing quote. */
  end(lastPiece: Uint8Array): string {
    this.append(lastPiece)
    this.#add(this.#rest)
    return this.#text
  }

  #add(bytes: Uint8Array): void {
    if (this.isCut) return
    const room = this.#maxBytes - this.#sizeBytes
    this.#sizeBytes += bytes.length
    // Always at the same place, in whatever pieces it comes: who reads it again compares lengths.
    const held = bytes.length > room ? bytes.subarray(0, splitPoint(bytes.subarray(0, room))) : bytes
    this.#text += JSON.parse(`"${decodeText(held)}"`)
    this.heldBytes += held.length
  }
}
