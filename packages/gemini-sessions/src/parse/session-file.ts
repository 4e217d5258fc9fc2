import { FILE_KINDS } from '../model/file-kind.ts'
import type { ParseIssue, ParseIssueCode } from '../model/issue.ts'
import { isRawObject, KNOWN_NAMES, type RawObject } from '../raw.ts'
import { type ByteRange, copyBytes, joinBytes } from './json/bytes.ts'
import { completeJson } from './json/complete-json.ts'
import {
  decodeFile,
  detectEncoding,
  ENCODING_BYTES,
  type FileEncoding,
  Utf16Reader,
} from './json/encoding.ts'
import type { OnItem } from './json/value-scanner.ts'
import type { LargeTexts } from './large-texts.ts'
import { type LiftedEntries, liftMessages } from './lift/lift.ts'
import { plainText } from './lift/parts.ts'
import { splitPrompt, toOrigin } from './lift/prompt.ts'
import {
  HeaderReader,
  LogLines,
  type LogRecord,
  noteMetadata,
  type ParsedFile,
  type ParsedLine,
  type SessionHeader,
  StreamedObject,
  toLogRecord,
} from './log.ts'
import { Problems, recognizeFile } from './problems.ts'
import { isCompressMark, isConversation, ReplayLog, slimRow } from './replay.ts'
import { createEntry, isResumableEntry, type LogEntry } from './row.ts'

const NEWLINE = 10
const OPENING = 123
const DETECT_BYTES = 64
/** Enough of an unreadable file to identify its session from the first fields. */
const HEAD_BYTES = 16 * 1024

/** After a larger first value nothing is read: it is a document, not a record of a log. */
const MOST_FIRST_BYTES = 1024 * 1024

/** Reads the UTF-8 of one session file as it grows (see `SessionLogReader`). */
class SessionTextReader {
  readonly #path: string
  readonly #texts: LargeTexts | null
  readonly #lifted: LiftedEntries | null
  /** Reads the file as one JSON document, until a record shows that it is a log. */
  #document: StreamedObject | null
  readonly #onItem: OnItem
  #lines: LogLines
  readonly #log = new ReplayLog()
  #badLines = new Problems()
  /** The first bytes of the file. */
  #head: Uint8Array = new Uint8Array(0)
  #isPretty: boolean | null = null
  /** Number of line ends in a first value that spans several lines. */
  #firstLines = 0
  /** The lines are those after it. */
  #isBehindFirst = false
  /** That value, until another one follows and shows that it is not a document but the first record of a log. */
  #first: LogRecord | null = null
  #recordCount = 0
  #hasKnownRecord = false
  #sizeBytes = 0
  /** Differs from the bytes read here if the file is not in UTF-8. */
  #fileBytes = 0

