import { foldText, foldTextOnly } from '@gemini-dash/api/fold-text'
import type { TextMatcher, TextRange } from './text-matcher.ts'

/** Finds the text anywhere, also inside words; case, accents and width do not matter. Null if nothing is left to find. */
export function substringMatcher(wanted: string): TextMatcher | null {
  const needle = foldTextOnly(wanted)
  if (needle.trim() === '') return null
  const asItIs = ASCII.test(needle) ? new RegExp([...needle].map(inAnyCase).join('')) : null
  return {
    isIn: (text) => {
      // Folding makes a second text of each, which takes several times as long as looking for ASCII does.
      if (asItIs?.test(text)) return true
      return !ASCII.test(text) && foldTextOnly(text).includes(needle)
    },
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

const ASCII = /^[\0-\x7f]*$/

function inAnyCase(character: string): string {
  const upper = character.toUpperCase()
  return upper === character ? character.replace(/[^0-9A-Za-z]/, '\\$&') : `[${character}${upper}]`
}

/** Two matches can share a character of the original when it folds to several (`ﬃ`). */
function withoutOverlaps(ranges: TextRange[]): TextRange[] {
  return ranges.filter((range, index) => index === 0 || range[0] >= (ranges[index - 1]?.[1] ?? 0))
}
