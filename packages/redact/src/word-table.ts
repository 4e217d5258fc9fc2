/** Two ASCII characters. */
const PAIRS = (1 << 14) - 1
const ASCII = Array.from({ length: 128 }, (_, code) => code)

interface Entry<Found> {
  literal: string
  found: Found
}

/** Literals indexed by their first characters, so that one pass over a text finds all of them. */
export class WordTable<Found> {
  /**
   * By the first two characters: one bit for each possible third and fourth, shared with others. Small enough for the processor's cache, and
   * cheap to fill: a table is made for a single text as well.
   */
  readonly #thirds = new Int32Array(PAIRS + 1)
  readonly #fourths = new Int32Array(PAIRS + 1)
  /** By the first three characters. */
  readonly #entries = new Map<number, Entry<Found>[]>()

  /** @param words at least two characters each, the first two ASCII */
  constructor(words: Iterable<readonly [literal: string, found: Found]>) {
    for (const [literal, found] of words) {
      const pair = (literal.charCodeAt(0) << 7) | literal.charCodeAt(1)
      this.#thirds[pair] = (this.#thirds[pair] as number) | bitOf(literal, 2)
      this.#fourths[pair] = (this.#fourths[pair] as number) | bitOf(literal, 3)
      for (const third of literal.length > 2 ? [literal.charCodeAt(2) & 127] : ASCII) {
        const key = (pair << 7) | third
        const entries = this.#entries.get(key)
        if (entries === undefined) this.#entries.set(key, [{ literal, found }])
        else entries.push({ literal, found })
      }
    }
  }

  /** Visits each place where a literal begins. */
  each(text: string, visit: (found: Found, at: number) => void): void {
    const thirds = this.#thirds
    const fourths = this.#fourths
    let pair = text.charCodeAt(0)
    for (let at = 0; at < text.length - 1; at++) {
      // wide characters collide with others: the literal itself decides
      pair = ((pair << 7) | (text.charCodeAt(at + 1) & 127)) & PAIRS
      const bits = thirds[pair] as number
      if (bits === 0) continue
      const third = text.charCodeAt(at + 2)
      if (((bits >>> (third & 31)) & 1) === 0) continue
      if ((((fourths[pair] as number) >>> (text.charCodeAt(at + 3) & 31)) & 1) === 1)
        this.#visit(text, at, (pair << 7) | (third & 127), visit)
    }
  }

  #visit(text: string, at: number, key: number, visit: (found: Found, at: number) => void): void {
    for (const { literal, found } of this.#entries.get(key) ?? [])
      if (text.startsWith(literal, at)) visit(found, at)
  }
}

/** All bits if the literal ends before that character. */
function bitOf(literal: string, at: number): number {
  return at < literal.length ? 1 << (literal.charCodeAt(at) & 31) : -1
}
