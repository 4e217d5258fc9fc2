import { foldTextOnly } from '../text/fold-text.ts'
import { tokenize } from '../text/tokenize.ts'
import type { QueryText } from './tree/query-tree.ts'

/** A written text as the index knows it; null if it has no letter or digit. `mayGoOn`: its last word may be the beginning of one. */
export function readWords(written: string, mayGoOn: boolean): QueryText | null {
  const folded = foldTextOnly(mayGoOn ? written.replace(/\*$/, '') : written)
  const tokens = tokenize(folded)
  if (tokens.length === 0) return null
  // In `get_*` a word has ended before the star, so nothing of it is left to go on.
  const isPrefix = mayGoOn && tokens.at(-1)?.end === folded.length
  return { kind: 'text', words: tokens.map((token) => token.text), isPrefix }
}
