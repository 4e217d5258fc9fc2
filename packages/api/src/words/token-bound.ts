/** What follows each letter in at least 0.08 % of the letter pairs of English words and code: what tokens are made of. */
const PAIRS =
  'abcdfgiklmnprstvy baelosy cacehklortu dadeios eabcdeflmnpqrstvwxy faiortu gehior haeior icdefglmnoprstv jes kes ladeilostuy mabeimops nacdegilostu obcdfgklmnoprstuvw paeiloprstu qu racdeikmnorstuy sacehikoprstuw tacehimorstuy ucelmnprst vei waehinors xpt yst'
const LETTERS = 26
/** 1 at the places of those pairs. */
const COMMON_PAIRS = new Uint8Array(LETTERS * LETTERS)
for (const [first = '', ...seconds] of PAIRS.split(' '))
  for (const second of seconds)
    COMMON_PAIRS[(first.charCodeAt(0) - 97) * LETTERS + second.charCodeAt(0) - 97] = 1
/** What of a text tokens never reach over: words as `camelCase` parts them, digits, blanks, marks. */
const PIECE = /\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|[\p{L}\p{M}]+|\p{N}| +|[^\S\n]+|\n+|[\p{P}\p{S}]|[\s\S]/uy
/** So much less than measured is reckoned for nothing. */
const MARGIN = 1.1
/** A run of blanks takes one however long it is; nobody wants to read more of it. */
const LETTERS_OF_A_TOKEN = 20
/** Of a short text, single pieces weigh more than they do on average. */
const SHORT_TEXT_TOKENS = 4

/**
 * Tokens of a text, reckoned without a tokenizer so that those of Gemini (SentencePiece) and of GPT (o200k) count no more. Of
 * English and code it is about a sixth too high, of other scripts more.
 */
export function tokenBound(text: string): number {
  return text === '' ? 0 : Math.ceil(tokenWeight(text)) + SHORT_TEXT_TOKENS
}

/** The same of a part of a text: parts that end with a line add up. Not rounded. */
export function tokenWeight(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; ) {
    const end = endOfAscii(text, at)
    if (end > at) {
      sum += weighAscii(text, at, end)
      at = end
      continue
    }
    PIECE.lastIndex = at
    const piece = PIECE.exec(text)?.[0] ?? text.charAt(at)
    sum += piece === ' ' ? weighBlank(text.charCodeAt(at + 1)) : weighPiece(piece)
    at += piece.length
  }
  return sum * MARGIN
}

/** Most texts are ASCII, whose pieces a loop finds several times faster. `at` itself: this piece has other letters. */
function endOfAscii(text: string, at: number): number {
  const code = text.charCodeAt(at)
  let end = at + 1
  if (isLower(code) || isUpper(code)) {
    const isRest = isUpper(code) && !isLower(text.charCodeAt(end)) ? isUpper : isLower
    while (isRest(text.charCodeAt(end))) end++
    return text.charCodeAt(end) >= 128 ? at : end
  }
  if (code === SPACE || code === NEWLINE) {
    while (text.charCodeAt(end) === code) end++
    return end
  }
  return code > SPACE && code < 127 ? end : at
}

function weighAscii(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at)
  if (isLower(code) || isUpper(code)) return weighLatin(text.slice(at, end))
  if (code === SPACE && end === at + 1) return weighBlank(text.charCodeAt(end))
  if (code === SPACE || code === NEWLINE) return BLANKS
  return isDigit(code) ? 1 : MARK
}

const SPACE = 32
const NEWLINE = 10
/** Of a run of them. */
const BLANKS = 1.3
/** Of ASCII. */
const MARK = 0.75

function isLower(code: number): boolean {
  return code >= 97 && code <= 122
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** The beginning of a text that takes at most so many tokens; what was cut ends with `…`. */
export function cutToTokens(text: string, tokens: number): string {
  // no text of so many letters takes fewer
  const most = text.slice(0, tokens * LETTERS_OF_A_TOKEN)
  if (most === text && tokenWeight(text) <= tokens) return text
  let kept = 0
  for (let step = most.length; step >= 1; step = step === 1 ? 0 : Math.ceil(step / 2))
    if (kept + step <= most.length && tokenWeight(most.slice(0, kept + step)) + 1 <= tokens) kept += step
  const end = /[\ud800-\udbff]$/.test(most.slice(0, kept)) ? kept - 1 : kept
  return kept === 0 ? '' : `${most.slice(0, end).trimEnd()}…`
}

/** It belongs to the word behind it; a digit stands alone. */
function weighBlank(next: number): number {
  return isDigit(next) ? 1 : 0
}

function weighPiece(piece: string): number {
  const code = piece.codePointAt(0) ?? 0
  if (/^[\p{L}\p{M}]/u.test(piece)) return code < 0x250 ? weighLatin(piece) : weighForeign(piece, code)
  if (/^[\p{P}\p{S}]/u.test(piece)) return code < 128 ? MARK : code < 0x2600 ? 0.8 : code < 0x10000 ? 2 : 3
  if (/^\p{N}/u.test(piece)) return code < 128 ? 1 : 2
  return /^\s/.test(piece) || code < 0x3000 ? BLANKS : 3
}

/** A word is one token where it is short and made of what many words are made of; a random one is nearly one a letter. */
function weighLatin(word: string): number {
  let weight = 1 + Math.max(0, word.length - 6) * 0.12
  let before = letterOf(word.charCodeAt(0))
  for (let at = 1; at < word.length; at++) {
    const letter = letterOf(word.charCodeAt(at))
    if (before < 0 || letter < 0 || COMMON_PAIRS[before * LETTERS + letter] !== 1) weight += 0.6
    before = letter
  }
  const isUpperCase = word.length > 1 && isUpper(word.charCodeAt(0)) && isUpper(word.charCodeAt(1))
  return isUpperCase ? weight + (word.length - 1) * 0.2 : weight
}

/** Its place in the alphabet; -1: it is none of its letters. */
function letterOf(code: number): number {
  const lower = isUpper(code) ? code + 32 : code
  return isLower(lower) ? lower - 97 : -1
}

function weighForeign(word: string, code: number): number {
  if (code < 0x600) return 0.5 + word.length * 0.42
  return word.length * (code < 0x1100 ? 0.6 : code < 0x3000 ? 0.9 : 0.85)
}
