import { ByteScanner, type ScannedBytes } from './byte-scanner.ts'
import { lastBytes, toScannedBytes } from './scanned-bytes.ts'
import { speltPattern } from './spelt-pattern.ts'

/** Longer ones are not looked for as a whole: their beginning has to be there as well. */
const MAX_LETTERS = 24
/** How far a text that is spelt in another way may reach. */
export const MAX_SPELT_BYTES = 16 * 1024
/** Of the chunk as a text, in which expressions look. */
const WINDOW_BYTES = 2 * MAX_SPELT_BYTES

/**
 * Tells whether bytes of a session file may say a text that folds to these letters, which `requiredLetters` has given. Says
 * yes too often, but never no where the text is there.
 *
 * Either the letters stand there one after the other, or there is a first place where something else does: a character
 * that is one of them in another form, an escape, the end of a string whose text goes on in the next. Before that
 * place stand the first letters as they are, so only there an expression has to be asked.
 */
export class RawPattern {
  readonly #scanned: ScannedBytes
  readonly #spelt: RegExp
  /** For each last byte of a letter: lengths in bytes of the beginnings that end with that letter. */
  readonly #beginnings: ReadonlyMap<number, number[]>

  constructor(letters: string) {
    const wanted = [...letters].slice(0, MAX_LETTERS)
    this.#spelt = speltPattern(wanted)
    this.#scanned = toScannedBytes(wanted)
    this.#beginnings = toBeginnings(wanted)
  }

  /** At the beginning of the scanner's chunk. */
  isInChunk(length: number): boolean {
    return this.nextInChunk(0, length) >= 0
  }

  /** A place in the scanner's chunk, from `at` on, where the text may stand; -1 where it cannot. Not the first one. */
  nextInChunk(at: number, length: number): number {
    const scanner = ByteScanner.one
    scanner.use(this.#scanned)
    const plain = scanner.find(at, length)
    return plain >= 0 ? plain : this.#nextSpelt(scanner, at, length)
  }

  #nextSpelt(scanner: ByteScanner, from: number, length: number): number {
    const { chunk } = scanner
    let window = ''
    let windowStart = 0
    const isSpeltAt = (start: number): boolean => {
      const windowEnd = windowStart + window.length
      if (start < windowStart || (windowEnd < length && windowEnd < start + MAX_SPELT_BYTES)) {
        windowStart = start
        window = chunk.toString('latin1', start, Math.min(length, start + WINDOW_BYTES))
      }
      this.#spelt.lastIndex = start - windowStart
      return this.#spelt.test(window)
    }
    for (let at = scanner.nextBreak(from, length); at >= 0; at = scanner.nextBreak(at + 1, length)) {
      if (chunk[at] !== QUOTE && isSpeltAt(at)) return at
      for (const bytes of this.#beginnings.get(chunk[at - 1] ?? 0) ?? []) {
        if (at - bytes >= from && this.#isBeginning(chunk, at - bytes, bytes) && isSpeltAt(at - bytes)) {
          return at - bytes
        }
      }
    }
    return -1
  }

  #isBeginning(chunk: Buffer, start: number, bytes: number): boolean {
    const { wanted, ignored } = this.#scanned
    for (let index = 0; index < bytes; index++) {
      if (((chunk[start + index] ?? 0) | (ignored[index] ?? 0)) !== wanted[index]) return false
    }
    return true
  }
}

const QUOTE = 0x22

function toBeginnings(wanted: string[]): Map<number, number[]> {
  const beginnings = new Map<number, number[]>()
  let length = 0
  for (const letter of wanted.slice(0, -1)) {
    length += Buffer.byteLength(letter)
    for (const byte of lastBytes(letter)) beginnings.set(byte, [...(beginnings.get(byte) ?? []), length])
  }
  return beginnings
}
