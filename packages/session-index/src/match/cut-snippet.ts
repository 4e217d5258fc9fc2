import type { TextMatcher, TextRange } from './text-matcher.ts'

export interface Snippet {
  /** A piece of the text exactly as it was written. */
  snippet: string
  /** Offsets into the snippet. */
  ranges: TextRange[]
}

const SNIPPET_LENGTH = 160
const LENGTH_BEFORE = 48
/** How far an edge may move outwards to end at a blank. */
const EDGE_LENGTH = 16

/** About 160 characters around the first match, with all matches that lie within. */
export function cutSnippet(text: string, matcher: TextMatcher): Snippet {
  const first = matcher.ranges(text, 1)[0] ?? [0, 0]
  const start = afterCutTag(text, wholeWordStart(text, Math.max(0, first[0] - LENGTH_BEFORE)), first[0])
  const wantedEnd = Math.max(start + SNIPPET_LENGTH, Math.min(first[1], first[0] + 4 * SNIPPET_LENGTH))
  const end = beforeCutTag(text, wholeWordEnd(text, Math.min(text.length, wantedEnd)), first[1])
  return { snippet: text.slice(start, end), ranges: rangesWithin(text, matcher, start, end) }
}

function rangesWithin(text: string, matcher: TextMatcher, start: number, end: number): TextRange[] {
  // A little beyond the end, so that a word cut in two is not taken for a whole one.
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

/** A tag as models and the CLI write them, up to where it is cut, and from there on. */
const TAG_LENGTH = 80
const CUT_TAG = /<\/?[A-Za-z][\w:-]*(?:\s[^<>]*)?$/
const REST_OF_TAG = /^[^<>]*>/

/** Half a tag says nothing; it stays where it holds what was found. */
function afterCutTag(text: string, start: number, firstMatch: number): number {
  const rest = restOfTag(text, start)
  return rest > 0 && start + rest <= firstMatch ? start + rest : start
}

function beforeCutTag(text: string, end: number, endOfMatch: number): number {
  if (restOfTag(text, end) === 0) return end
  const tagStart = text.lastIndexOf('<', end - 1)
  return tagStart >= endOfMatch ? tagStart : end
}

/** How much of a tag stands behind a place that lies within it; 0 outside of tags. */
function restOfTag(text: string, place: number): number {
  if (!CUT_TAG.test(text.slice(Math.max(0, place - TAG_LENGTH), place))) return 0
  return REST_OF_TAG.exec(text.slice(place, place + TAG_LENGTH))?.[0].length ?? 0
}

const BLANK = /\s/

/** Would a cut here part the two halves of a surrogate pair? */
function isInsidePair(text: string, position: number): boolean {
  const before = text.charCodeAt(position - 1)
  const after = text.charCodeAt(position)
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000
}
