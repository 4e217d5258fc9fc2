/** Three ASCII characters. */
const BEGINNINGS = (1 << 21) - 1
const ASCII = Array.from({ length: 128 }, (_, code) => code)

interface Entry<Found> {
  literal: string
  found: Found
}

/** Literals indexed by their first three characters, so that one pass over a text finds all of them. */
export class WordTable<Found> {
  /** By the first three characters: one bit for each possible fourth, shared with others. */
  readonly #fourths = new Int32Array(BEGINNINGS + 1)
  readonly #entries = new Map<number, Entry<Found>[]>()

  /** @param words at least two characters each, the first two ASCII */
  constructor(words: Iterable<readonly [literal: string, found: Found]>) {
    for (const [literal, found] of words) {
      const pair = (literal.charCodeAt(0) << 14) | (literal.charCodeAt(1) << 7)
      const fourth = literal.length > 3 ? 1 << (literal.charCodeAt(3) & 31) : -1
      for (const third of literal.length > 2 ? [literal.charCodeAt(2) & 127] : ASCII) {
        const key = pair | third
        this.#fourths[key] = (this.#fourths[key] ?? 0) | fourth
        const entries = this.#entries.get(key)
        if (entries === undefined) this.#entries.set(key, [{ literal, found }])
        else entries.push({ literal, found })
      }
    }
  }

  /** Visits each place where a literal begins. */
  each(text: string, visit: (found: Found, at: number) => void): void {
    const fourths = this.#fourths
    let key = (text.charCodeAt(0) << 7) | text.charCodeAt(1)
    for (let at = 0; at < text.length - 1; at++) {
      // wide characters collide with others: the literal itself decides
      key = ((key << 7) | (text.charCodeAt(at + 2) & 127)) & BEGINNINGS
      const bits = fourths[key] as number
      if (bits !== 0 && ((bits >>> (text.charCodeAt(at + 3) & 31)) & 1) === 1)
        this.#visit(text, at, key, visit)
    }
  }

  #visit(text: string, at: number, key: number, visit: (found: Found, at: number) => void): void {
    for (const { literal, found } of this.#entries.get(key) ?? [])
      if (text.startsWith(literal, at)) visit(found, at)
  }
}
