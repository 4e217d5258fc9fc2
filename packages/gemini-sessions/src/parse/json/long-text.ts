import { copyBytes, decodeText, joinBytes } from './bytes.ts'
import { splitPoint } from './split-point.ts'

/** So small that what is left over of a piece is soon collected: V8 keeps larger strings apart, and for long. */
const PIECE_BYTES = 32 * 1024

/** The inside of a long JSON string, decoded piece by piece. */
export class LongText {
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
