import {
  type Change,
  type ChangeKind,
  type FindAt,
  type LeftOut,
  type OwnNames,
  type Span,
  secretSpan,
} from './change.ts'
import { findAddresses, findEmails } from './find-addresses.ts'
import { findAssignments } from './find-assignments.ts'
import { findFlags } from './find-flags.ts'
import { findPrompts, findTildes, PERSON_LITERALS } from './find-person.ts'
import { PLACE_LITERALS } from './find-places.ts'
import { KEY_LITERALS, TOKEN_LITERALS } from './find-tokens.ts'
import { Known } from './known.ts'
import { encodedRuns, plainViews } from './plain-views.ts'
import { WordTable } from './word-table.ts'

export interface RedactOptions extends OwnNames {
  /** Kinds that the reviewer switched off. */
  keepKinds?: ReadonlySet<ChangeKind>
  /** Single findings that the reviewer switched off, by their text. */
  keepValues?: ReadonlySet<string>
  /** Longer texts are left out; default 16 million. */
  maxLength?: number
  /** What is known from all texts together. By default, each text or value is redacted by what it reveals itself. */
  known?: Known
}

export interface RedactedText {
  text: string
  changes: Change[]
  leftOut: LeftOut[]
}

const MAX_LENGTH = 16_000_000
const CONTEXT = 40
/** Shorter texts contain nothing to learn. */
const LEAST_LENGTH = 4

/**
 * A text without secrets and without anything that identifies the user. Linear in its length on any input: every finder searches for a
 * literal and reads a bounded piece around it.
 */
export function redactText(text: string, options: RedactOptions = {}, at = ''): RedactedText {
  const { maxLength = MAX_LENGTH, keepKinds, keepValues } = options
  const reason = reasonToLeaveOut(text, maxLength)
  if (reason !== null) {
    const words = reason === 'binary' ? 'binary' : 'too large to be examined'
    return {
      text: `[left out: ${words}, ${text.length} characters]`,
      changes: [],
      leftOut: [{ reason, length: text.length, at }],
    }
  }
  const spans = text.length < LEAST_LENGTH ? [] : findAll(text, options)
  const isKept = ({ kind, start, end }: Span) =>
    keepKinds?.has(kind) === true || keepValues?.has(text.slice(start, end)) === true
  // the user name in an address or home folder is kept or redacted together with it
  const addresses = new Set(spans.flatMap(({ kind, start }) => (kind === 'email' ? [start] : [])))
  const keptHomes = new Set(spans.flatMap((span) => (span.kind === 'home' && isKept(span) ? [span.end] : [])))
  const wanted = spans.filter(
    (span) =>
      !isKept(span) && !(span.kind === 'user' && (addresses.has(span.start) || keptHomes.has(span.end))),
  )
  return { ...replace(text, withoutOverlap(wanted), at), leftOut: [] }
}

/** Adds what a text reveals to `known`. Secrets with a recognizable form are not learned: they are found anywhere. */
export function learnText(known: Known, text: string, maxLength = MAX_LENGTH): void {
  if (text.length < LEAST_LENGTH || reasonToLeaveOut(text, maxLength) !== null) return
  for (const plain of [text, ...plainViews(text).map((view) => view.text)])
    for (const span of findTelling(plain, TABLES.telling)) known.learn(plain, span)
}

/** All findings in a text, in no order; they may overlap. */
function findAll(text: string, options: RedactOptions): Span[] {
  const known = options.known ?? givenOf(options)
  const readings = [{ text, placeOf: null }, ...plainViews(text)].map((view) => {
    const spans = findIn(view.text, known)
    return { ...view, spans }
  })
  if (options.known === undefined && readings.some(({ spans }) => spans.length > 0)) {
    const learned = new Known()
    for (const { text: plain, spans } of readings) for (const span of spans) learned.learn(plain, span)
    for (const { text: plain, spans } of readings) {
      learned.find(plain, spans)
      findEncoded(plain, learned, spans)
    }
  }
  return readings.flatMap(({ placeOf, spans }) =>
    placeOf === null ? spans : spans.map((span) => ({ ...span, ...placeOf(span.start, span.end) })),
  )
}

function findIn(plain: string, known: Known): Span[] {
  const spans = findPlain(plain, known)
  findEncoded(plain, known, spans)
  return spans
}

function findPlain(plain: string, known: Known): Span[] {
  const table = known.tableWith(LITERALS, plain.length)
  const spans = findTelling(plain, table ?? TABLES.all)
  findEmails(plain, spans)
  if (table === null) known.find(plain, spans)
  return spans
}

/** Runs of base64 or hexadecimal that hold a secret. */
function findEncoded(plain: string, known: Known, spans: Span[]): void {
  for (const { start, end, plain: inner } of encodedRuns(plain))
    if (findPlain(inner, known).some(({ kind }) => kind === 'secret'))
      spans.push(secretSpan('secret in base64', start, end - start))
}

/** Secrets recognized by their context, and so not recognized elsewhere; a larger table finds more. */
function findTelling(text: string, table: WordTable<FindAt>): Span[] {
  const spans: Span[] = []
  table.each(text, (find, at) => find(text, at, spans))
  findAssignments(text, spans)
  findFlags(text, spans)
  findAddresses(text, spans)
  findPrompts(text, spans)
  findTildes(text, spans)
  return spans
}

const TELLING_LITERALS = [...PLACE_LITERALS, ...PERSON_LITERALS, ...KEY_LITERALS]
const LITERALS = [...TELLING_LITERALS, ...TOKEN_LITERALS]

/** Built when the first text is read, so that startup does not pay for it. */
const TABLES = {
  get telling(): WordTable<FindAt> {
    const table = new WordTable(TELLING_LITERALS)
    Object.defineProperty(TABLES, 'telling', { value: table })
    return table
  },
  get all(): WordTable<FindAt> {
    const table = new WordTable(LITERALS)
    Object.defineProperty(TABLES, 'all', { value: table })
    return table
  },
}

const GIVEN = new WeakMap<RedactOptions, Known>()

/** Once per options object, which is passed with every text. */
export function givenOf(options: RedactOptions): Known {
  const known = GIVEN.get(options) ?? new Known(options)
  GIVEN.set(options, known)
  return known
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
const CONTROLS = /[\x01-\x06\x0e-\x1a\ufffd]/g

/** A NUL, or more than a tenth control characters in the first 4,000: not readable by a person or a rule. */
function reasonToLeaveOut(text: string, maxLength: number): LeftOut['reason'] | null {
  if (text.length > maxLength) return 'too-large'
  if (text.includes('\0')) return 'binary'
  const head = text.slice(0, 4000)
  return (head.match(CONTROLS)?.length ?? 0) * 10 > head.length ? 'binary' : null
}

/** In order. Of two overlapping spans, the first also covers the other. More specific ones come first. */
function withoutOverlap(spans: Span[]): Span[] {
  const vagueness = ({ name }: Span) => (name === 'value named as a secret' ? 1 : 0)
  const kept: Span[] = []
  for (const span of spans.sort(
    (one, other) => one.start - other.start || vagueness(one) - vagueness(other),
  )) {
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
