import { TOKEN, type Token, toToken } from './tokenize.ts'

/** The words of a folded text from some place on, found when they are asked for: a first match is mostly near. */
export class TokenReader {
  readonly #folded: string
  readonly #pattern = new RegExp(TOKEN)
  readonly #known: Token[] = []

  /** `start` must not lie within a word. */
  constructor(folded: string, start: number) {
    this.#folded = folded
    this.#pattern.lastIndex = start
  }

  at(index: number): Token | undefined {
    while (this.#known.length <= index) {
      const match = this.#pattern.exec(this.#folded)
      if (match === null) {
        // Where nothing follows, the pattern would begin anew.
        this.#pattern.lastIndex = this.#folded.length
        return undefined
      }
      this.#known.push(toToken(match))
    }
    return this.#known[index]
  }
}
