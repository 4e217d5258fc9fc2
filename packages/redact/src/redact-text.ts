import {
  type Change,
  type FindAt,
  findAddresses,
  type LeftOut,
  type RedactOptions,
  type Span,
} from './changes.ts'
import { findAssignments } from './find-assignments.ts'
import { findFlags, PLACE_LITERALS } from './find-commands.ts'
import { findPrompts, PERSON_LITERALS } from './find-person.ts'
import { KEY_LITERALS, TOKEN_LITERALS } from './find-secrets.ts'
import { Known, WordTable } from './known.ts'

export interface RedactedText {
  text: string
  changes: Change[]
  leftOut: LeftOut[]
}

const MAX_LENGTH = 16_000_000
const CONTEXT = 40

/**
 * A text without secrets and without what names the person. Takes time in proportion to its length, whatever it holds:
 * every finder looks for a literal and reads a bounded piece around it.
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
  if (text.length < 3) return { text, changes: [], leftOut: [] }
  const spans = findAll(text, options)
  if (spans.length === 0) return { text, changes: [], leftOut: [] }
  const isKept = ({ kind, start, end }: Span) =>
    keepKinds?.has(kind) || keepValues?.has(text.slice(start, end)) === true
  const [kept, wanted] = [spans.filter(isKept), spans.filter((span) => !isKept(span))]
  const addresses = new Set(spans.flatMap(({ kind, start }) => (kind === 'email' ? [start] : [])))
  const keptHomes = new Set(kept.flatMap(({ kind, end }) => (kind === 'home' ? [end] : [])))
  // who an address or a home folder names is decided with the address or the folder
  const isDecided = ({ kind, start, end }: Span) =>
    kind === 'user' && (addresses.has(start) || keptHomes.has(end))
  return { ...replace(text, withoutOverlap(wanted.filter((span) => !isDecided(span))), at), leftOut: [] }
}

/** Adds what a text tells to what is known. What has a form of its own is found by that wherever it is. */
export function learnText(known: Known, text: string, maxLength = MAX_LENGTH): void {
  if (text.length < 4 || text.length > maxLength || text.includes('\0')) return
  for (const span of findTelling(text)) known.learn(text, span)
  for (const view of plainViews(text)) for (const span of findTelling(view.text)) known.learn(view.text, span)
}

/** All that stands in a text, in no order; some may overlap. */
function findAll(text: string, options: RedactOptions): Span[] {
  const known = options.known ?? givenOf(options)
  const table = known.tableWith(LITERALS, text.length)
  const find = (plain: string) =>
    table === null
      ? findOwn(plain, wholeTable()).concat(known.isEmpty ? [] : known.find(plain))
      : findOwn(plain, table)
  const views = plainViews(text)
  if (views.length === 0 && options.known !== undefined) return find(text)
  const found = [find(text), ...views.map((view) => find(view.text))]
  const spans = found.map((each, index) => inPlace(each, views[index - 1]))
  if (options.known === undefined && spans.some(({ length }) => length > 0)) {
    const learned = new Known()
    const texts = [text, ...views.map((view) => view.text)]
    for (const [index, plain] of texts.entries())
      for (const span of found[index] ?? []) learned.learn(plain, span)
    for (const [index, plain] of texts.entries()) spans.push(inPlace(learned.find(plain), views[index - 1]))
  }
  return spans.flat()
}

const TELLING_LITERALS = [...PLACE_LITERALS, ...PERSON_LITERALS, ...KEY_LITERALS]
const LITERALS = [...TELLING_LITERALS, ...TOKEN_LITERALS]
/** Made when the first text is looked at: a start that redacts nothing does without. */
const tables = {
  telling: null as WordTable<FindAt> | null,
  all: null as WordTable<FindAt> | null,
}

function tellingTable(): WordTable<FindAt> {
  tables.telling ??= WordTable.of(TELLING_LITERALS)
  return tables.telling
}

function wholeTable(): WordTable<FindAt> {
  tables.all ??= WordTable.of(LITERALS)
  return tables.all
}

/** What is known by where it stands, and so unknown where it stands alone. */
function findTelling(text: string, table = tellingTable()): Span[] {
  const spans: Span[] = []
  table.each(text, (find, at) => find(text, at, spans))
  findAssignments(text, spans)
  findFlags(text, spans)
  findAddresses(text, spans)
  findPrompts(text, spans)
  return spans
}

/** One pass for all literals, and one for each sign that more may be around. */
function findOwn(text: string, table: WordTable<FindAt>): Span[] {
  const spans = findTelling(text, table)
  findEmails(text, spans)
  return spans
}

function inPlace(spans: Span[], view: PlainView | undefined): Span[] {
  return view === undefined
    ? spans
    : spans.map((span) => ({ ...span, ...view.placeOf(span.start, span.end) }))
}

const GIVEN = new WeakMap<RedactOptions, Known>()

