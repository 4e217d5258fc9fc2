import { foldText, foldTextOnly } from '@gemini-dash/api/fold-text'
import type { ResolvedQuery } from '../contract.ts'
import { type QueryText, wantedTexts } from '../query/tree.ts'
import { TOKEN, type Token, toToken } from '../text.ts'
import type { TextMatcher, TextRange } from './text-matcher.ts'

interface QueryMatcher {
  /** null: the query has nothing to find in a text. */
  matcher: TextMatcher | null
  notes: string[]
}

/**
 * The matcher for a query, by its mode. Any text is a valid query: what cannot be parsed is taken literally, with a note.
 *
 * @param check see `regexMatcher`
 */
export async function queryMatcher(
  { mode, tree, pattern }: ResolvedQuery,
  check?: () => void,
): Promise<QueryMatcher> {
  if (mode === 'words') {
    const texts = tree === null ? [] : wantedTexts(tree)
    return { matcher: texts.length === 0 ? null : wordsMatcher(texts), notes: [] }
  }
  if (pattern.trim() === '') {
    const notes = tree === null ? ['Nothing to search for: the query is empty.'] : []
    return { matcher: null, notes }
  }
  // The regular expression engine is large and rarely used.
  const regex = mode === 'regex' ? (await import('./regex-matcher.ts')).regexMatcher(pattern, check) : null
  if (regex !== null && !('problem' in regex)) return { matcher: regex, notes: [] }
  const matcher = substringMatcher(pattern, check)
  const notes =
    regex === null
      ? []
      : [`This pattern cannot be read (${regex.problem}), so it was searched for literally.`]
  return {
    matcher,
    notes:
      matcher === null ? [...notes, 'Nothing to search for: the query has no visible characters.'] : notes,
  }
}

/** A longer text is searched in pieces, with a time check between them. */
const PIECE_LENGTH = 1024 * 1024
/** Maximum number of original characters per folded one. */
const FOLDED_OF = 8

/**
 * Finds the text anywhere, also inside words; ignores case, accents and width. Null if nothing is left to find.
 *
 * @param check called repeatedly during a long text; its errors end the search
 */
