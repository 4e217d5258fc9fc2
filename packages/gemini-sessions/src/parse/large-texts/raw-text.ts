import { type ByteRange, decodeText } from '../json/bytes.ts'
import { splitPoint } from '../json/split-point.ts'
import { bytesFingerprint, textFingerprint } from './text-fingerprint.ts'

const SPACE = 32

/** A string of JSON in bytes that are only lent: it is decoded as far as somebody asks. */
export class RawText {
  /** With its quotes. */
  readonly range: ByteRange
  /** Something else stands in its place for good. */
  isPutAside = false
  /** Without its quotes. */
  readonly #inside: Uint8Array
  readonly #hasOddEscape: boolean

  constructor(bytes: Uint8Array, range: ByteRange, hasOddEscape: boolean) {
    this.range = range
    this.#inside = bytes.subarray(range.start + 1, range.end - 1)
    this.#hasOddEscape = hasOddEscape
  }

  get sizeBytes(): number {
    return this.#inside.length
  }

  decode(): string {
    return decodeInside(this.#inside)
  }

  /** As `textFingerprint` of the decoded text. */
  fingerprint(): string {
    return this.#hasOddEscape ? textFingerprint(this.decode()) : bytesFingerprint(this.#inside)
  }

  /** So many bytes of its start, or a little less. */
  start(sizeBytes: number): string {
    const piece = this.#inside.subarray(0, sizeBytes)
    return decodeInside(piece.subarray(0, splitPoint(piece)))
  }

  /** So many bytes of its end, and a little more. */
  end(sizeBytes: number): string {
    // A space is never part of a longer character, nor of an escape.
    const space = this.#inside.lastIndexOf(SPACE, Math.max(this.sizeBytes - sizeBytes, 0))
    return decodeInside(this.#inside.subarray(Math.max(space, 0)))
  }

  /** One of these words of ASCII stands in so many bytes at its start or end. `true` also where that cannot be told. */
  mayHold(words: readonly string[], sizeBytes: number): boolean {
    if (this.#hasOddEscape) return true
    const pieces =
      this.sizeBytes > 2 * sizeBytes
        ? [this.#inside.subarray(0, sizeBytes), this.#inside.subarray(-sizeBytes)]
        : [this.#inside]
    return pieces.map(decodeText).some((text) => words.some((word) => text.includes(word)))
  }
}

function decodeInside(bytes: Uint8Array): string {
  return JSON.parse(`"${decodeText(bytes)}"`)
}
