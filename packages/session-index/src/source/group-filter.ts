import { closeSync, constants, openSync, readSync } from 'node:fs'
import { foldTextOnly } from '@gemini-dash/api/fold-text'
import type { IndexGroup } from '../contract.ts'

/** Whether the files of the group may contain a match. */
export type GroupFilter = (group: IndexGroup, pause: () => Promise<void>) => Promise<boolean>

/** Rules out files without a match by their bytes, without parsing them. null: only parsing can tell. */
export function groupFilter(mode: 'substring' | 'regex', pattern: string): GroupFilter | null {
  const letters = requiredLetters(mode, pattern)
  if (letters === null) return null
  const alternatives = letters.map((runs) => runs.map((run) => new RawPattern(run)))
  return async ({ files, loose }, pause) => {
    // This filter depends on how session files encode a text.
    if (files.length === 0 || loose !== undefined) return true
    for (const runs of alternatives) if (await holdAll(files, runs, pause)) return true
    return false
  }
}

/** Whether each run is somewhere in the files: a message may consist of several. */
async function holdAll(
  files: readonly { absolutePath: string }[],
  runs: RawPattern[],
  pause: () => Promise<void>,
): Promise<boolean> {
  for (const run of runs) if (!(await holdOne(files, run, pause))) return false
  return true
}

async function holdOne(
  files: readonly { absolutePath: string }[],
  run: RawPattern,
  pause: () => Promise<void>,
): Promise<boolean> {
  for (const { absolutePath } of files) if (await mayHold(absolutePath, run, pause)) return true
  return false
}

async function mayHold(path: string, pattern: RawPattern, pause: () => Promise<void>): Promise<boolean> {
  const { chunk } = ByteScanner.one
  let file: number | null = null
  try {
    file = openSync(path, constants.O_RDONLY)
    for (let offset = 0; ; offset += chunk.length - MAX_SPELT_BYTES) {
      const length = readSync(file, chunk, 0, chunk.length, offset)
      if (pattern.isInChunk(length)) return true
      if (length < chunk.length) return false
      await pause()
    }
  } catch {
    // Unreadable files are left to the parser, which reports them.
    return true
  } finally {
    if (file !== null) closeSync(file)
  }
}

const CHUNK_BYTES = 1024 * 1024

/** `byte-scanner.wat`, compiled, as base64; defined by every build (`scripts/define-byte-scanner.ts`). */
declare const __BYTE_SCANNER__: string

type Table = 'wanted' | 'ignored' | 'before' | 'behindQuote' | 'characters'

interface ScannerExports extends Record<Table | 'chunk', { value: number }> {
  memory: { buffer: ArrayBuffer }
  find(at: number, end: number, length: number, first: number, second: number): number
  nextBreak(at: number, end: number): number
}

// The types of Node declare these, but not as values.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  Instance: new (module: object) => { exports: object }
}

/** The bytes to find, as tables for `byte-scanner.wat`. */
interface ScannedBytes extends Record<Table, Uint8Array> {
  /** Indexes of the two bytes to look for first, since they are rare. */
  rarest: readonly [number, number]
}

/** How a non-ASCII character can be part of a match, in the table of characters. */
const RELEVANT = { asLetter: 1, between: 2 } as const

/** Searches for bytes in one chunk of a file at a time. One per thread: fill it and search at once. */
export class ByteScanner {
  static #one: ByteScanner | null = null
  /** Fill with the bytes to search. */
  readonly chunk: Buffer
  readonly #memory: Uint8Array
  readonly #chunkAt: number
  readonly #exports: ScannerExports
  #scanned: ScannedBytes | null = null

  static get one(): ByteScanner {
    ByteScanner.#one ??= new ByteScanner()
    return ByteScanner.#one
  }

