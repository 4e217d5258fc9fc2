import { JSON_BYTES } from './value-scanner.ts'

const FIRST_PRINTABLE = 32
/** Most names and short values end within this many bytes; beyond, the native search is faster than a loop. */
const SHORT_STRING_BYTES = 48
const LETTER_U = 117
const SLASH = 47
/** Characters allowed after a backslash, besides `/`, and `u` with four digits. */
const ESCAPES = tableOf('"\\bfnrt')
const HEX_DIGITS = tableOf('0123456789abcdefABCDEF')
const UNICODE_DIGITS = 4

/** Finds the ends of successive JSON strings, and checks that `JSON.parse` accepts them; much faster than parsing. */
export class StringScanner {
  /** The last skipped string has characters written as `\u…` or `\/`, so it has other possible encodings. */
  hasOddEscape = false
  readonly #bytes: Uint8Array
  readonly #words: Int32Array
  /** The next backslash found. */
  #backslash = -1

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#words = new Int32Array(bytes.buffer, 0, bytes.buffer.byteLength >>> 2)
  }

  /** @returns the offset after the closing quote; -1 if the string does not end, or is invalid */
  skip(start: number): number {
    this.hasOddEscape = false
    const bytes = this.#bytes
    const shortEnd = Math.min(bytes.length, start + SHORT_STRING_BYTES)
    let at = start
    while (at !== -1 && at < shortEnd) {
      const byte = bytes[at] ?? 0
      if (byte === JSON_BYTES.quote) return at + 1
      if (byte < FIRST_PRINTABLE) return -1
      at = byte === JSON_BYTES.backslash ? this.#skipEscape(at) : at + 1
    }
    return at === -1 ? -1 : this.#skipLong(at)
  }

  #skipLong(start: number): number {
    for (let at = start; at !== -1; ) {
      const quote = this.#bytes.indexOf(JSON_BYTES.quote, at)
      if (quote === -1) return -1
      at = this.#skipEscapes(at, quote)
      if (at === quote) return this.#hasControlCharacter(start, quote) ? -1 : quote + 1
    }
    return -1
  }

  /** @returns `end`, or more if the byte there is escaped; -1 at an invalid escape */
  #skipEscapes(start: number, end: number): number {
    if (this.#backslash < start) this.#backslash = this.#findBackslash(start)
    while (this.#backslash < end) {
      const next = this.#skipEscape(this.#backslash)
      if (next === -1 || next > end) return next
      this.#backslash = this.#findBackslash(next)
    }
    return end
  }

  #findBackslash(from: number): number {
    const found = this.#bytes.indexOf(JSON_BYTES.backslash, from)
    return found === -1 ? this.#bytes.length : found
  }

  #skipEscape(backslash: number): number {
    const letter = this.#bytes[backslash + 1] ?? 0
    if (ESCAPES[letter]) return backslash + 2
    this.hasOddEscape = true
    if (letter === SLASH) return backslash + 2
    const end = backslash + 2 + UNICODE_DIGITS
    const digits = this.#bytes.subarray(backslash + 2, end)
    return letter === LETTER_U &&
      digits.length === UNICODE_DIGITS &&
      digits.every((digit) => HEX_DIGITS[digit])
      ? end
      : -1
  }

  /** Checks sixteen bytes at a time. */
  #hasControlCharacter(start: number, end: number): boolean {
    const words = this.#words
    const base = this.#bytes.byteOffset
    let word = (base + start + 3) >>> 2
    const lastWord = ((base + end) >>> 2) - 3
    if (word >= lastWord) return this.#hasControlByte(start, end)
    if (this.#hasControlByte(start, word * 4 - base)) return true
    let found = 0
    for (; word < lastWord; word += 4) {
      found |=
        controlMark(words[word] ?? 0) |
        controlMark(words[word + 1] ?? 0) |
        controlMark(words[word + 2] ?? 0) |
        controlMark(words[word + 3] ?? 0)
    }
    return (found & 0x80808080) !== 0 || this.#hasControlByte(word * 4 - base, end)
  }

  #hasControlByte(start: number, end: number): boolean {
    for (let at = start; at < end; at += 1) if ((this.#bytes[at] ?? 0) < FIRST_PRINTABLE) return true
    return false
  }
}

/** The highest bit of one of the four bytes is set if one is below 32. */
function controlMark(word: number): number {
  return (word - 0x20202020) & ~word
}

function tableOf(letters: string): Uint8Array {
  const table = new Uint8Array(256)
  for (const letter of letters) table[letter.charCodeAt(0)] = 1
  return table
}
