/** The letters that follow each letter in at least 0.08 % of the letter pairs in English words and code, which tokens consist of. */
const PAIRS =
  'abcdfgiklmnprstvy baelosy cacehklortu dadeios eabcdeflmnpqrstvwxy faiortu gehior haeior icdefglmnoprstv jes kes ladeilostuy mabeimops nacdegilostu obcdfgklmnoprstuvw paeiloprstu qu racdeikmnorstuy sacehikoprstuw tacehimorstuy ucelmnprst vei waehinors xpt yst'
const LETTERS = 26
/** The same for Russian, from 0.3 %. */
const CYRILLIC_PAIRS =
  'авезйклмнрт ваеоы го даело едклмнрст же зао иезимнрстя йл каио лаеиоья маео наеиноты обвгджйклмнпрст паеор раеио сиклоптя тавеиорсь фа ци че ыйх ьз'
const CYRILLIC_LETTERS = 32
const FIRST_CYRILLIC = 0x430

/** 1 for each of these pairs. */
function tableOf(pairs: string, letters: number, firstCode: number): Uint8Array {
  const table = new Uint8Array(letters * letters)
  for (const [first = '', ...seconds] of pairs.split(' '))
    for (const second of seconds)
      table[(first.charCodeAt(0) - firstCode) * letters + second.charCodeAt(0) - firstCode] = 1
  return table
}

const COMMON_PAIRS = tableOf(PAIRS, LETTERS, 97)
const COMMON_CYRILLIC_PAIRS = tableOf(CYRILLIC_PAIRS, CYRILLIC_LETTERS, FIRST_CYRILLIC)

/** Units that no token extends beyond: words as in `camelCase`, digits, spaces, marks. */
const PIECE = /\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|[\p{L}\p{M}]+|\p{N}| +|[^\S\n]+|\n+|([\p{P}\p{S}])\1*|[\s\S]/uy
/** Safety factor on the measured values. */
const MARGIN = 1.1
/** Long runs of spaces are one token; this limits how much text is read per token. */
const LETTERS_OF_A_TOKEN = 20
/** In a short text, single pieces weigh more than on average. */
const SHORT_TEXT_TOKENS = 4

/**
 * Upper bound for the tokens of a text, computed without a tokenizer, for Gemini (SentencePiece) and GPT (o200k). A quarter too high for
 * English and code, up to a quarter for Chinese, Japanese and Korean, a third for Russian, up to a half for others. Random letters of a
 * known script can take more, and Esperanto and Xhosa take up to a twentieth more.
 */
export function tokenBound(text: string): number {
  return text === '' ? 0 : Math.ceil(tokenWeight(text)) + SHORT_TEXT_TOKENS
}

/** The same for part of a text: parts that end with a line add up. Not rounded. */
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

/** Most texts are ASCII, whose pieces a loop finds several times faster. Returns `at` if the piece has other characters. */
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
/** For a run of spaces. */
const BLANKS = 1.3
/** For ASCII. */
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

/** The beginning of a text that takes at most this many tokens; ends with `…` if cut. */
export function cutToTokens(text: string, tokens: number): string {
  // a longer text cannot take fewer tokens
  const most = text.slice(0, tokens * LETTERS_OF_A_TOKEN)
  if (most === text && tokenWeight(text) <= tokens) return text
  let kept = 0
  for (let step = most.length; step >= 1; step = step === 1 ? 0 : Math.ceil(step / 2))
    if (kept + step <= most.length && tokenWeight(most.slice(0, kept + step)) + 1 <= tokens) kept += step
  const end = /[\ud800-\udbff]$/.test(most.slice(0, kept)) ? kept - 1 : kept
  return kept === 0 ? '' : `${most.slice(0, end).trimEnd()}…`
}

/** A space belongs to the next word; before a digit it is separate. */
function weighBlank(next: number): number {
  return isDigit(next) ? 1 : 0
}

/** A short word with one of these is a syllable of Vietnamese. */
const TONES = /[ơưảấầẩẫậắằẳẵặẻẽếềểễệỉỏốồổỗộớờởỡợủứừửữựỳỷỹỵ]/

function weighPiece(piece: string): number {
  if (piece.length < 9 && TONES.test(piece)) return 1
  const code = piece.codePointAt(0) ?? 0
  if (/^[\p{L}\p{M}]/u.test(piece)) return code < 0x250 ? weighLatin(piece) : weighForeign(piece, code)
  if (/^[\p{P}\p{S}]/u.test(piece)) return weighSymbols(piece, code)
  if (/^\p{N}/u.test(piece)) return code < 128 ? 1 : 2
  return /^\s/.test(piece) || code < 0x3000 ? BLANKS : 3
}

/** A short word of common letter pairs is one token; random letters take nearly one token each. */
function weighLatin(word: string): number {
  let weight = 1 + Math.max(0, word.length - 6) * 0.12
  let before = letterOf(word.charCodeAt(0))
  for (let at = 1; at < word.length; at++) {
    const letter = letterOf(word.charCodeAt(at))
    if (before < 0 || letter < 0 || COMMON_PAIRS[before * LETTERS + letter] !== 1) weight += 0.7
    // each byte of rare letters and combining marks is a token
    if (word.charCodeAt(at) >= 0x180 && !isVietnamese(word.charCodeAt(at))) weight += 1.2
    before = letter
  }
  const isUpperCase = word.length > 1 && isUpper(word.charCodeAt(0)) && isUpper(word.charCodeAt(1))
  return isUpperCase ? weight + (word.length - 1) * 0.2 : weight
}

