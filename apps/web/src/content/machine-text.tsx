import './content.css'
import { foldText, foldTextOnly } from '@gemini-dash/api/fold-text'
import { createContext, useContext } from 'react'

/** Commands, paths and code, with invisible characters shown by code point. */
export function MachineText({ text }: { text: string }) {
  return visibleControls(text).map((run) =>
    run.control === null ? (
      <MarkedText key={run.start} text={run.text} />
    ) : (
      <span key={run.start} className="control-mark" title={`Invisible character ${run.control}`}>
        {run.control}
      </span>
    ),
  )
}

/** Text with search words highlighted, and in a different style the matches of a search tool in the session. */
export function MarkedText({ text }: { text: string }) {
  const terms = useContext(HitContext)
  const matches = useContext(ToolMatchContext)
  if (terms.length === 0 && matches.length === 0) return text
  return withStarts(markRanges(text, terms)).map((piece) => {
    if (piece.isHit) return <mark key={piece.start}>{piece.text}</mark>
    if (matches.length === 0) return piece.text
    return withStarts(markRanges(piece.text, matches)).map((own) =>
      own.isHit ? (
        <mark key={`${piece.start} ${own.start}`} className="tool-match">
          {own.text}
        </mark>
      ) : (
        own.text
      ),
    )
  })
}

function withStarts(pieces: ReturnType<typeof markRanges>) {
  let start = 0
  return pieces.map((piece) => {
    const placed = { ...piece, start }
    start += piece.text.length
    return placed
  })
}

/** Characters to mark anywhere, or a word to mark only as a whole. */
export type HitTerm = string | { word: string }

/** Search words to mark in all descendants. Usually empty. */
export const HitContext = createContext<readonly HitTerm[]>([])

/** Search words of a tool in the session, to mark in its output. */
export const ToolMatchContext = createContext<readonly string[]>([])

/** A piece of text, a hit or not. */
interface MarkedPiece {
  text: string
  isHit: boolean
}

/** Splits `text` at every occurrence of a term. Ignores case and accents, like the search. */
export function markRanges(text: string, terms: readonly HitTerm[]): MarkedPiece[] {
  const pattern = termPattern(terms)
  if (pattern === null || text === '') return [{ text, isHit: false }]
  const folded = foldText(text)
  const pieces: MarkedPiece[] = []
  let end = 0
  for (const match of folded.text.matchAll(pattern)) {
    // two terms can meet within one ligature
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

/** Also matches parts of words: the text may be JSON, where an escape looks like a letter. */
export function hasHit(text: string, terms: readonly HitTerm[]): boolean {
  const pattern = termPattern(terms.map(lettersOf))
  return pattern?.test(foldTextOnly(text)) ?? false
}

// Scripts without spaces have no whole words: each letter counts on its own, as in the index.
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
  // a snippet shows any whitespace as a single space
  const letters = folded.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
  if (typeof term === 'string') return letters
  const before = STARTS_WITH_LETTER.test(folded) ? `(?<!${LETTER})` : ''
  const after = ENDS_WITH_LETTER.test(folded) ? `(?!${LETTER})` : ''
  return `${before}${letters}${after}`
}

function lettersOf(term: HitTerm): string {
  return typeof term === 'string' ? term : term.word
}

/** A run of text, or one invisible character that would affect the reading of its surroundings. */
interface ControlRun {
  text: string
  /** UTF-16 offset in the whole. */
  start: number
  /** `U+202E` for an invisible control character, null for ordinary text. */
  control: string | null
}

/**
 * Splits text at invisible control characters, so that commands, paths and code can display them.
 * @param isShown which of them; prose needs marks like U+200F and shows only harmful ones (`isActing`)
 */
export function visibleControls(text: string, isShown = isControlCode): ControlRun[] {
  if (!hasControl(text, isShown)) return [{ text, start: 0, control: null }]
  const runs: ControlRun[] = []
  let start = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.codePointAt(index) ?? 0
    if (!isShown(code)) continue
    if (index > start) runs.push({ text: text.slice(start, index), start, control: null })
    const character = String.fromCodePoint(code)
    runs.push({ text: character, start: index, control: nameOf(code) })
    start = index + character.length
    index = start - 1
  }
  if (start < text.length) runs.push({ text: text.slice(start), start, control: null })
  return runs
}

/** Characters that prose never needs: those that reorder text, tags (letters that only a model reads), and C0 and C1. */
export function isActing(code: number): boolean {
  return isReordering(code) || isTag(code) || isTerminalControl(code)
}

function hasControl(text: string, isShown: (code: number) => boolean): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (isShown(text.codePointAt(index) ?? 0)) return true
  }
  return false
}

/** Also includes zero-width characters and directional marks. */
function isControlCode(code: number): boolean {
  if (code < 0x7f) return isTerminalControl(code)
  if (code === 0x61c || code === 0xfeff) return true
  // U+200C and U+200D shape letters and emoji and are left alone
  return code === 0x200b || code === 0x200e || code === 0x200f || code === 0x2060 || isActing(code)
}

/** Embeddings, overrides and isolates (Trojan Source). */
function isReordering(code: number): boolean {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
}

function isTag(code: number): boolean {
  return code >= 0xe0000 && code <= 0xe007f
}

/** C0 except tab and newlines, DEL, C1. */
function isTerminalControl(code: number): boolean {
  if (code < 0x20) return code !== 0x09 && code !== 0x0a && code !== 0x0d
  return code >= 0x7f && code <= 0x9f
}

function nameOf(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** A JSON value with invisible characters in its strings and keys written out, as `[U+202E]`. */
export function showControls(value: unknown): unknown {
  if (typeof value === 'string') return writeOut(value)
  if (Array.isArray(value)) return value.map(showControls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [writeOut(name), showControls(item)]))
}

function writeOut(text: string): string {
  return visibleControls(text)
    .map((run) => (run.control === null ? run.text : `[${run.control}]`))
    .join('')
}
