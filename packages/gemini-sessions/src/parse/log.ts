import type { DriftNote, ParseIssue } from '../model/issue.ts'
import type { Message } from '../model/message.ts'
import { isRawObject, KNOWN_NAMES, type RawObject } from '../raw.ts'
import { type ByteRange, copyBytes, decodeText, isBlankByte, joinBytes } from './json/bytes.ts'
import { JsonStream } from './json/complete-json.ts'
import { JSON_BYTES, type OnItem, type ReadRow, ValueScanner } from './json/value-scanner.ts'
import type { LargeTexts } from './large-texts.ts'
import type { Problems } from './problems.ts'
import { toIsoTime } from './row.ts'

/** The content of one file on disk, replayed and lifted. Stitching makes sessions from one or more of these. */
export interface ParsedFile {
  /** Path relative to its Gemini folder, `/` on every system. */
  path: string
  format: 'json' | 'jsonl'
  sizeBytes: number
  header: SessionHeader
  /** Every message ever recorded in this file, once, placed by contract rule 2; keys unique in the file. */
  messages: Message[]
  /** The live state has no human or model message, but the log has (rule 5). */
  buried: boolean
  /** Keys of the messages in the last replay state with a human or model message; null unless buried. */
  drawnKeys: string[] | null
  /** Keys of the messages with which a later run of the CLI continued in this file (0.39+; not recorded in older logs). */
  resumedKeys: string[]
  /** Ids whose live-list membership is determined by this file's log: every id in any of its records. */
  knownIds: ReadonlySet<string>
  /** No message of human or model origin was ever recorded here. */
  isStub: boolean
  /** Whether the CLI (0.61.0) can continue it: judged by its current content, without rewound messages. */
  isResumable: boolean
  /** The last message is the empty `info` left by `/compress` (0.18 to 0.24: the conversation continues in another file). */
  endsWithCompress: boolean
  /** Damaged, empty or foreign: see `issues`. Of a truncated document, `messages` are the whole ones before. */
  isDamaged: boolean
  issues: ParseIssue[]
  drift: DriftNote[]
}

/** Metadata of a file: the last recorded value of each field. */
export interface SessionHeader {
  sessionId: string | null
  projectHash: string | null
  /** `startTime` of the first metadata record exactly as stored: part of the session's key. */
  firstStartTime: string | null
  /** The earliest `startTime` recorded. */
  startTime: string | null
  lastUpdated: string | null
  kind: 'main' | 'subagent' | null
  summary: string | null
  directories: string[]
  /** `projectHash` of the projects it was moved from, in order (`gemini-dash move`; unknown to the CLI). */
  movedFrom?: string[]
}

const BACKSLASH = 92
const QUOTE = 34
const BLANK = 32
/** These are followed by a value, which belongs to the record, torn or not. */
const BEFORE_VALUE = new Set([91, 44, 58])
/** Longer lines are torn by something other than a killed CLI, and rescanning them takes long. */
const MAX_BYTES = 1024 * 1024
const MAX_TRIES = 20

/**
 * The whole record at the end of a line that begins with a torn one: the CLI was killed while writing, and the next one appended without
 * checking. null: none. Quotes within a JSON string are escaped, so an apparent record start inside one is a real one.
 */
function findGluedRow(text: string): RawObject | null {
  if (text.length > MAX_BYTES) return null
  let scan = new Scan(text, 0)
  let tries = 0
  for (const { index } of text.matchAll(BEGINNING)) {
    if (index === 0) continue
    scan.goTo(index)
    if (!scan.isInString && BEFORE_VALUE.has(scan.last)) continue
    const row = parse(text.slice(index))
    if (row !== null && isRecord(row)) return row
    tries += 1
    if (tries === MAX_TRIES) return null
    // another torn record: continue from there
    scan = new Scan(text, index)
  }
  return null
}

