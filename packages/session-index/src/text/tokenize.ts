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
  const tokens: Token[] = []
  for (const match of folded.matchAll(TOKEN)) {
    tokens.push({ text: match[0], start: match.index, end: match.index + match[0].length })
  }
  return tokens
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
const TOKEN = new RegExp(`[a-z0-9]+(?![${WORD}])|${SINGLE}|(?:(?!${SINGLE})[${WORD}])+`, 'gu')

/** For text that is about to be split by the index: one group for a word of its own, one for a word's piece. */
export const INDEX_PIECE = new RegExp(`(?<single>${SINGLE})|(?<word>[${WORD}]|[\\0-\\x7f])|.`, 'gsu')
