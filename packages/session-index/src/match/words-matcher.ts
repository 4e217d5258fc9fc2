import { foldText } from '../text/fold-text.ts'
import { type Token, tokenize } from '../text/tokenize.ts'
import type { Phrase } from './parse-words.ts'
import type { TextMatcher, TextRange } from './text-matcher.ts'

/** Finds any of the phrases, as whole words in a row. */
export function wordsMatcher(phrases: Phrase[]): TextMatcher {
  const byFirstWord = new Map<string, Phrase[]>()
  for (const phrase of phrases) {
    const first = phrase[0]
    if (first !== undefined) byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), phrase])
  }
  const ranges = (text: string, limit: number): TextRange[] => {
    const folded = foldText(text)
    const tokens = tokenize(folded.text)
    const found: TextRange[] = []
    for (let index = 0; index < tokens.length && found.length < limit; ) {
      const length = longestMatch(byFirstWord.get(tokens[index]?.text ?? ''), tokens, index)
      const first = tokens[index]
      const last = tokens[index + length - 1]
      if (length > 0 && first !== undefined && last !== undefined) {
        found.push([folded.startInOriginal(first.start), folded.endInOriginal(last.end)])
      }
      index += Math.max(length, 1)
    }
    return found
  }
  return { ranges, isIn: (text) => ranges(text, 1).length > 0 }
}

/** Words in the longest of the phrases that stands here; 0 if none does. */
function longestMatch(phrases: Phrase[] | undefined, tokens: Token[], index: number): number {
  let longest = 0
  for (const phrase of phrases ?? []) {
    const isHere = phrase.every((word, offset) => tokens[index + offset]?.text === word)
    if (isHere && phrase.length > longest) longest = phrase.length
  }
  return longest
}