const BEGINNING = /\{"(?:id|sessionId|\$set|\$rewindTo|\$patch)":/g

function isRecord(row: RawObject): boolean {
  const isMessage = typeof row.id === 'string' && typeof row.type === 'string' && 'content' in row
  const isMetadata = typeof row.sessionId === 'string' && typeof row.projectHash === 'string'
  return isMessage || isMetadata || isRawObject(row.$set) || isRawObject(row.$patch) || '$rewindTo' in row
}

function parse(text: string): RawObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRawObject(value) ? value : null
  } catch {
    return null
  }
}

/** Whether a position in a JSON text is inside a string, and what precedes it. */
class Scan {
  isInString = false
  /** The last character outside strings that is not whitespace. */
  last = 0
  readonly #text: string
  #at: number

  constructor(text: string, at: number) {
    this.#text = text
    this.#at = at
  }

  goTo(end: number): void {
    for (; this.#at < end; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === QUOTE) {
        this.isInString = !this.isInString
        this.last = code
      } else if (!this.isInString) {
        if (code > BLANK) this.last = code
      } else if (code === BACKSLASH) this.#at += 1
    }
  }
}

export interface ParsedLine {
  /** null if the line is not a JSON object. */
  row: RawObject | null
  isBlank: boolean
  isReadByCli: boolean
  /** The row follows a torn one: the CLI's loader drops both. */
  isGlued?: boolean
  /** The row spans several lines: the CLI's loader reads none of them. */
  isSpread?: boolean
  /** Sizes of values in it that exceed the limits; they are left out or cut. */
  tooLargeBytes: readonly number[]
}

const OPENING = 123
const NOTHING_TOO_LARGE: readonly number[] = []

/** One line of a log; tolerates leftovers of a power failure (NUL runs) or an editor (BOM, CRLF). */
export function parseLine(bytes: Uint8Array): ParsedLine {
  const start = findContent(bytes)
  if (start === -1) return toLine(null, false, true)
  // Only objects are records; files full of anything else should not cost one exception per line.
  const row = bytes[start] === OPENING ? tryParse(decodeText(bytes)) : null
  if (row) return toLine(row, true)
  const rescued = rescue(bytes)
  if (rescued) return toLine(rescued, false)
  const glued = bytes[start] === OPENING ? findGluedRow(decodeText(bytes)) : null
  return glued ? { ...toLine(glued, true), isGlued: true } : toLine(null, false)
}

function toLine(row: RawObject | null, isReadByCli: boolean, isBlank = false): ParsedLine {
  return { row, isBlank, isReadByCli, tooLargeBytes: NOTHING_TOO_LARGE }
}

function findContent(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; at += 1) if (!isBlankByte(bytes[at] ?? 0)) return at
  return -1
}

/** The line without NULs and byte order mark, if it is then a record. */
function rescue(bytes: Uint8Array): RawObject | null {
  if (!bytes.includes(0) && bytes[0] !== 0xef) return null
  const text = decodeText(bytes.filter((byte) => byte !== 0))
  return tryParse(text.replace(/^\uFEFF/, ''))
}

function tryParse(text: string): RawObject | null {
  if (!text.trimStart().startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(text)
    return isRawObject(value) ? value : null
  } catch {
    return null
  }
}

const NUL = 0
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const ONE_NUL = new Uint8Array(1)

/** A line or a whole file with one JSON object, of any length, read while it arrives. */
export class StreamedObject {
  readonly #json: JsonStream
  #isAtStart = true
  /** Bytes of a byte order mark seen so far. */
  #markLength = 0
  /** The bytes so far end in NULs, which a power failure can leave. */
  #hasNuls = false

  constructor(onItem?: OnItem, readRow?: ReadRow) {
    this.#json = new JsonStream(onItem, undefined, readRow)
  }

