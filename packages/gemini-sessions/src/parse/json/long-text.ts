import { copyBytes } from '../copy-bytes.ts'
import { joinBytes } from '../join-bytes.ts'
import { decodeText } from './decode-text.ts'
import { splitPoint } from './split-point.ts'

/** So small that what is left over of a piece is soon collected: V8 keeps larger strings apart, and for long. */
const PIECE_BYTES = 32 * 1024

/** The inside of a long JSON string, decoded piece by piece. */
export class LongText {
  readonly #maxBytes: number
  #text = ''
  #sizeBytes = 0
  /** Start of a character or escape that goes on in the next piece. */
  #rest: Uint8Array = new Uint8Array(0)

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** @throws SyntaxError where this cannot stand in a JSON string */
  append(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; at += PIECE_BYTES) {
      const bytes = joinBytes([this.#rest, piece.subarray(at, at + PIECE_BYTES)])
      const end = splitPoint(bytes)
      this.#add(bytes.subarray(0, end))
      this.#rest = copyBytes(bytes.subarray(end))
    }
  }

  /** The text, up to what a string can hold. `lastPiece` comes without the closing quote. */
  end(lastPiece: Uint8Array): string {
    this.append(lastPiece)
    this.#add(this.#rest)
    return this.#text
  }

  #add(bytes: Uint8Array): void {
    this.#sizeBytes += bytes.length
    if (this.#sizeBytes <= this.#maxBytes) this.#text += JSON.parse(`"${decodeText(bytes)}"`)
  }
}