  /**
   * @param texts takes large texts out of whole records; without it everything is held
   * @param lifted makes every `result` but the first cheap
   */
  constructor(path: string, texts: LargeTexts | null = null, lifted: LiftedEntries | null = null) {
    this.#path = path
    this.#texts = texts
    this.#lifted = lifted
    this.#document = new StreamedObject(
      (names, item, range) => this.#toDocumentItem(names, item, range),
      texts ? (names, bytes, range) => this.#toDocumentRow(texts, names, bytes, range) : undefined,
    )
    this.#onItem = (names, item, range) => this.#toSlimItem(names, item, range)
    this.#lines = new LogLines(this.#document, this.#onItem, texts)
  }

  append(bytes: Uint8Array): void {
    const offset = this.#sizeBytes
    this.#sizeBytes += bytes.length
    if (this.#head.length < HEAD_BYTES) {
      this.#head = joinBytes([this.#head, copyBytes(bytes.subarray(0, HEAD_BYTES - this.#head.length))])
    }
    this.#isPretty ??= this.#detectPretty()
    // The lines share the document's reading of a long first line, so that has to end where the line ends.
    const end = this.#lines.lines === 0 ? bytes.indexOf(NEWLINE) + 1 : 0
    if (end > 0) this.#read(bytes.subarray(0, end), offset)
    this.#read(bytes.subarray(end), offset + end)
  }

  /** @param fileBytes the size of the file */
  result(fileBytes: number): ParsedFile {
    this.#fileBytes = fileBytes
    const rest = this.#isPretty && !this.#isBehindFirst ? null : this.#lines.rest
    const row = rest?.line.row
    const record = rest && row ? toLogRecord(row, rest.number, rest.line.isReadByCli) : null
    if (this.#document && !(record && this.#isProof(this.#first ?? record))) {
      const file = this.#readDocument(this.#document)
      const hasKnownRecord =
        this.#hasKnownRecord ||
        (record !== null && isKnown(record)) ||
        (this.#first !== null && isPartOfLog(this.#first))
      if (!file.isDamaged || !hasKnownRecord) return file
    }
    return this.#replay(rest, record)
  }

  /** The pretty form begins with a brace alone on its line; a log never does. null: too few bytes to decide. */
  #detectPretty(): boolean | null {
    const head = new TextDecoder().decode(this.#head.subarray(0, DETECT_BYTES))
    if (/^\s*[{[][^\S\n]*\n/.test(head)) return true
    const isOpen = /^\s*([{[][^\S\n]*)?$/.test(head)
    return isOpen && this.#sizeBytes < DETECT_BYTES ? null : false
  }

  #read(bytes: Uint8Array, offset: number): void {
    const isOpen = this.#document !== null && this.#document.end === null
    this.#document?.append(bytes, offset)
    const end = isOpen ? this.#document?.end : null
    const isSpread = this.#isPretty || (this.#badLines.issues.length > 0 && this.#recordCount === 0)
    if (this.#document && end != null && isSpread) this.#startBehind(this.#document, bytes, offset, end)
    else if (!this.#isPretty || this.#isBehindFirst) this.#lines.append(bytes, this.#onLine)
    else if (offset < MOST_FIRST_BYTES) this.#firstLines += countLines(bytes)
  }

  /** The first value is complete and spans several lines. If others follow, the file is a reformatted log. */
  #startBehind(document: StreamedObject, bytes: Uint8Array, offset: number, end: number): void {
    // empty lines before it may have been read before it was known to span several lines
    const before = this.#firstLines + this.#lines.lines
    const lines = before + countLines(bytes.subarray(0, end - offset))
    const { whole } = document
    this.#isPretty = true
    if (whole === null || end > MOST_FIRST_BYTES) return
    const blank = this.#head.subarray(0, this.#head.indexOf(OPENING))
    this.#first = toLogRecord(whole, countLines(blank) + 1, true)
    this.#isBehindFirst = true
    this.#badLines = new Problems()
    this.#lines = new LogLines(null, this.#onItem, this.#texts, { offset: end, lines })
    this.#lines.append(bytes.subarray(end - offset), this.#onLine)
  }

  #toDocumentRow(texts: LargeTexts, names: readonly string[], bytes: Uint8Array, range: ByteRange): unknown {
    const row = isListOfMessages(names) ? texts.parse(bytes, range) : null
    if (row === null) return undefined
    texts.documentRows.push(range)
    return row
  }

  #toDocumentItem(names: readonly string[], item: unknown, range: ByteRange): unknown {
    if (!isListOfMessages(names)) return item
    this.#texts?.documentRows.push(range)
    this.#texts?.putAside(item, range)
    return item
  }

  #toSlimItem(names: readonly string[], item: unknown, range: ByteRange): unknown {
    const isMessage = names.length === 2 && names[0] === '$set' && names[1] === 'messages'
    if (!isMessage) return item
    this.#texts?.putAside(item, range)
    return slimRow(item, (id) => this.#log.find(id))
  }

  readonly #onLine = (line: ParsedLine, number: number): void => {
    const at = `line ${number}`
    if (line.row) {
      const first = this.#first
      this.#first = null
      if (first) {
        noteSpread(first, this.#log.problems)
        this.#add(first)
      }
      noteLine(line, at, this.#log.problems)
      this.#add(toLogRecord(line.row, number, line.isReadByCli))
    } else if (!line.isBlank) this.#badLines.addIssue('bad-line', at)
  }

  #add(record: LogRecord): void {
    if (this.#isProof(record)) this.#document = null
    this.#recordCount += 1
    this.#hasKnownRecord ||= isKnown(record)
    this.#log.apply(record)
  }

  /**
   * A document can have a line that is a record by itself: its last message. Only metadata, which the CLI also accepts as proof, or a
   * record with nothing unreadable before it shows that the file is a log.
   */
  #isProof(record: LogRecord): boolean {
    return record.kind === 'metadata' || (isKnown(record) && this.#badLines.issues.length === 0)
  }

  /** @param record from the last line without a newline */
  #replay(rest: LogLines['rest'] | null, record: LogRecord | null): ParsedFile {
    const problems = this.#badLines.copy()
    if (rest && !rest.line.row && !rest.line.isBlank) problems.addIssue('torn-tail', `line ${rest.number}`)
    // The line may still continue, so it must not be part of the log itself.
    const log = record || this.#first ? this.#log.copy() : this.#log
    if (this.#first) {
      noteSpread(this.#first, log.problems)
      log.apply(this.#first)
    }
    if (rest && record) {
      noteLine(rest.line, `line ${rest.number}`, log.problems)
      log.apply(record)
    }
    problems.addAll(log.problems)
    if (!log.header.hasMetadata) problems.addIssue('no-metadata', '')
    const isNamed = log.header.hasMetadata || log.header.header.sessionId !== null
    const hasKnownMessage = log.entries.some(isOfKnownType)
    if (!isNamed && !hasKnownMessage) return this.#toForeign()
    if (!log.header.hasMetadata && this.#isForeign(hasKnownMessage)) return this.#toForeign()
    return toParsedFile({
      path: this.#path,
      sizeBytes: this.#fileBytes,
      header: { ...log.header.header },
      entries: log.entries,
      live: log.live,
      lastConversation: log.lastConversation,
      knownIds: log.ids,
      problems,
      // Entries of a copy are different objects.
      lifted: log === this.#log ? this.#lifted : null,
    })
  }

  #readDocument(document: StreamedObject): ParsedFile {
    const problems = new Problems()
    if (document.isBlank) {
      const args: ParseIssue['args'] = this.#head.includes(0) ? { kind: 'zeros' } : {}
      return this.#toDamaged('empty-file', new Problems(), args)
    }
    if (this.#recordCount > 1) return this.#toForeign()
    const parsed = parseDocument(document, this.#fileBytes, problems)
    const isForeign =
      (parsed === null || !isSession(parsed)) && this.#isForeign(parsed !== null && parsed.rows.length > 0)
    if (parsed && !isForeign) return this.#liftDocument(parsed, problems)
    if (isForeign || document.damage === null || this.#recordCount > 0) return this.#toForeign()
    // The CLI may be writing the first line of a log.
    const isTornLog = !this.#isPretty && this.#lines.lines === 0 && toFileFormat(this.#path) === 'jsonl'
    return isTornLog ? this.#toDamaged('torn-tail') : this.#toDamaged(null, problems)
  }

  /** The document has only the final state: everything in it is live. */
  #liftDocument({ fields, rows, isDamaged }: ParsedDocument, problems: Problems): ParsedFile {
    const reader = new HeaderReader()
    reader.readMetadata(fields)
    noteMetadata('metadata', fields, '', problems)
    const entries = rows.map((row, index) => createEntry(row, false, { index }))
    return toParsedFile({
      path: this.#path,
      sizeBytes: this.#fileBytes,
      header: reader.header,
      entries,
      live: entries,
      lastConversation: entries,
      knownIds: new Set(entries.map((entry) => entry.id)),
      isDamaged,
      problems,
    })
  }

  /** It is of a type that nothing else looks like. `hasMessages`: something in it could nevertheless be messages of a session. */
  #isForeign(hasMessages: boolean): boolean {
    const { isCertain, mayHoldMessages } = FILE_KINDS[recognizeFile(this.#head)]
    return isCertain && (!hasMessages || mayHoldMessages === true)
  }

  #toForeign(): ParsedFile {
    return this.#toDamaged('not-a-session', new Problems(), { kind: recognizeFile(this.#head) })
  }

  #toDamaged(
    code: ParseIssueCode | null,
    problems = new Problems(),
    args: ParseIssue['args'] = {},
  ): ParsedFile {
    if (code) problems.addIssue(code, '', args)
    return toDamagedFile({ path: this.#path, sizeBytes: this.#fileBytes, head: this.#head, problems })
  }
}

function countLines(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1
  return count
}

/** Reported once per file. */
function noteSpread({ line }: LogRecord, problems: Problems): void {
  if (!problems.issues.some(({ code }) => code === 'spread-record'))
    problems.addIssue('spread-record', `line ${line}`)
}

function noteLine({ tooLargeBytes, isGlued, isSpread }: ParsedLine, at: string, problems: Problems): void {
  if (isGlued) problems.addIssue('glued-line', at)
  if (isSpread && !problems.issues.some(({ code }) => code === 'spread-record'))
    problems.addIssue('spread-record', at)
  for (const sizeBytes of tooLargeBytes) problems.addIssue('too-large', at, { sizeBytes })
}

function isListOfMessages(names: readonly string[]): boolean {
  return names.length === 1 && names[0] === 'messages'
}

/** A document has messages, and no id of its own. */
function isPartOfLog(record: LogRecord): boolean {
  return isKnown(record) && !(record.kind === 'metadata' && 'messages' in record.fields)
}

function isKnown(record: LogRecord): boolean {
  return record.kind !== 'unknown'
}

/** A whole document that identifies its session; other files with possible messages do not have these fields. */
function isSession({ fields, rows, isDamaged }: ParsedDocument): boolean {
  return !isDamaged && rows.length > 0 && typeof fields.sessionId === 'string' && fields.session === undefined
}

/** A known version writes messages of this type. */
function isOfKnownType({ type }: LogEntry): boolean {
  return typeof type === 'string' && KNOWN_NAMES.messageType.has(type)
}

interface ParsedDocument {
  fields: RawObject
  rows: readonly unknown[]
  /** The file is truncated, or something else follows; `rows` are the whole messages before. */
  isDamaged: boolean
}

/** A session stored as one JSON document; null if it has no session: `recognizeFile` then returns its type. */
function parseDocument(
  document: StreamedObject,
  sizeBytes: number,
  problems: Problems,
): ParsedDocument | null {
  const { row: fields, tooLargeBytes } = document.parsed
  if (document.damage !== null) return salvage(document, sizeBytes, problems)
  if (fields === null) return null
  for (const valueBytes of tooLargeBytes) problems.addIssue('too-large', '', { sizeBytes: valueBytes })
  const { messages } = fields
  if (messages !== undefined && !Array.isArray(messages)) problems.addIssue('bad-field', 'messages')
  return checkDocument({ fields, rows: Array.isArray(messages) ? messages : [], isDamaged: false }, problems)
}

const DAMAGES = { cut: 'truncated-json', broken: 'broken-json', followed: 'text-behind' } as const

function salvage(document: StreamedObject, sizeBytes: number, problems: Problems): ParsedDocument | null {
  const fields = document.salvage()
  // an incomplete value is only parsed here, which shows whether it is cut or broken
  const damage = document.damage ?? 'cut'
  const rows = Array.isArray(fields?.messages) ? fields.messages : []
  if (fields === null || rows.length === 0) {
    problems.addIssue('nothing-whole', damage === 'cut' ? `byte ${sizeBytes}` : '')
    return null
  }
  problems.addIssue(DAMAGES[damage], damage === 'cut' ? `byte ${sizeBytes}` : '')
  return checkDocument({ fields, rows, isDamaged: true }, problems)
}

/** The CLI accepts any object with a `sessionId`; without one, it must have messages. */
function checkDocument(document: ParsedDocument, problems: Problems): ParsedDocument | null {
  if (typeof document.fields.sessionId === 'string') return document
  if (document.rows.some((row) => isRawObject(row) && typeof row.type === 'string' && 'content' in row)) {
    problems.addIssue('no-metadata', '')
    return document
  }
  return null
}

interface DamagedContent {
  path: string
  sizeBytes: number
  /** The first KB of the file, which may identify its session. */
  head: Uint8Array
  problems: Problems
}

/** A file of which nothing is usable except, possibly, its first fields; `problems` have the reasons (contract rule 7). */
export function toDamagedFile({ path, sizeBytes, head, problems }: DamagedContent): ParsedFile {
  const { sessionId, projectHash, firstStartTime, startTime, lastUpdated, kind } = readSessionHead(head)
  return {
    path,
    format: toFileFormat(path),
    sizeBytes,
    header: {
      sessionId,
      projectHash,
      firstStartTime,
      startTime,
      lastUpdated,
      kind,
      summary: null,
      directories: [],
    },
    messages: [],
    buried: false,
    drawnKeys: null,
    resumedKeys: [],
    knownIds: new Set(),
    isStub: true,
    isResumable: false,
    endsWithCompress: false,
    isDamaged: true,
    issues: problems.issues,
    drift: problems.drift,
  }
}

/** The metadata in the first bytes of a session file; null for what is not in those bytes. Times are ISO 8601 UTC. */
export type SessionHead = Pick<
  SessionHeader,
  'sessionId' | 'projectHash' | 'firstStartTime' | 'startTime' | 'lastUpdated' | 'kind' | 'movedFrom'
> & {
  /** The first text typed by the user, as far as it is in the bytes. */
  firstPrompt: string | null
}

/** Reads the first bytes of a session file (4 to 16 KB, cut anywhere); null for what is not in them. */
export function readSessionHead(bytes: Uint8Array): SessionHead {
  const text = decodeFile(bytes).replaceAll('\0', '').trim()
  const isDocument = /^[{[]\s*\n/.test(text)
  const { header, entries } = isDocument ? readDocumentHead(text) : readLogOrCompact(text)
  return headOf(header, header.kind === 'subagent' ? null : findFirstPrompt(entries))
}

/** The part of the metadata that a head has. */
function headOf(header: SessionHeader, firstPrompt: string | null): SessionHead {
  const { sessionId, projectHash, firstStartTime, startTime, lastUpdated, kind, movedFrom } = header
  const known = { sessionId, projectHash, firstStartTime, startTime, lastUpdated, kind, firstPrompt }
  return movedFrom === undefined ? known : { ...known, movedFrom }
}

/** A document written by another tool may begin like a log, but its first line is not a record. */
function readLogOrCompact(text: string): { header: SessionHeader; entries: LogEntry[] } {
  const log = readLogHead(text)
  if (log.header.sessionId !== null) return log
  const document = readDocumentHead(text)
  return document.header.sessionId === null ? log : document
}

function readDocumentHead(text: string): { header: SessionHeader; entries: LogEntry[] } {
  const reader = new HeaderReader()
  const document = completeJson(text)
  if (!isRawObject(document)) return { header: reader.header, entries: [] }
  reader.readMetadata(document)
  const rows = Array.isArray(document.messages) ? document.messages : []
  return { header: reader.header, entries: rows.map((row, index) => createEntry(row, false, { index })) }
}

function readLogHead(text: string): { header: SessionHeader; entries: LogEntry[] } {
  const log = new ReplayLog()
  const lines = text.split('\n')
  lines.forEach((line, index) => {
    const row = index === lines.length - 1 ? completeJson(line) : parseLine(line)
    if (!isRawObject(row)) return
    log.apply(toLogRecord(row, index + 1, true))
  })
  return { header: log.header.header, entries: [...log.live, ...log.entries] }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function findFirstPrompt(entries: readonly LogEntry[]): string | null {
  for (const { type, content, displayContent } of entries) {
    if (toOrigin(type, content) !== 'human') continue
    const text = plainText(splitPrompt(content, displayContent).said).trim()
    if (text !== '') return text
  }
  return null
}

/** By name, like the CLI; includes backups such as `.jsonl.unreadable-<ms>`. */
function toFileFormat(path: string): 'json' | 'jsonl' {
  return /\.jsonl(\.|$)/.test(path) ? 'jsonl' : 'json'
}

interface FileContent {
  path: string
  sizeBytes: number
  header: SessionHeader
  entries: readonly LogEntry[]
  live: readonly LogEntry[]
  /** The last replay state with a human or model message. */
  lastConversation: readonly LogEntry[]
  knownIds: ReadonlySet<string>
  isDamaged?: boolean
  problems: Problems
  /** Cached results of the last lift. */
  lifted?: LiftedEntries | null
}

/** Lifts the replayed content into the input of stitching. */
function toParsedFile(content: FileContent): ParsedFile {
  const { path, header, entries, live, isDamaged = false, problems, lifted = null } = content
  const isSubagentFile = header.kind === 'subagent'
  const { messages, byEntry } = liftMessages({ path, isSubagentFile, entries, live, problems, lifted })
  const isStub = !entries.some(isConversation)
  const isBuried = !isStub && !live.some(isConversation)
  const format = toFileFormat(path)
  return {
    path,
    format,
    sizeBytes: content.sizeBytes,
    header,
    messages,
    buried: isBuried,
    drawnKeys: isBuried ? content.lastConversation.flatMap((entry) => byEntry.get(entry)?.key ?? []) : null,
    resumedKeys: entries.flatMap((entry) => (entry.opensRun ? (byEntry.get(entry)?.key ?? []) : [])),
    knownIds: content.knownIds,
    isStub,
    isResumable: !isDamaged && isListedByCli(header, problems) && live.some(isResumableEntry),
    endsWithCompress: format === 'json' && isCompressMark(live.at(-1)),
    isDamaged,
    issues: problems.issues,
    drift: problems.drift,
  }
}

/** The CLI reads one record per line, and does not list sub-agents. */
function isListedByCli({ sessionId, kind }: SessionHeader, { issues }: Problems): boolean {
  return sessionId !== null && kind !== 'subagent' && !issues.some(({ code }) => code === 'spread-record')
}

/** Parses one session file. Never throws: what cannot be read becomes `issues`. */
export function parseSessionFile({ path, bytes }: { path: string; bytes: Uint8Array }): ParsedFile {
  const reader = new SessionLogReader(path)
  reader.append(bytes)
  return reader.result()
}

/**
 * Reads one session file as it grows. `append` takes raw bytes cut anywhere; `result` at any time equals
 * `parseSessionFile` of all bytes so far. Neither throws. Holds what was recorded, and only the bytes of an incomplete line.
 */
export class SessionLogReader {
  readonly #path: string
  readonly #texts: LargeTexts | null
  readonly #lifted: LiftedEntries | null
  /** The first bytes, while too few to detect the encoding. */
  #opening: Uint8Array = new Uint8Array(0)
  #sizeBytes = 0
  #reader: SessionTextReader | null = null
  #utf16: Utf16Reader | null = null

  /**
   * @param texts takes large texts out of whole records; without it, and for UTF-16, everything is held
   * @param lifted makes every `result` but the first cheap
   */
  constructor(path: string, texts: LargeTexts | null = null, lifted: LiftedEntries | null = null) {
    this.#path = path
    this.#texts = texts
    this.#lifted = lifted
  }

  append(bytes: Uint8Array): void {
    this.#sizeBytes += bytes.length
    const piece = this.#reader === null ? joinBytes([this.#opening, bytes]) : bytes
    if (this.#reader === null && piece.length < ENCODING_BYTES) this.#opening = copyBytes(piece)
    else {
      this.#reader ??= this.#open(piece)
      this.#reader.append(this.#utf16 ? this.#utf16.toUtf8(piece) : piece)
    }
  }

  result(): ParsedFile {
    const parsed = (this.#reader ?? this.#readOpening()).result(this.#sizeBytes)
    if (this.#utf16 === null || parsed.messages.length === 0) return parsed
    const issues: ParseIssue[] = [{ code: 'utf-16', at: '', args: {} }, ...parsed.issues]
    return { ...parsed, isResumable: false, issues }
  }

  #open(start: Uint8Array): SessionTextReader {
    const encoding = detectEncoding(start)
    this.#utf16 = encoding === 'utf-8' ? null : new Utf16Reader(encoding)
    // offsets in UTF-8 are not positions in a UTF-16 file
    return new SessionTextReader(this.#path, this.#utf16 ? null : this.#texts, this.#lifted)
  }

  /** All of a very small file. More may follow, so nothing is kept. */
  #readOpening(): SessionTextReader {
    const reader = new SessionTextReader(this.#path)
    reader.append(this.#opening)
    return reader
  }
}

/**
 * The UTC time in a session file's name, or null. Two forms: the minute of the file's creation (`session-2026-11-21T20-30-7ff5e7ae.json`)
 * and epoch milliseconds of an imported session (0.43+).
 */
export function readFileNameTime(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const minute = /^session-(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)(?=-|\.|$)/.exec(name)
  if (minute) {
    const [, year, month, day, hours, minutes] = minute
    return toUtc(Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:00.000Z`))
  }
  const epoch = /^session-(\d{12,14})(?=-|\.|$)/.exec(name)
  return epoch ? toUtc(Number(epoch[1])) : null
}

function toUtc(timeMs: number): string | null {
  return Number.isFinite(timeMs) ? new Date(timeMs).toISOString() : null
}

/** Metadata contains few lists. */
const MAX_TRIES = 16

/**
 * The metadata after the messages of a JSON document, from its last bytes: other tools write fields in another order. null if the bytes are
 * not the end of such a document.
 *
 * @param encoding of the file, which cannot be detected at its end
 */
export function readSessionTail(bytes: Uint8Array, encoding: FileEncoding = 'utf-8'): SessionHead | null {
  const text = decodeFile(bytes, encoding).trimEnd()
  if (!text.endsWith('}')) return null
  let end = text.length
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    // After the end of the list of messages, the rest of the file is an object without its opening brace.
    end = text.lastIndexOf(']', end - 1)
    if (end === -1) return null
    const fields = parseFields(text.slice(end + 1))
    if (fields !== null) return fields
  }
  return null
}

function parseFields(rest: string): SessionHead | null {
  const fields = tryParse(rest.replace(/^\s*,/, '{'))
  if (!isRawObject(fields) || typeof fields.sessionId !== 'string') return null
  const reader = new HeaderReader()
  reader.readMetadata(fields)
  return headOf(reader.header, null)
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