  /**
   * The bytes are only valid during the call.
   *
   * @param offset their position, for callers that need the positions of items
   */
  append(bytes: Uint8Array, offset = 0): void {
    const start = this.#isAtStart ? this.#skipStart(bytes) : 0
    let end = bytes.length
    while (end > start && bytes[end - 1] === NUL) end -= 1
    if (start < end) {
      if (this.#hasNuls && !this.#isAtStart) this.#json.append(ONE_NUL)
      this.#isAtStart = false
      this.#json.append(bytes.subarray(start, end), offset + start)
    }
    if (end < bytes.length) this.#hasNuls = true
  }

  /** The object as a line of a log. */
  get parsed(): ParsedLine {
    const { state, value, tooLargeBytes } = this.#json
    const row = isRawObject(value) ? value : null
    const isClean = !this.#hasNuls && this.#markLength === 0
    return { row, isBlank: state === 'blank' && isClean, isReadByCli: row !== null && isClean, tooLargeBytes }
  }

  /** Only whitespace and NULs. */
  get isBlank(): boolean {
    return this.#json.state === 'blank'
  }

  /**
   * What is wrong with content that begins like JSON: it ends too early (`cut`), continues with invalid JSON (`broken`), or is complete but
   * followed by something else (`followed`). null: nothing.
   */
  get damage(): 'cut' | 'broken' | 'followed' | null {
    const { isStarted, value, end, state } = this.#json
    if (!isStarted || value !== undefined) return null
    if (end !== null) return 'followed'
    return state === 'broken' ? 'broken' : 'cut'
  }

  /** Offset after the object, once complete; more may follow. */
  get end(): number | null {
    return this.#json.end
  }

  /** The object, whatever follows it. null: incomplete or missing. */
  get whole(): RawObject | null {
    return this.#json.end === null ? null : this.salvage()
  }

  /** The complete part of a damaged object. */
  salvage(): RawObject | null {
    const saved = this.#json.salvage()
    return isRawObject(saved) ? saved : null
  }

  #skipStart(bytes: Uint8Array): number {
    let at = 0
    for (; at < bytes.length; at += 1) {
      if (bytes[at] === NUL) this.#hasNuls = true
      else if (bytes[at] === BYTE_ORDER_MARK[this.#markLength]) this.#markLength += 1
      else break
    }
    return at
  }
}

const NEWLINE = 10
/** Longer lines are parsed while they arrive. */
const LONG_LINE_BYTES = 1024 * 1024
/** The same if long texts are not decoded, since the rest of most lines is then small. */
const LONG_CUT_LINE_BYTES = 8 * 1024 * 1024
/** A brace alone on its line, with indent and Windows line end. */
const BRACE_LINE_BYTES = 64
/** After these a brace may follow on the next line. */
const BEFORE_BRACE: ReadonlySet<number> = new Set([JSON_BYTES.listStart, JSON_BYTES.comma, JSON_BYTES.colon])

/** Called with each record and the number of its first line, 1-based. */
export type OnLine = (line: ParsedLine, number: number) => void

/**
 * Splits a growing byte stream, delivered in any pieces, into the records of a log, and parses each. A record is a line or, if a formatter
 * or an editor rewrote the file, a line with only a brace and everything up to its closing brace.
 */
export class LogLines {
  /** Pieces of the incomplete record, until it is long. */
  #pieces: Uint8Array[] = []
  #sizeBytes = 0
  /** Where the record begins: offset, and number of lines before it. */
  #start: number
  #startLine: number
  /** Number of line ends so far. */
  #lines: number
  /** Finds the end of a record that spans several lines. */
  #spread: ValueScanner | null = null
  /** The last byte of that record's lines so far that is not whitespace. */
  #lastByte = 0
  #isAtLineStart = false
  #long: StreamedObject | null = null
  /** The first line is read elsewhere anyway; a long one must not be held twice. */
  #shared: StreamedObject | null
  readonly #onItem: OnItem
  readonly #texts: LargeTexts | null
  readonly #longBytes: number
  /** The first record spans several lines, so another one may, even if a field is on the line of its brace. */
  readonly #mayOpenWithField: boolean

  /**
   * @param shared is given the first line before this class
   * @param onItem receives the lists of long lines
   * @param texts takes large texts out of whole lines
   * @param behind where the bytes begin after a first record that spans several lines, and how many lines end before them
   */
  constructor(
    shared: StreamedObject | null,
    onItem: OnItem,
    texts: LargeTexts | null,
    behind: { offset: number; lines: number } | null = null,
  ) {
    this.#shared = shared
    this.#onItem = onItem
    this.#texts = texts
    this.#longBytes = texts ? LONG_CUT_LINE_BYTES : LONG_LINE_BYTES
    this.#mayOpenWithField = behind !== null
    this.#start = behind?.offset ?? 0
    this.#startLine = this.#lines = behind?.lines ?? 0
  }

  /** Number of line ends so far. */
  get lines(): number {
    return this.#lines
  }

  /** Calls back with each completed record. The bytes are only valid during the call. */
  append(bytes: Uint8Array, onLine: OnLine): void {
    for (let at = 0; at < bytes.length; ) {
      at = this.#spread
        ? this.#readSpread(this.#spread, bytes, at, onLine)
        : this.#readLine(bytes, at, onLine)
    }
  }

  /** What follows the last complete record, as far as available, and its line number. */
  get rest(): { line: ParsedLine; number: number } {
    return { line: this.#long ? this.#long.parsed : parseLine(this.#join()), number: this.#startLine + 1 }
  }

  #readLine(bytes: Uint8Array, start: number, onLine: OnLine): number {
    const end = bytes.indexOf(NEWLINE, start)
    if (end === -1) {
      this.#hold(bytes.subarray(start))
      return bytes.length
    }
    this.#lines += 1
    const piece = bytes.subarray(start, end)
    this.#spread = this.#opensSpread(piece)
    if (this.#spread) {
      this.#lastByte = lastContent(bytes, start, end) ?? JSON_BYTES.objectStart
      this.#isAtLineStart = true
      this.#hold(bytes.subarray(start, end + 1))
    } else this.#complete(piece, onLine, 1)
    return end + 1
  }

  /** Reads one line of a record that spans several, or the available part. */
  #readSpread(scanner: ValueScanner, bytes: Uint8Array, start: number, onLine: OnLine): number {
    if (this.#isAtLineStart && bytes[start] === JSON_BYTES.objectStart && !this.#mayHoldBrace(scanner)) {
      // a truncated record, and the next one, which starts in the first column
      this.#complete(new Uint8Array(0), onLine, 0)
      return start
    }
    const newline = bytes.indexOf(NEWLINE, start)
    const lineEnd = newline === -1 ? bytes.length : newline + 1
    const end = scanner.scan(bytes.subarray(0, lineEnd), start)
    if (end !== -1) {
      this.#complete(bytes.subarray(start, end), onLine, 0, true)
      return end
    }
    this.#lastByte = lastContent(bytes, start, lineEnd) ?? this.#lastByte
    this.#isAtLineStart = newline !== -1
    this.#hold(bytes.subarray(start, lineEnd))
    if (newline !== -1) this.#lines += 1
    // no JSON string continues on another line
    if (newline !== -1 && scanner.isInString) this.#complete(new Uint8Array(0), onLine, 0)
    return lineEnd
  }

  #mayHoldBrace(scanner: ValueScanner): boolean {
    // between the fields of the record itself a comma is followed by a name
    if (scanner.depth === 1 && this.#lastByte === JSON_BYTES.comma) return false
    return BEFORE_BRACE.has(this.#lastByte)
  }

  /** A scanner for the rest, if a line that ends with this piece starts a record that continues in the next lines. */
  #opensSpread(piece: Uint8Array): ValueScanner | null {
    const isShort = this.#sizeBytes + piece.length <= BRACE_LINE_BYTES
    if (this.#long || !(isShort || this.#mayOpenWithField)) return null
    const bytes = joinBytes([...this.#pieces, piece])
    const at = bytes.findIndex((byte) => !isBlankByte(byte))
    if (bytes[at] !== JSON_BYTES.objectStart) return null
    if (!this.#mayOpenWithField && !bytes.subarray(at + 1).every(isBlankByte)) return null
    const scanner = new ValueScanner(JSON_BYTES.objectStart)
    return scanner.scan(bytes, at) === -1 && !scanner.isInString ? scanner : null
  }

  #hold(piece: Uint8Array): void {
    this.#sizeBytes += piece.length
    // Copied: the caller may reuse its buffer for the next read.
    if (this.#sizeBytes <= this.#longBytes) this.#pieces.push(copyBytes(piece))
    else if (this.#long) this.#feed(this.#long, [piece], this.#start + this.#sizeBytes - piece.length)
    else {
      this.#long = this.#shared ?? new StreamedObject(this.#onItem)
      this.#feed(this.#long, [...this.#pieces, piece], this.#start)
      this.#pieces = []
    }
  }

  #feed(line: StreamedObject, pieces: readonly Uint8Array[], start: number): void {
    if (line === this.#shared) return
    let offset = start
    for (const piece of pieces) {
      line.append(piece, offset)
      offset += piece.length
    }
  }

  /** @param skippedBytes bytes between this record and the next: the line end */
  #complete(lastPiece: Uint8Array, onLine: OnLine, skippedBytes: number, isSpread = false): void {
    const isWhole = this.#sizeBytes === 0 && lastPiece.length <= this.#longBytes
    if (!isWhole) this.#hold(lastPiece)
    const range = { start: this.#start, end: this.#start + (isWhole ? lastPiece.length : this.#sizeBytes) }
    const parsed = this.#long
      ? this.#readLong(this.#long, range)
      : this.#read(isWhole ? lastPiece : this.#join(), range)
    const number = this.#startLine + 1
    this.#start = range.end + skippedBytes
    this.#startLine = this.#lines
    this.#pieces = []
    this.#sizeBytes = 0
    this.#long = this.#shared = this.#spread = null
    onLine(isSpread && parsed.row ? { ...parsed, isSpread } : parsed, number)
  }

  #readLong({ parsed }: StreamedObject, range: ByteRange): ParsedLine {
    this.#texts?.putAside(parsed.row, range)
    return parsed
  }

  #read(bytes: Uint8Array, range: ByteRange): ParsedLine {
    const row = this.#texts?.parse(bytes, range)
    if (row) return { row, isBlank: false, isReadByCli: true, tooLargeBytes: [] }
    const parsed = bytes.length > LONG_LINE_BYTES ? this.#stream(bytes, range) : parseLine(bytes)
    this.#texts?.putAside(parsed.row, range)
    return parsed
  }

  #stream(bytes: Uint8Array, { start }: ByteRange): ParsedLine {
    const line = new StreamedObject(this.#onItem)
    line.append(bytes, start)
    return line.parsed
  }

  #join(): Uint8Array {
    const joined = joinBytes(this.#pieces)
    this.#pieces = joined.length === 0 ? [] : [joined]
    return joined
  }
}

function lastContent(bytes: Uint8Array, start: number, end: number): number | null {
  for (let at = end - 1; at >= start; at -= 1) if (!isBlankByte(bytes[at] ?? 0)) return bytes[at] ?? null
  return null
}

/** Collects a file's metadata: the last value of each field, and the first and earliest `startTime`. */
export class HeaderReader {
  readonly header: SessionHeader = {
    sessionId: null,
    projectHash: null,
    firstStartTime: null,
    startTime: null,
    lastUpdated: null,
    kind: null,
    summary: null,
    directories: [],
  }
  #hasMetadata = false

  /** A metadata record, or a whole JSON document, was read. */
  get hasMetadata(): boolean {
    return this.#hasMetadata
  }

  copyFrom(other: HeaderReader): void {
    Object.assign(this.header, other.header)
    this.#hasMetadata = other.#hasMetadata
  }

  readMetadata(fields: RawObject): void {
    if (!this.#hasMetadata) this.header.firstStartTime = toStoredTime(fields.startTime)
    this.#hasMetadata = true
    this.readSet(fields)
  }

  readSet(fields: RawObject): void {
    const { header } = this
    if (typeof fields.sessionId === 'string' && fields.sessionId !== '') header.sessionId = fields.sessionId
    if (typeof fields.projectHash === 'string') header.projectHash = fields.projectHash
    const startTime = toIsoTime(fields.startTime)
    if (startTime && (header.startTime === null || startTime < header.startTime)) header.startTime = startTime
    header.lastUpdated = toIsoTime(fields.lastUpdated) ?? header.lastUpdated
    if (fields.kind === 'main' || fields.kind === 'subagent') header.kind = fields.kind
    if (typeof fields.summary === 'string') header.summary = fields.summary
    if (Array.isArray(fields.directories)) {
      header.directories = fields.directories.filter((path) => typeof path === 'string')
    }
    if (Array.isArray(fields.movedFrom))
      header.movedFrom = fields.movedFrom.filter((hash) => typeof hash === 'string')
  }

  /** A metadata record that was truncated, or lacks its `projectHash`: the CLI ignores it. */
  readIncomplete(fields: RawObject): void {
    this.header.firstStartTime ??= toStoredTime(fields.startTime)
    this.readSet(fields)
  }
}

/** A time exactly as in the file, for the session's key (contract rule 9); null if invalid. */
function toStoredTime(value: unknown): string | null {
  return typeof value === 'string' && toIsoTime(value) !== null ? value : null
}

/** One line of a log, by type. */
export type LogRecord = {
  /** 1-based. */
  line: number
  /** false if the CLI's own loader cannot read the line, but this one can. */
  isReadByCli: boolean
} & (
  | { kind: 'rewind'; toId: string }
  | { kind: 'patch'; patch: RawObject }
  | { kind: 'message'; row: RawObject }
  | { kind: 'set'; fields: RawObject }
  | { kind: 'metadata'; fields: RawObject }
  | { kind: 'unknown'; row: RawObject }
)

/** Tests in the order of the CLI's loader (0.39 to 0.61); `$patch` is from versions after 0.61. */
export function toLogRecord(row: RawObject, line: number, isReadByCli: boolean): LogRecord {
  if (typeof row.$rewindTo === 'string') return { line, isReadByCli, kind: 'rewind', toId: row.$rewindTo }
  if (isRawObject(row.$patch)) return { line, isReadByCli, kind: 'patch', patch: row.$patch }
  if (typeof row.id === 'string') return { line, isReadByCli, kind: 'message', row }
  if (typeof row.$set === 'object' && row.$set !== null) {
    return { line, isReadByCli, kind: 'set', fields: isRawObject(row.$set) ? row.$set : {} }
  }
  if (typeof row.sessionId === 'string' && typeof row.projectHash === 'string') {
    return { line, isReadByCli, kind: 'metadata', fields: row }
  }
  return { line, isReadByCli, kind: 'unknown', row }
}

/** Notes names in a metadata record, or set later in a log, that no known version writes. */
export function noteMetadata(
  where: 'metadata' | '$set',
  fields: RawObject,
  at: string,
  problems: Problems,
): void {
  problems.addUnknownNames(where, fields, KNOWN_NAMES.metadata, at)
  const { kind } = fields
  if (typeof kind === 'string' && !KNOWN_NAMES.metadataKind.has(kind)) {
    problems.addDrift('metadata.kind', kind, at)
  }
}

/** Larger rows are parsed value by value, as when the file was first read. */
const LARGE_ROW_BYTES = 1024 * 1024

/** Parses a record again; null if invalid. */
export function parseRow(bytes: Uint8Array): RawObject | null {
  if (bytes.length <= LARGE_ROW_BYTES) return parseLine(bytes).row
  const row = new StreamedObject()
  row.append(bytes)
  return row.parsed.row
}