  constructor() {
    const module = new WebAssembly.Module(Uint8Array.from(Buffer.from(__BYTE_SCANNER__, 'base64')))
    this.#exports = new WebAssembly.Instance(module).exports as ScannerExports
    const { buffer } = this.#exports.memory
    this.#memory = new Uint8Array(buffer)
    this.#chunkAt = this.#exports.chunk.value
    this.chunk = Buffer.from(buffer, this.#chunkAt, CHUNK_BYTES)
  }

  /** Sets what to search for. */
  use(scanned: ScannedBytes): void {
    if (this.#scanned === scanned) return
    this.#scanned = scanned
    for (const table of ['wanted', 'ignored', 'before', 'behindQuote', 'characters'] as const) {
      this.#memory.set(scanned[table], this.#exports[table].value)
    }
  }

  /** Index of the literal bytes in the chunk, from `at` on; -1 if not before `end`. */
  find(at: number, end: number): number {
    if (this.#scanned === null) return -1
    const { wanted, rarest } = this.#scanned
    const lastStart = end - wanted.length + 1
    return this.#inChunk((from, to) => this.#exports.find(from, to, wanted.length, ...rarest), at, lastStart)
  }

  /** The next position where they may be encoded differently; -1 if none before `end`. */
  nextBreak(at: number, end: number): number {
    return this.#inChunk((from, to) => this.#exports.nextBreak(from, to), at, end)
  }

  #inChunk(look: (from: number, to: number) => number, at: number, end: number): number {
    const found = look(at + this.#chunkAt, end + this.#chunkAt)
    return found < 0 ? -1 : found - this.#chunkAt
  }
}

/** Longer texts are not searched for as a whole: their beginning has to exist as well. */
const MAX_LETTERS = 24
/** Maximum length of a differently encoded text. */
const MAX_SPELT_BYTES = 16 * 1024
/** Part of the chunk converted to a string for regular expressions. */
const WINDOW_BYTES = 2 * MAX_SPELT_BYTES

/**
 * Tells whether bytes of a session file may contain a text that folds to these letters, which `requiredLetters` has returned. May have
 * false positives, but no false negatives.
 *
 * Either the letters are consecutive, or there is a first position with something else: a variant of one of them, an escape, the end of a
 * string whose text continues in the next. Before that position are the first letters, literally, so the expression is only tested there.
 */
export class RawPattern {
  readonly #scanned: ScannedBytes
  readonly #spelt: RegExp
  /** For each last byte of a letter: byte lengths of the prefixes that end with that letter. */
  readonly #beginnings: ReadonlyMap<number, number[]>

  constructor(letters: string) {
    const wanted = [...letters].slice(0, MAX_LETTERS)
    this.#spelt = speltPattern(wanted)
    this.#scanned = toScannedBytes(wanted)
    this.#beginnings = toBeginnings(wanted)
  }

  /** At the beginning of the scanner's chunk. */
  isInChunk(length: number): boolean {
    return this.nextInChunk(0, length) >= 0
  }

  /** A position in the scanner's chunk, from `at` on, where the text may be, not necessarily the first; -1 if none. */
  nextInChunk(at: number, length: number): number {
    const scanner = ByteScanner.one
    scanner.use(this.#scanned)
    const plain = scanner.find(at, length)
    return plain >= 0 ? plain : this.#nextSpelt(scanner, at, length)
  }

  #nextSpelt(scanner: ByteScanner, from: number, length: number): number {
    const { chunk } = scanner
    let window = ''
    let windowStart = 0
    const isSpeltAt = (start: number): boolean => {
      const windowEnd = windowStart + window.length
      if (start < windowStart || (windowEnd < length && windowEnd < start + MAX_SPELT_BYTES)) {
        windowStart = start
        window = chunk.toString('latin1', start, Math.min(length, start + WINDOW_BYTES))
      }
      this.#spelt.lastIndex = start - windowStart
      return this.#spelt.test(window)
    }
    for (let at = scanner.nextBreak(from, length); at >= 0; at = scanner.nextBreak(at + 1, length)) {
      if (chunk[at] !== QUOTE && isSpeltAt(at)) return at
      for (const bytes of this.#beginnings.get(chunk[at - 1] ?? 0) ?? []) {
        if (at - bytes >= from && this.#isBeginning(chunk, at - bytes, bytes) && isSpeltAt(at - bytes)) {
          return at - bytes
        }
      }
    }
    return -1
  }

  #isBeginning(chunk: Buffer, start: number, bytes: number): boolean {
    const { wanted, ignored } = this.#scanned
    for (let index = 0; index < bytes; index++) {
      if (((chunk[start + index] ?? 0) | (ignored[index] ?? 0)) !== wanted[index]) return false
    }
    return true
  }
}

const QUOTE = 0x22

function toBeginnings(wanted: string[]): Map<number, number[]> {
  const beginnings = new Map<number, number[]>()
  let length = 0
  for (const letter of wanted.slice(0, -1)) {
    length += Buffer.byteLength(letter)
    for (const byte of lastBytes(letter)) beginnings.set(byte, [...(beginnings.get(byte) ?? []), length])
  }
  return beginnings
}

/** The scanner's input to find these letters. */
function toScannedBytes(wanted: string[]): ScannedBytes {
  const bytes = Buffer.from(wanted.join(''))
  return {
    wanted: bytes,
    ignored: bytes.map((byte) => (isAsciiLetter(byte) ? CASE_BIT : 0)),
    rarest: rarestOf(bytes),
    before: byteSet(wanted.slice(0, -1).flatMap(lastBytes)),
    behindQuote: byteSet([...Buffer.from(' \t\r\n,}')]),
    characters: toCharacterTable(wanted),
  }
}

const CASE_BIT = 0x20

/** ASCII letters and digits by frequency in sessions; all others are rarer. */
const MOST_FREQUENT = 'etaoinsrl0cdum1h2pf3456789gbwyvkxjqz'

function rarestOf(bytes: Uint8Array): [number, number] {
  const frequency = (byte: number) => {
    const place = MOST_FREQUENT.indexOf(String.fromCharCode(byte))
    // Characters of one script share their first bytes.
    return place >= 0 ? place : byte >= 0xc0 ? 0 : MOST_FREQUENT.length
  }
  const [rarest = 0, second = rarest] = [...bytes.keys()].sort(
    (a, b) => frequency(bytes[b] ?? 0) - frequency(bytes[a] ?? 0),
  )
  return [rarest, second]
}

function byteSet(bytes: number[]): Uint8Array {
  const set = new Uint8Array(256)
  for (const byte of bytes) set[byte] = 1
  return set
}

/** Of a letter, in either case. */
function lastBytes(letter: string): number[] {
  const last = Buffer.from(letter).at(-1) ?? 0
  return isAsciiLetter(last) ? [last, last & ~CASE_BIT] : [last]
}

function isAsciiLetter(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a
}

/** The relevance of characters for the letters, by their first two bytes. */
function toCharacterTable(wanted: string[]): Uint8Array {
  const { variants, invisible } = rawLetters()
  const table = new Uint8Array(0x1_00_00)
  const mark = (characters: string[], relevance: number) => {
    for (const character of characters) {
      const place = Buffer.from(character).readUInt16BE()
      table[place] = (table[place] ?? 0) | relevance
    }
  }
  mark(invisible, RELEVANT.between)
  for (const letter of wanted) mark(variants.get(letter) ?? [], RELEVANT.asLetter)
  mark(touchingLigatures(wanted), RELEVANT.asLetter)
  return table
}

/** How letters may appear in a file in other forms: everything that folding maps to them. */
interface RawLetters {
  /** Other characters that fold to this letter or digit. */
  variants: ReadonlyMap<string, string[]>
  /** Characters that fold to several (`ﬁ`, `™`). */
  joined: { character: string; folded: string }[]
  /** Characters that fold to nothing: combining accents, and invisible ones. */
  invisible: string[]
}

/**
 * Scripts whose letters fold one by one, so that their characters determine the folded text. Excludes Kana and Hangul, in which two
 * characters can become one.
 */
export const FOLDED_ONE_BY_ONE =
  /^[a-z0-9\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}]$/u

/** Where Unicode has characters that fold to letters of these scripts, or to nothing; a test checks all others. */
export const FOLDING_RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x80, 0x33ff],
  [0xa000, 0xabff],
  [0xf900, 0xffff],
  [0x10780, 0x107ff],
  [0x1bca0, 0x1bcaf],
  [0x1ccd0, 0x1ccff],
  [0x1d000, 0x1d7ff],
  [0x1e030, 0x1e08f],
  [0x1f100, 0x1f2ff],
  [0x1fbf0, 0x1fbff],
  [0x2f800, 0x2fa1f],
  [0xe0000, 0xe0fff],
]

