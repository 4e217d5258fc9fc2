import { foldText, foldTextOnly } from '@gemini-dash/api/fold-text'
import type { HitTerm } from './hit-context.ts'

/** A piece of text that is, or is not, a hit. */
export interface MarkedPiece {
  text: string
  isHit: boolean
}

/** Cuts `text` at every occurrence of a term. Case and accents are ignored, as the search does. */
export function markRanges(text: string, terms: readonly HitTerm[]): MarkedPiece[] {
  const pattern = termPattern(terms)
  if (pattern === null || text === '') return [{ text, isHit: false }]
  const folded = foldText(text)
  const pieces: MarkedPiece[] = []
  let end = 0
  for (const match of folded.text.matchAll(pattern)) {
    // two terms can meet within one joined letter
    const start = Math.max(end, folded.startInOriginal(match.index))
    const next = folded.endInOriginal(match.index + match[0].length)
    if (next <= start) continue
    if (start > end) pieces.push({ text: text.slice(end, start), isHit: false })
    pieces.push({ text: text.slice(start, next), isHit: true })
    end = next
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isHit: false })
  return pieces
}

/** Also in a part of a word: the text may be JSON, where an escape looks like a letter. */
export function hasHit(text: string, terms: readonly HitTerm[]): boolean {
  const pattern = termPattern(terms.map(lettersOf))
  return pattern?.test(foldTextOnly(text)) ?? false
}

// Writing without blanks has no words to be whole: there every letter stands alone, as it does in the index.
const LETTER =
  '(?![\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}\\p{scx=Thai}])[\\p{L}\\p{N}\\p{M}]'
const STARTS_WITH_LETTER = new RegExp(`^${LETTER}`, 'u')
const ENDS_WITH_LETTER = new RegExp(`${LETTER}$`, 'u')

function termPattern(terms: readonly HitTerm[]): RegExp | null {
  const sources = terms
    .filter((term) => lettersOf(term) !== '')
    .sort((one, other) => lettersOf(other).length - lettersOf(one).length)
    .map(termSource)
  return sources.length === 0 ? null : new RegExp(sources.join('|'), 'gu')
}

function termSource(term: HitTerm): string {
  const folded = foldTextOnly(lettersOf(term))
  // a snippet shows any white space as one blank
  const letters = folded.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
  if (typeof term === 'string') return letters
  const before = STARTS_WITH_LETTER.test(folded) ? `(?<!${LETTER})` : ''
  const after = ENDS_WITH_LETTER.test(folded) ? `(?!${LETTER})` : ''
  return `${before}${letters}${after}`
}

function lettersOf(term: HitTerm): string {
  return typeof term === 'string' ? term : term.word
}
