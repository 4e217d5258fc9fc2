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
    // each character is read once, and only within the text: both make the loop faster by a quarter
    let [first, second, third] = [codeAt(text, 0), codeAt(text, 1), codeAt(text, 2)]
    const end = Math.max(0, text.length - 3)
    for (let at = 0; at < end; at++) {
      const fourth = text.charCodeAt(at + 3)
      // wide characters collide with others: the literal itself decides
      const pair = ((first & 127) << 7) | (second & 127)
      const bits = ((thirds[pair] as number) >>> (third & 31)) & ((fourths[pair] as number) >>> (fourth & 31))
      if ((bits & 1) === 1) this.#visit(text, at, (pair << 7) | (third & 127), visit)
      first = second
      second = third
      third = fourth
    }
    for (let at = end; at < text.length - 1; at++)
      this.#visit(
        text,
        at,
        (codeAt(text, at) << 14) | (codeAt(text, at + 1) << 7) | codeAt(text, at + 2),
        visit,
      )
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

/** The low seven bits of a character's code; 0 at the end of the text. */
function codeAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) & 127 : 0
}