let known: RawLetters | null = null

/** Built on first use: it takes some fifty milliseconds. */
function rawLetters(): RawLetters {
  known ??= readRawLetters()
  return known
}

function readRawLetters(): RawLetters {
  const variants = new Map<string, string[]>()
  const joined: RawLetters['joined'] = []
  const invisible: string[] = []
  for (const [first, last] of FOLDING_RANGES) {
    for (let code = first; code <= last; code++) {
      const character = String.fromCodePoint(code)
      const folded = foldTextOnly(character)
      if (folded === character) continue
      if (folded === '') invisible.push(character)
      else if (FOLDED_ONE_BY_ONE.test(folded))
        variants.set(folded, [...(variants.get(folded) ?? []), character])
      else joined.push({ character, folded })
    }
  }
  return { variants, joined, invisible }
}

/** An expression over bytes (as Latin-1) for all encodings of these letters in a session file. */
function speltPattern(wanted: string[]): RegExp {
  const { variants } = rawLetters()
  const spelt = wanted.map((letter) => {
    const others = anyOf([...(letter < '\x80' ? [] : [letter]), ...(variants.get(letter) ?? [])])
    const written = [letter < '\x80' ? plainLetter(letter) : '', others, ESCAPE].filter((part) => part !== '')
    return `(?:${written.join('|')})`
  })
  const ligatures = touchingLigatures(wanted)
  const alternatives = [spelt.join(BETWEEN), anyOf(ligatures), ...ligatures.map(escapeSource)]
  return new RegExp(alternatives.filter((part) => part !== '').join('|'), 'y')
}

/** Characters that fold to several, some of which may be part of the text. */
function touchingLigatures(wanted: string[]): string[] {
  return rawLetters()
    .joined.filter(({ folded }) => canTouch(wanted.join(''), folded))
    .map(({ character }) => character)
}

