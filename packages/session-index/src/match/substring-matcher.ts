import { foldText, foldTextOnly } from '../text/fold-text.ts'
import type { TextMatcher, TextRange } from './text-matcher.ts'

/** Finds the text anywhere, also inside words; case, accents and width do not matter. Null if nothing is left to find. */
export function substringMatcher(wanted: string): TextMatcher | null {
  const needle = foldTextOnly(wanted)
  if (needle.trim() === '') return null
  return {
    isIn: (text) => foldTextOnly(text).includes(needle),
    ranges: (text, limit) => {
      const folded = foldText(text)
      const found: TextRange[] = []
      let at = folded.text.indexOf(needle)
      while (at >= 0 && found.length < limit) {
        const end = at + needle.length
        found.push([folded.startInOriginal(at), folded.endInOriginal(end)])
        at = folded.text.indexOf(needle, end)
      }
      return withoutOverlaps(found)
    },
  }
}

/** Two matches can share a character of the original when it folds to several (`ﬃ`). */
function withoutOverlaps(ranges: TextRange[]): TextRange[] {
  return ranges.filter((range, index) => index === 0 || range[0] >= (ranges[index - 1]?.[1] ?? 0))
}