export function substringMatcher(wanted: string, check: () => void = () => {}): TextMatcher | null {
  const needle = foldTextOnly(wanted)
  if (needle.trim() === '') return null
  const asItIs = ASCII.test(needle) ? new RegExp([...needle].map(inAnyCase).join('')) : null
  const isInPiece = (text: string) => {
    // Folding copies each text, which takes several times as long as an ASCII search.
    if (asItIs?.test(text)) return true
    return !ASCII.test(text) && foldTextOnly(text).includes(needle)
  }
  return {
    isIn: (text) => {
      if (text.length <= PIECE_LENGTH) return isInPiece(text)
      const step = PIECE_LENGTH - needle.length * FOLDED_OF
      for (let at = 0; at < text.length; at += step) {
        check()
        if (isInPiece(text.slice(at, at + PIECE_LENGTH))) return true
      }
      return false
    },
    ranges: (text, limit) => {
      check()
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

/** Two matches can share a character of the original if it folds to several (`ﬃ`). */
function withoutOverlaps(ranges: TextRange[]): TextRange[] {
  return ranges.filter((range, index) => index === 0 || range[0] >= (ranges[index - 1]?.[1] ?? 0))
}

/** Finds any of the texts, as consecutive whole words; the last word of a prefix only needs to start with it. */
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

/** The earliest possible start of a match: the space before letters that may match. -1: none. */
function firstPlace(texts: QueryText[], folded: string): number {
  const places = texts.map(({ words: [first = ''] }) => folded.indexOf(first)).filter((place) => place >= 0)
  if (places.length === 0) return -1
  const place = Math.min(...places)
  return Math.max(folded.lastIndexOf(' ', place), folded.lastIndexOf('\n', place), 0)
}

/** Words in the longest of the texts at this position; 0 if none. */
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

/** The words of a folded text from some position on, found lazily: a first match is usually near. */
class TokenReader {
  readonly #folded: string
  readonly #pattern = new RegExp(TOKEN)
  readonly #known: Token[] = []

  /** `start` must not be inside a word. */
  constructor(folded: string, start: number) {
    this.#folded = folded
    this.#pattern.lastIndex = start
  }

  at(index: number): Token | undefined {
    while (this.#known.length <= index) {
      const match = this.#pattern.exec(this.#folded)
      if (match === null) {
        // Otherwise the pattern would restart from the beginning.
        this.#pattern.lastIndex = this.#folded.length
        return undefined
      }
      this.#known.push(toToken(match))
    }
    return this.#known[index]
  }
}

export interface Snippet {
  /** A verbatim piece of the text. */
  snippet: string
  /** Offsets into the snippet. */
  ranges: TextRange[]
}

const SNIPPET_LENGTH = 160
const LENGTH_BEFORE = 48
/** How far an edge may move outwards to end at whitespace. */
const EDGE_LENGTH = 16

/** About 160 characters around the first match, with all matches in them. */
export function cutSnippet(text: string, matcher: TextMatcher): Snippet {
  const first = matcher.ranges(text, 1)[0] ?? [0, 0]
  const start = afterCutTag(text, wholeWordStart(text, Math.max(0, first[0] - LENGTH_BEFORE)), first[0])
  const wantedEnd = Math.max(start + SNIPPET_LENGTH, Math.min(first[1], first[0] + 4 * SNIPPET_LENGTH))
  const end = beforeCutTag(text, wholeWordEnd(text, Math.min(text.length, wantedEnd)), first[1])
  return { snippet: text.slice(start, end), ranges: rangesWithin(text, matcher, start, end) }
}

function rangesWithin(text: string, matcher: TextMatcher, start: number, end: number): TextRange[] {
  // Reads a little beyond the end, so that a cut word is not taken for a whole one.
  const upToEnd = text.slice(0, end + SNIPPET_LENGTH)
  return matcher
    .ranges(upToEnd, end - start + SNIPPET_LENGTH)
    .filter(([from, to]) => from < end && to > start)
    .map(([from, to]): TextRange => [Math.max(from, start) - start, Math.min(to, end) - start])
}

function wholeWordStart(text: string, position: number): number {
  for (let start = position; start > 0 && position - start < EDGE_LENGTH; start--) {
    if (BLANK.test(text[start - 1] ?? '')) return start
  }
  return isInsidePair(text, position) ? position - 1 : position
}

function wholeWordEnd(text: string, position: number): number {
  for (let end = position; end < text.length && end - position < EDGE_LENGTH; end++) {
    if (BLANK.test(text[end] ?? '')) return end
  }
  return isInsidePair(text, position) ? position + 1 : position
}

/** A tag as written by models and the CLI, up to the cut, and after it. */
const TAG_LENGTH = 80
const CUT_TAG = /<\/?[A-Za-z][\w:-]*(?:\s[^<>]*)?$/
const REST_OF_TAG = /^[^<>]*>/

/** Half a tag is useless; it is kept if it contains a match. */
function afterCutTag(text: string, start: number, firstMatch: number): number {
  const rest = restOfTag(text, start)
  return rest > 0 && start + rest <= firstMatch ? start + rest : start
}

function beforeCutTag(text: string, end: number, endOfMatch: number): number {
  if (restOfTag(text, end) === 0) return end
  const tagStart = text.lastIndexOf('<', end - 1)
  return tagStart >= endOfMatch ? tagStart : end
}

/** How much of a tag follows a position inside it; 0 outside of tags. */
function restOfTag(text: string, place: number): number {
  if (!CUT_TAG.test(text.slice(Math.max(0, place - TAG_LENGTH), place))) return 0
  return REST_OF_TAG.exec(text.slice(place, place + TAG_LENGTH))?.[0].length ?? 0
}

const BLANK = /\s/

/** Whether a cut here would split a surrogate pair. */
function isInsidePair(text: string, position: number): boolean {
  const before = text.charCodeAt(position - 1)
  const after = text.charCodeAt(position)
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000
}
