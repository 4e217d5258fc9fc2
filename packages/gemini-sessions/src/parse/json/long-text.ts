import { copyBytes } from '../copy-bytes.ts'
import { joinBytes } from '../join-bytes.ts'
import { decodeText } from './decode-text.ts'
import { splitPoint } from './split-point.ts'

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
    const bytes = joinBytes([this.#rest, piece])
    const end = splitPoint(bytes)
    this.#add(bytes.subarray(0, end))
    this.#rest = copyBytes(bytes.subarray(end))
  }

  /** The text, up to what a string can hold. `lastPiece` comes without the closing quote. */
  end(lastPiece: Uint8Array): string {
    this.#add(joinBytes([this.#rest, lastPiece]))
    return this.#text
  }

  #add(bytes: Uint8Array): void {
    this.#sizeBytes += bytes.length
    if (this.#sizeBytes <= this.#maxBytes) this.#text += JSON.parse(`"${decodeText(bytes)}"`)
  }
}
