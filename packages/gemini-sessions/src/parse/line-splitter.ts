import { joinBytes } from './join-bytes.ts'

const NEWLINE = 10

/** Cuts a growing byte stream, delivered in any pieces, into lines. */
export class LineSplitter {
  /** Pieces of the line that has no newline yet. */
  #pieces: Uint8Array[] = []

  /** Calls back with each completed line, without its newline; the bytes are only lent for the call. */
  append(bytes: Uint8Array, onLine: (line: Uint8Array) => void): void {
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      onLine(this.#complete(bytes.subarray(start, end)))
      start = end + 1
    }
    // Copied: the caller may reuse its buffer for the next read.
    if (start < bytes.length) this.#pieces.push(bytes.slice(start))
  }

  /** What follows the last newline. */
  get rest(): Uint8Array {
    const rest = joinBytes(this.#pieces)
    this.#pieces = rest.length === 0 ? [] : [rest]
    return rest
  }

  #complete(lastPiece: Uint8Array): Uint8Array {
    if (this.#pieces.length === 0) return lastPiece
    const line = joinBytes([...this.#pieces, lastPiece])
    this.#pieces = []
    return line
  }
}