/** Once for the same options, which are handed over with every text. */
function givenOf(options: RedactOptions): Known {
  const known = GIVEN.get(options) ?? new Known(options)
  GIVEN.set(options, known)
  return known
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
const CONTROLS = /[\x01-\x06\x0e-\x1a\ufffd]/g

/** A NUL, or more than a tenth of control characters in the first 4,000: nothing that a person or a rule could read. */
function reasonToLeaveOut(text: string, maxLength: number): LeftOut['reason'] | null {
  if (text.length > maxLength) return 'too-large'
  if (text.includes('\0')) return 'binary'
  const head = text.slice(0, 4000)
  return (head.match(CONTROLS)?.length ?? 0) * 10 > head.length ? 'binary' : null
}

/** In order; of two that overlap, the first takes the other's place too. Finders that know more come first. */
function withoutOverlap(spans: Span[]): Span[] {
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

function vagueness({ name }: Span): number {
  return name === 'value named as a secret' ? 1 : 0
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

const LOCAL = /[A-Za-z0-9._%+'\u00a1-\uffff-]{1,64}$/
const QUOTED_LOCAL = /"[A-Za-z0-9 ._%+'@\u00a1-\uffff-]{1,64}"$/
const LABEL = '[A-Za-z0-9\\u00a1-\\uffff](?:[A-Za-z0-9\\u00a1-\\uffff-]{0,61}[A-Za-z0-9\\u00a1-\\uffff])?'
const DOMAIN = new RegExp(
  `((?:${LABEL}\\.){1,6}(?:[A-Za-z]{2,24}|xn--[A-Za-z0-9-]{2,40}|[\\u00a1-\\uffff]{2,24}))(?![A-Za-z0-9_-])`,
  'y',
)
/** No top-level domains: an address that ends so is a file. */
const FILES =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|css|scss|less|js|mjs|cjs|jsx|tsx?|mts|cts|json|jsonl|map|html?|txt|java|kt|tgz|gz|bz2|xz|jar|whl|yaml|yml|toml|lock|patch|diff|service|timer|socket|target|mount|xml|csv|log|pdf|exe|dll|cpp|hpp|vue|svelte|php|rb|cfg|ini|conf|tar|woff2?|ttf)$/i
/** Endings that are both: a country and a kind of file. */
const FILES_OR_COUNTRIES = /\.(?:md|py|rs|go|zip|sh|pl|so|ps|cc|mov|ml|vi)$/i
const FILE_NAMES =
  /^(?:file|files|readme|index|main|test|tests|mod|lib|app|setup|init|config|utils?|types?|server|client|package|changelog|license|contributing|notes|todo|docs?|script|run|build|example|sample|\d.*|v\d.*|.*_.*)\./i
/** A role that no person answers for. */
const ROLES = /^(?:git|hg|svn|no-?reply|do-?not-?reply|postmaster|mailer-daemon|actions|bot)$/i
/** Kept for documentation. */
const RESERVED = /(?:^|\.)(?:example\.(?:com|org|net)|noreply\.github\.com)$/i

/** Each way to write the sign of an address. */
const SIGNS = ['@', '%40', '&#64;', '&#x40;', '&commat;', '\\u0040']

/** E-mail addresses: from every sign at most 64 characters back and 400 on. */
function findEmails(text: string, spans: Span[]): void {
  for (const sign of SIGNS)
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + sign.length))
      addEmail(text, at, sign, spans)
}

function addEmail(text: string, at: number, sign: string, spans: Span[]): void {
  const domainStart = at + sign.length
  const next = text.charCodeAt(domainStart)
  if (
    !(next > 160 || (next >= 48 && next <= 57) || (next >= 65 && next <= 90) || (next >= 97 && next <= 122))
  )
    return
  const before = text.slice(Math.max(0, at - 68), at)
  const last = before.charCodeAt(before.length - 1)
  // blank, slash, bracket: most are decorators and scopes
  if (last <= 33 || last === 47 || last === 40 || Number.isNaN(last)) return
  DOMAIN.lastIndex = domainStart
  const domain = DOMAIN.exec(text)?.[1]
  if (domain === undefined || FILES.test(domain) || RESERVED.test(domain)) return
  const local = localOf(before, sign)
  if (local === null || !/[A-Za-z0-9\u00a1-\uffff]/.test(local) || ROLES.test(local)) return
  const start = at - local.length
  if (isFile(text, start, domain, domainStart + domain.length)) return
  // the user of an address, which is none of mail
  if (text.slice(Math.max(0, start - 3), start) === '://') return
  spans.push({
    kind: 'email',
    name: 'e-mail address',
    start,
    end: domainStart + domain.length,
    replacement: '[e-mail]',
  })
}

function localOf(before: string, sign: string): string | null {
  if (before.endsWith('"')) return QUOTED_LOCAL.exec(before)?.[0] ?? null
  const lineEnd = /\\[nrt](?=[A-Za-z0-9._%+\u00a1-\uffff-]*$)/.exec(before)
  let local = LOCAL.exec(lineEnd === null ? before : before.slice(lineEnd.index + 2))?.[0]
  if (local === undefined) return null
  // in a query other encoded signs may stand before it
  if (sign === '%40') local = local.replace(/^.*%(?:20|22|2C|3C|3A|3D|26)/i, '')
  return local.replace(/^['.%+-]+/, '') || null
}

/** Evidently a file, a package or a version: `src/user@file.md`, `icon@2x.rs:12`. */
function isFile(text: string, start: number, domain: string, end: number): boolean {
  if (!FILES_OR_COUNTRIES.test(domain)) return false
  const before = text.charAt(start - 1)
  return (
    /[/\\]/.test(before) ||
    FILE_NAMES.test(domain) ||
    /^(?::\d|[/\\])/.test(text.slice(end, end + 2)) ||
    domain.split('.').length > 3
  )
}

/** A text as it is meant, and where each character of it stands in the text as it is written. */
interface PlainView {
  text: string
  /** Where what begins at `start` and ends before `end` stands. */
  placeOf: (start: number, end: number) => { start: number; end: number }
}

/** How often an escaped text may be in another. */
const MOST_LEVELS = 3

/** Other readings of a text: without colors; and what it holds in strings, without their escapes. Most texts have none. */
function plainViews(text: string): PlainView[] {
  const views: PlainView[] = []
  const add = (view: PlainView | null, of: PlainView | undefined) => {
    if (view === null) return false
    views.push(
      of === undefined
        ? view
        : {
            text: view.text,
            placeOf: (start, end) => {
              const place = view.placeOf(start, end)
              return of.placeOf(place.start, place.end)
            },
          },
    )
    return true
  }
  const hasEscapes = text.includes('\\')
  if (
    INVISIBLE.some((sign) => text.includes(sign)) ||
    (hasEscapes && WRITTEN.some((sign) => text.includes(sign)))
  )
    add(
      viewOf(text, COLORS, () => ''),
      undefined,
    )
  for (let level = 0; hasEscapes && level < MOST_LEVELS; level++) {
    const inner = views.at(-1)
    const given = inner?.text ?? text
    if (!given.includes('\\n') && !given.includes('\\"') && !given.includes('\\u00')) break
    if (!add(viewOf(given, ESCAPES, meant), inner)) break
  }
  return views
}

/** Colors and other commands to a terminal, as they are or as they are written in strings; signs without width. */
const COLORS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /(?:\u001b|\\u001[bB]|\\x1[bB]|\\033|\\e)(?:\[[0-9;?]{0,40}[ -/]{0,2}[@-~]|\][^\u0007\u001b\n]{0,400}(?:\u0007|\u001b\\))|\u001b[()][A-Z0-9]|\u200b|\u200c|\u200d|\u2060|\ufeff|\u00ad/g
const INVISIBLE = ['\u001b', '\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad']
const WRITTEN = ['\\u001', '\\x1', '\\033', '\\e[']
const ESCAPES = /\\(?:u[0-9a-fA-F]{4}|[nrt"'/\\])/g

function meant(found: string): string {
  const sign = found.charAt(1)
  if (sign === 'u') return String.fromCharCode(Number.parseInt(found.slice(2), 16))
  return sign === 'n' ? '\n' : sign === 'r' ? '\r' : sign === 't' ? '\t' : sign
}

/** null: nothing of the form is in the text. */
function viewOf(text: string, form: RegExp, replacementOf: (found: string) => string): PlainView | null {
  const pieces: string[] = []
  /** Where pieces begin, in the view and in the text, and where they end in the text. */
  const viewStarts: number[] = []
  const starts: number[] = []
  const ends: number[] = []
  let length = 0
  let done = 0
  const add = (piece: string, start: number, end: number) => {
    if (piece === '') return
    pieces.push(piece)
    viewStarts.push(length)
    starts.push(start)
    ends.push(end)
    length += piece.length
  }
  for (const { index, 0: found } of text.matchAll(form)) {
    add(text.slice(done, index), done, index)
    done = index + found.length
    add(replacementOf(found), index, done)
  }
  if (done === 0) return null
  add(text.slice(done), done, text.length)
  const pieceAt = (at: number) => {
    let low = 0
    let high = viewStarts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((viewStarts[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    return low
  }
  const placeOf = (start: number, end: number) => {
    const first = pieceAt(start)
    const last = pieceAt(end - 1)
    const lastPlace = (starts[last] ?? 0) + end - (viewStarts[last] ?? 0)
    return {
      start: (starts[first] ?? 0) + (isWhole(first) ? 0 : start - (viewStarts[first] ?? 0)),
      end: isWhole(last) ? (ends[last] ?? 0) : lastPlace,
    }
  }
  /** A sign that stands for more than one character. */
  const isWhole = (piece: number) =>
    (pieces[piece] ?? '').length !== (ends[piece] ?? 0) - (starts[piece] ?? 0)
  return { text: pieces.join(''), placeOf }
}