/** Its position in the alphabet; -1 if not in it. */
function letterOf(code: number): number {
  const lower = isUpper(code) ? code + 32 : code
  return isLower(lower) ? lower - 97 : -1
}

/** Outside the scripts that tokenizers know, each byte is a token. */
const BYTES = 2.75

function isVietnamese(code: number): boolean {
  return code >= 0x1ea0 && code < 0x1f00
}

/** A run of one symbol: lines of a table take few tokens. */
function weighSymbols(run: string, code: number): number {
  if (code < 128) return run.length * MARK
  if (code >= 0x10000) return run.length * 1.5
  // lines, blocks and shapes
  if (code >= 0x2500 && code < 0x2600) return 1.3 + (run.length - 1) * 0.3
  const isCjk = code >= 0x3000 && code < 0x3040
  return (
    run.length *
    (code < 0x2040 ? 0.8 : code < 0x2500 ? 1.3 : isCjk ? 1 : code < 0x2800 || code >= 0xff00 ? 2 : BYTES)
  )
}

function weighForeign(word: string, code: number): number {
  if (code >= 0x400 && code < 0x530) return weighCyrillic(word)
  let weight = code < 0x600 ? 0.5 : 0
  for (const letter of word) weight += weighLetter(letter.codePointAt(0) ?? 0)
  return weight
}

/** As in `weighLatin`. */
function weighCyrillic(word: string): number {
  const isUpperCase = word.length > 1 && word === word.toUpperCase()
  let weight = 1.3 + Math.max(0, word.length - 6) * 0.04 + (isUpperCase ? (word.length - 1) * 0.45 : 0)
  const lower = word.toLowerCase().replaceAll('ё', 'е')
  let before = lower.charCodeAt(0) - FIRST_CYRILLIC
  for (let at = 1; at < lower.length; at++) {
    const letter = lower.charCodeAt(at) - FIRST_CYRILLIC
    if (!isRussian(before) || !isRussian(letter)) weight += 1.1
    else if (COMMON_CYRILLIC_PAIRS[before * CYRILLIC_LETTERS + letter] !== 1) weight += 0.5
    before = letter
  }
  return weight
}

function isRussian(letter: number): boolean {
  return letter >= 0 && letter < CYRILLIC_LETTERS
}

function weighLetter(code: number): number {
  if (code >= 0x3040 && code < 0x3100) return 0.72
  if ((code >= 0x4e00 && code < 0xa000) || (code >= 0xac00 && code < 0xd7a4)) return weighCharacter(code)
  const known = SCRIPTS.find(([first, last]) => code >= first && code <= last)
  return known?.[2] ?? (code < 0x10000 ? BYTES : 3.7)
}

/** First and last letter, and tokens for each. */
const SCRIPTS: [first: number, last: number, weight: number][] = [
  [0x250, 0x52f, 0.42],
  [0x530, 0x58f, 0.6],
  [0x590, 0x5ff, 0.42],
  [0x600, 0x66f, 0.45],
  [0x6a9, 0x6a9, 0.45],
  [0x6cc, 0x6cc, 0.45],
  [0x670, 0x6ff, 1.7],
  [0x900, 0x97f, 0.5],
  [0x9f0, 0x9f1, 3],
  [0x980, 0x9ff, 0.62],
  [0xa00, 0xaff, 0.78],
  [0xb00, 0xb7f, 1.1],
  [0xb80, 0xbff, 0.48],
  [0xc00, 0xcff, 0.68],
  [0xd00, 0xd7f, 0.57],
  [0xd80, 0xdff, 0.92],
  [0xe00, 0xe7f, 0.4],
  [0xe80, 0xfff, 1.7],
  [0x1000, 0x109f, 0.85],
  [0x10a0, 0x10cf, 1.6],
  [0x10d0, 0x10ff, 0.7],
  [0x1200, 0x139f, 2.2],
  [0x1780, 0x17ff, 0.9],
  [0x1ea0, 0x1eff, 0.9],
  [0xff00, 0xffef, 1.6],
]

/** Tokens for each of the most common Chinese, Japanese and Korean characters, by its code. */
let characters: Map<number, number> | null = null

/** All others are bytes. */
function weighCharacter(code: number): number {
  characters ??= new Map([
    ...charactersOf('big5', 0xa4, 0xc6, 1.1),
    ...charactersOf('euc-jp', 0xb0, 0xcf, 1.1),
    ...charactersOf('euc-kr', 0xb0, 0xc8, 0.85),
    ...charactersOf('gb2312', 0xb0, 0xd7, 0.68),
  ])
  return characters.get(code) ?? BYTES
}

/** The first level of a standard is its common characters: what these lead bytes begin. */
function charactersOf(encoding: string, first: number, last: number, weight: number): [number, number][] {
  const pairs: number[] = []
  for (let lead = first; lead <= last; lead++)
    for (
      let trail = encoding === 'big5' ? 0x40 : 0xa1;
      trail < 0xff;
      trail = trail === 0x7e ? 0xa1 : trail + 1
    )
      pairs.push(lead, trail)
  return [...new TextDecoder(encoding).decode(Uint8Array.from(pairs))].map((character) => [
    character.charCodeAt(0),
    weight,
  ])
}
