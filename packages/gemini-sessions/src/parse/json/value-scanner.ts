import { isBlankByte } from './bytes.ts'
import { JSON_BYTES } from './json-bytes.ts'

/** Most names and short values end within so many bytes; behind that the native search is faster than a loop. */
const SHORT_STRING_BYTES = 48

/**
 * Finds the end of one JSON value in bytes that come in pieces cut anywhere. Knows strings, escapes and depth;
 * whether the value is valid is left to `JSON.parse`.
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

  /** One that begins between two fields of an object, and finds its end. */
  static inside(): ValueScanner {
    const scanner = new ValueScanner(JSON_BYTES.objectStart)
    scanner.#depth = 1
    return scanner
  }

  /** Lists and objects that are open. */
  get depth(): number {
    return this.#depth
  }

  get isInString(): boolean {
    return this.#isInString
  }

  /** Where the value ends, as the offset behind its last byte; -1 where it goes on in the next piece. */
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

  /** Goes on behind the closing quote or, where there is none yet, to the end. */
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
      this.#isEscaped = countBackslashes(bytes, from, end) % 2 === 1
      if (quote === -1) return end
      this.#isInString = this.#isEscaped
      this.#isEscaped = false
      from = quote + 1
      if (!this.#isInString) return from
    }
  }
}

/** Backslashes directly before `end`, not further back than `start`. */
function countBackslashes(bytes: Uint8Array, start: number, end: number): number {
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
