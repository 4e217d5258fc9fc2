import { foldText } from '@gemini-dash/api/fold-text'
import type { QueryText } from '../query/tree/query-tree.ts'
import { TOKEN, type Token, toToken } from '../text/tokenize.ts'
import type { TextMatcher, TextRange } from './text-matcher.ts'

/** Finds any of the texts, as whole words in a row; of the last word of a prefix only its beginning. */
export function wordsMatcher(texts: QueryText[]): TextMatcher {
  const byFirstWord = new Map<string, QueryText[]>()
  const prefixes = texts.filter(({ words, isPrefix }) => isPrefix && words.length === 1)
  for (const text of texts) {
    const first = text.words[0]
    if (first !== undefined && !prefixes.includes(text))
      byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), text])
  }
  const ranges = (text: string, limit: number): TextRange[] => {
    const folded = foldText(text)
    const start = firstPlace(texts, folded.text)
    if (start < 0) return []
    const tokens = new TokenReader(folded.text, start)
    const found: TextRange[] = []
    for (let index = 0, first = tokens.at(0); first !== undefined && found.length < limit; ) {
      const candidates = byFirstWord.get(first.text)
      const length = longestMatch(
        candidates === undefined ? prefixes : [...candidates, ...prefixes],
        tokens,
        index,
      )
      const last = tokens.at(index + length - 1)
      if (length > 0 && last !== undefined)
        found.push([folded.startInOriginal(first.start), folded.endInOriginal(last.end)])
      index += Math.max(length, 1)
      first = tokens.at(index)
    }
    return found
  }
  return { ranges, isIn: (text) => ranges(text, 1).length > 0 }
}

/** Where the first match begins at the earliest: at the blank before letters that could be one. -1: there is none. */
function firstPlace(texts: QueryText[], folded: string): number {
  const places = texts.map(({ words: [first = ''] }) => folded.indexOf(first)).filter((place) => place >= 0)
  if (places.length === 0) return -1
  const place = Math.min(...places)
  return Math.max(folded.lastIndexOf(' ', place), folded.lastIndexOf('\n', place), 0)
}

/** Words in the longest of the texts that stands here; 0 if none does. */
function longestMatch(texts: QueryText[], tokens: TokenReader, index: number): number {
  let longest = 0
  for (const { words, isPrefix } of texts) {
    const isHere = words.every((word, offset) => {
      const token = tokens.at(index + offset)?.text
      return isPrefix && offset === words.length - 1 ? token?.startsWith(word) : token === word
    })
    if (isHere && words.length > longest) longest = words.length
  }
  return longest
}

/** The words of a folded text from some place on, found when they are asked for: a first match is mostly near. */
class TokenReader {
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
