/** A word of a folded text; `start` and `end` are offsets in it. */
export interface Token {
  text: string
  start: number
  end: number
}

/**
 * The words of a folded text: runs of letters and digits. Scripts that are written without blanks
 * (and emoji) give one word for each character, so that any piece of them can be found as a phrase.
 */
export function tokenize(folded: string): Token[] {
  return [...folded.matchAll(TOKEN)].map(toToken)
}

export function toToken({ 0: text, index: start }: RegExpExecArray): Token {
  return { text, start, end: start + text.length }
}

const BLANKLESS_SCRIPTS = [
  'Han',
  'Hira',
  'Kana',
  'Hang',
  'Bopo',
  'Yiii',
  'Thai',
  'Laoo',
  'Khmr',
  'Mymr',
  'Tibt',
]
const BLANKLESS = BLANKLESS_SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')
const WORD = '\\p{L}\\p{N}\\p{M}'
const SINGLE = `(?=[${WORD}])[${BLANKLESS}]|(?![\\0-\\x7f])\\p{Emoji_Presentation}`
export const TOKEN = new RegExp(`[a-z0-9]+(?![${WORD}])|${SINGLE}|(?:(?!${SINGLE})[${WORD}])+`, 'gu')

/** For text that is about to be split by the index: one group for a word of its own, one for a word's piece. */
export const INDEX_PIECE = new RegExp(`(?<single>${SINGLE})|(?<word>[${WORD}]|[\\0-\\x7f])|.`, 'gsu')