function plainLetter(letter: string): string {
  return `[${letter}${letter.toUpperCase()}]`
}

/** JSON may encode any character like this. */
const ESCAPE = '\\\\u[0-9a-fA-F]{4}'
// The model joins the texts of adjacent parts and the tokens of a terminal line without a space: a word may begin in one and end in the
// next.
const NEXT_TEXT =
  '"\\s*(?:,\\s*"[^{}]{0,400})?\\}(?:\\s*,\\s*\\{[^{}]{0,2000}\\}){0,2}\\s*,\\s*\\{[^{}]{0,400}"text"\\s*:\\s*"'
const NEXT_STRING = '"\\s*,\\s*"'
const JOINT = `${NEXT_TEXT}|${NEXT_STRING}`
/** Accents and invisible characters fold to nothing. Allowing any other character as well rarely costs much. */
const BETWEEN = `(?:[\\x80-\\xff]|${ESCAPE}|${JOINT})*`

/** Whether such a character can be part of the text, or extend beyond one of its ends. */
function canTouch(text: string, folded: string): boolean {
  if (text.includes(folded) || folded.includes(text)) return true
  for (let length = 1; length < folded.length; length++) {
    if (text.startsWith(folded.slice(-length)) || text.endsWith(folded.slice(0, length))) return true
  }
  return false
}

/** Source of an expression for one of the characters as UTF-8 bytes; characters that differ only in the last byte share the rest. */
function anyOf(characters: string[]): string {
  const lastBytes = new Map<string, number[]>()
  for (const character of characters) {
    const bytes = [...Buffer.from(character)]
    const last = bytes.pop() ?? 0
    const start = bytes.map(byteSource).join('')
    lastBytes.set(start, [...(lastBytes.get(start) ?? []), last])
  }
  return [...lastBytes].map(([start, last]) => `${start}[${last.map(byteSource).join('')}]`).join('|')
}

function byteSource(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`
}

function escapeSource(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => {
      const digits = character.charCodeAt(index).toString(16).padStart(4, '0')
      return `\\\\u${digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`
    })
    .join('')
}

/** Runs of letters that a text must contain for a match: all of one of these lists. null: unknown. */
export function requiredLetters(mode: 'substring' | 'regex', pattern: string): string[][] | null {
  const alternatives = mode === 'substring' ? [[pattern]] : literalRuns(pattern)
  if (alternatives === null) return null
  const letters = alternatives.map((runs) => {
    const findable = new Set(runs.flatMap((run) => findableRuns(foldTextOnly(run))))
    return [...findable].sort((a, b) => b.length - a.length)
  })
  return letters.some((runs) => runs.length === 0) ? null : letters
}

/** The runs of letters in a folded text that are long enough to search for in the bytes of a file. */
export function findableRuns(folded: string): string[] {
  const runs: string[] = []
  let run = ''
  for (const character of [...folded, '']) {
    if (FOLDED_ONE_BY_ONE.test(character)) run += character
    else {
      if (run.length >= MIN_LETTERS || HAN.test(run)) runs.push(run)
      run = ''
    }
  }
  return runs
}

const MIN_LETTERS = 3
const HAN = /\p{Script=Han}/u

/**
 * For each alternative of a regular expression, the literal texts in each match. Only certain ones: groups and classes count as anything,
 * and an unknown escape makes everything unknown.
 */
function literalRuns(expression: string): string[][] | null {
  const alternatives: string[][] = [['']]
  let depth = 0
  const runs = () => alternatives.at(-1) ?? []
  const endRun = () => void runs().push('')
  const dropLast = () => {
    const run = [...(runs().pop() ?? '')]
    runs().push(run.slice(0, -1).join(''), '')
  }
  for (let rest = expression; rest !== ''; ) {
    const [piece = '', knownEscape, quantifier] = PIECE.exec(rest) ?? []
    if (piece === '') return null
    rest = rest.slice(piece.length)
    if (piece === '(') depth += 1
    if (piece === ')') depth -= 1
    if (depth > 0 || piece === ')') endRun()
    else if (knownEscape !== undefined) endRun()
    else if (quantifier !== undefined) dropLast()
    else if (piece === '|') alternatives.push([''])
    else if (LITERAL.test(piece)) runs().push((runs().pop() ?? '') + piece)
    else endRun()
  }
  return alternatives
}

// A known escape; a class; a quantifier that can match zero times; any other character except a backslash or an open class.
const PIECE =
  /^(?:(\\[dDwWsSbBAzntrfv\p{P}\p{S}])|\[\^?\]?(?:\[:\^?\w+:\]|\\[^pPQxu]|[^\]\\])*\]|(\*|\?|\{\d+(?:,\d*)?\})|[^\\[])/u
const LITERAL = /^[\p{L}\p{N}]$/u
