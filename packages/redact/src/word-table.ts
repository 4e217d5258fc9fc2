const PAIRS = (1 << 14) - 1
const ALL_BITS = Array.from({ length: 32 }, (_, bit) => bit)

interface Entry<Found> {
  literal: string
  found: Found
}

/** Literals by how they begin, so that one pass over a text looks for all of them. */
export class WordTable<Found> {
  /** By the first two characters: for each that may be the third a bit, which it shares with others. */
  readonly #thirds = new Int32Array(1 << 14)
  /** By the first two and that bit: the same of the fourth. */
  readonly #fourths = new Int32Array(1 << 19)
  /** By the first two and that bit. */
  readonly #entries = new Map<number, Entry<Found>[]>()

  /** @param words of two characters at least, the first two of ASCII */
  constructor(words: Iterable<readonly [literal: string, found: Found]>) {
    for (const [literal, found] of words) {
      const pair = (literal.charCodeAt(0) << 7) | literal.charCodeAt(1)
      const fourth = literal.length > 3 ? 1 << (literal.charCodeAt(3) & 31) : -1
      for (const bit of literal.length > 2 ? [literal.charCodeAt(2) & 31] : ALL_BITS) {
        const key = (pair << 5) | bit
        this.#thirds[pair] = (this.#thirds[pair] ?? 0) | (1 << bit)
        this.#fourths[key] = (this.#fourths[key] ?? 0) | fourth
        const entries = this.#entries.get(key)
        if (entries === undefined) this.#entries.set(key, [{ literal, found }])
        else entries.push({ literal, found })
      }
    }
  }

  /** Hands over each place where a literal begins. */
  each(text: string, visit: (found: Found, at: number) => void): void {
    const thirds = this.#thirds
    const fourths = this.#fourths
    let pair = text.charCodeAt(0)
    for (let at = 0; at < text.length - 1; at++) {
      // wide characters fall on pairs of others: the literal itself decides
      pair = ((pair << 7) | text.charCodeAt(at + 1)) & PAIRS
      const bits = thirds[pair] as number
      if (bits === 0) continue
      const bit = text.charCodeAt(at + 2) & 31
      if (((bits >>> bit) & 1) === 0) continue
      const key = (pair << 5) | bit
      if ((((fourths[key] as number) >>> (text.charCodeAt(at + 3) & 31)) & 1) === 1)
        this.#visit(text, at, key, visit)
    }
  }

  #visit(text: string, at: number, key: number, visit: (found: Found, at: number) => void): void {
    for (const { literal, found } of this.#entries.get(key) ?? [])
      if (text.startsWith(literal, at)) visit(found, at)
  }
}
