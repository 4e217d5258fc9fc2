import type { Change, LeftOut, RedactOptions, Span } from './change.ts'
import { findAssignments } from './find-assignments.ts'
import { findPerson } from './find-person.ts'
import { findSecrets } from './find-secrets.ts'

export interface RedactedText {
  text: string
  changes: Change[]
  leftOut: LeftOut[]
}

const MAX_LENGTH = 16_000_000
const CONTEXT = 40

/**
 * A text without secrets and without what names the person. Takes time in proportion to its length, whatever it holds:
 * every finder looks for a literal and reads a bounded piece behind it.
 */
export function redactText(text: string, options: RedactOptions = {}, at = ''): RedactedText {
  const { maxLength = MAX_LENGTH, keepKinds, keepValues } = options
  const reason = text.length > maxLength ? 'too-large' : isBinary(text) ? 'binary' : null
  if (reason !== null) {
    const words = reason === 'binary' ? 'binary' : 'too large to be examined'
    return {
      text: `[left out: ${words}, ${text.length} characters]`,
      changes: [],
      leftOut: [{ reason, length: text.length, at }],
    }
  }
  const spans = [...findSecrets(text), ...findAssignments(text), ...findPerson(text, options)]
  const isWanted = ({ kind, start, end }: Span) =>
    !keepKinds?.has(kind) && (keepValues === undefined || !keepValues.has(text.slice(start, end)))
  return { ...replace(text, withoutOverlap(spans.filter(isWanted)), at), leftOut: [] }
}

/** A NUL, or more than a tenth of control characters in the first 4,000: nothing that a person or a rule could read. */
function isBinary(text: string): boolean {
  if (text.includes('\0')) return true
  const head = text.slice(0, 4000)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
  return (head.match(/[\x01-\x06\x0e-\x1a\ufffd]/g)?.length ?? 0) * 10 > head.length
}

/** In order; of two that overlap, the first takes the other's place too. Finders that know more come first. */
function withoutOverlap(spans: Span[]): Span[] {
  const kept: Span[] = []
  for (const span of spans.sort((one, other) => one.start - other.start)) {
    const last = kept.at(-1)
    if (last === undefined || span.start >= last.end) kept.push({ ...span })
    else last.end = Math.max(last.end, span.end)
  }
  return kept
}

function replace(text: string, spans: Span[], at: string): { text: string; changes: Change[] } {
  const pieces: string[] = []
  let done = 0
  const changes = spans.map((span) => {
    pieces.push(text.slice(done, span.start), span.replacement)
    done = span.end
    return {
      ...span,
      value: text.slice(span.start, span.end),
      before: text.slice(Math.max(0, span.start - CONTEXT), span.start),
      after: text.slice(span.end, span.end + CONTEXT),
      at,
    }
  })
  pieces.push(text.slice(done))
  return { text: pieces.join(''), changes }
}
