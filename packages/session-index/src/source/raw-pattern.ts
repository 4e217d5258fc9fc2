import { ByteScanner, RELEVANT, type ScannedBytes } from './byte-scanner.ts'
import { rawLetters } from './raw-letters.ts'
import { speltPattern, touchingLigatures } from './spelt-pattern.ts'

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

/** What the scanner has to look for to find these letters. */
function toScannedBytes(wanted: string[]): ScannedBytes {
  const bytes = Buffer.from(wanted.join(''))
  return {
    wanted: bytes,
    ignored: bytes.map((byte) => (isAsciiLetter(byte) ? CASE_BIT : 0)),
    rarest: rarestOf(bytes),
    before: byteSet(wanted.slice(0, -1).flatMap(lastBytes)),
    behindQuote: byteSet([...Buffer.from(' \t\r\n,}')]),
    characters: toCharacterTable(wanted),
  }
}

const CASE_BIT = 0x20

/** The ASCII letters and digits from the most to the least frequent in sessions; what is not among them is rarer. */
const MOST_FREQUENT = 'etaoinsrl0cdum1h2pf3456789gbwyvkxjqz'

function rarestOf(bytes: Uint8Array): [number, number] {
  const frequency = (byte: number) => {
    const place = MOST_FREQUENT.indexOf(String.fromCharCode(byte))
    // Characters of one script share their first bytes.
    return place >= 0 ? place : byte >= 0xc0 ? 0 : MOST_FREQUENT.length
  }
  const [rarest = 0, second = rarest] = [...bytes.keys()].sort(
    (a, b) => frequency(bytes[b] ?? 0) - frequency(bytes[a] ?? 0),
  )
  return [rarest, second]
}

function byteSet(bytes: number[]): Uint8Array {
  const set = new Uint8Array(256)
  for (const byte of bytes) set[byte] = 1
  return set
}

/** Of a letter, in any case. */
function lastBytes(letter: string): number[] {
  const last = Buffer.from(letter).at(-1) ?? 0
  return isAsciiLetter(last) ? [last, last & ~CASE_BIT] : [last]
}

function isAsciiLetter(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a
}

/** What characters are to the letters, by their first two bytes. */
function toCharacterTable(wanted: string[]): Uint8Array {
  const { variants, invisible } = rawLetters()
  const table = new Uint8Array(0x1_00_00)
  const mark = (characters: string[], relevance: number) => {
    for (const character of characters) {
      const place = Buffer.from(character).readUInt16BE()
      table[place] = (table[place] ?? 0) | relevance
    }
  }
  mark(invisible, RELEVANT.between)
  for (const letter of wanted) mark(variants.get(letter) ?? [], RELEVANT.asLetter)
  mark(touchingLigatures(wanted), RELEVANT.asLetter)
  return table
}
