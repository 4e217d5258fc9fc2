import { FILE_KINDS } from '../../model/file-kind.ts'
import type { ParseIssue, ParseIssueCode } from '../../model/parse-issue.ts'
import { KNOWN_NAMES } from '../../raw/known-names.ts'
import { type ByteRange, copyBytes, joinBytes } from '../json/bytes.ts'
import type { OnItem } from '../json/json-stream-options.ts'
import type { LargeTexts } from '../large-texts/large-texts.ts'
import type { LiftedEntries } from '../lift/lifted-entries.ts'
import { HeaderReader } from '../log/header-reader.ts'
import { LogLines } from '../log/log-lines.ts'
import { type LogRecord, toLogRecord } from '../log/log-record.ts'
import { noteMetadata } from '../log/note-metadata.ts'
import type { ParsedLine } from '../log/parse-line.ts'
import type { ParsedFile } from '../log/parsed-file.ts'
import { StreamedObject } from '../log/streamed-object.ts'
import { Problems } from '../problems/problems.ts'
import { recognizeFile } from '../problems/recognize-file.ts'
import { ReplayLog } from '../replay/replay-log.ts'
import { slimRow } from '../replay/slim-row.ts'
import { createEntry, type LogEntry } from '../row/log-entry.ts'
import { type ParsedDocument, parseDocument } from './parse-document.ts'
import { toDamagedFile } from './to-damaged-file.ts'
import { toFileFormat } from './to-file-format.ts'
import { toParsedFile } from './to-parsed-file.ts'

const NEWLINE = 10
const OPENING = 123
const DETECT_BYTES = 64
/** Enough of an unreadable file to learn from its first fields which session it is. */
const HEAD_BYTES = 16 * 1024

/** Behind a first value that is larger, nothing is read: it is a document, no record of a log. */
const MOST_FIRST_BYTES = 1024 * 1024

/** Reads the UTF-8 of one session file as it grows (see `SessionLogReader`). */
export class SessionTextReader {
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
  /** Ends of lines in a first value that is spread over several. */
  #firstLines = 0
  /** The lines are those behind it. */
  #isBehindFirst = false
  /** That value, until another one follows and shows that it is no document but the first record of a log. */
  #first: LogRecord | null = null
  #recordCount = 0
  #hasKnownRecord = false
  #sizeBytes = 0
  /** More than were read here where the file is not written in UTF-8. */
  #fileBytes = 0

  /**
   * @param texts takes what is large out of whole records; without it everything is held
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

  /** The pretty form opens with a brace alone on its line; a log never does. null: too few bytes to tell. */
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

  /** The first value is whole and spread over several lines. Where others follow, the file is a log that somebody formatted. */
  #startBehind(document: StreamedObject, bytes: Uint8Array, offset: number, end: number): void {
    const before = this.#isPretty ? this.#firstLines : this.#lines.lines
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
   * A document can hold a line that is a record by itself: its last message. Only metadata, which the CLI too takes
   * for proof, or a record with nothing unreadable before it shows that the file is a log.
   */
  #isProof(record: LogRecord): boolean {
    return record.kind === 'metadata' || (isKnown(record) && this.#badLines.issues.length === 0)
  }

  /** @param record what the last line holds that has no newline yet */
  #replay(rest: LogLines['rest'] | null, record: LogRecord | null): ParsedFile {
    const problems = this.#badLines.copy()
    if (rest && !rest.line.row && !rest.line.isBlank) problems.addIssue('torn-tail', `line ${rest.number}`)
    // The line may yet go on, so the log itself must not know it.
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
      // Entries of a copy are others.
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
    const isForeign = this.#isForeign(parsed !== null && parsed.rows.length > 0)
    if (parsed && !isForeign) return this.#liftDocument(parsed, problems)
    if (isForeign || document.damage === null || this.#recordCount > 0) return this.#toForeign()
    // The CLI may just be writing the first line of a log.
    const isTornLog = !this.#isPretty && this.#lines.lines === 0 && toFileFormat(this.#path) === 'jsonl'
    return isTornLog ? this.#toDamaged('torn-tail') : this.#toDamaged(null, problems)
  }

  /** The document holds the final state only: everything in it is live. */
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

  /** It is of a kind that nothing else looks like. `hasMessages`: something in it could be messages of a session all the same. */
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
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === NEWLINE) count += 1
  return count
}

/** Told once for a file. */
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

/** A version that we know writes messages of this type. */
function isOfKnownType({ type }: LogEntry): boolean {
  return typeof type === 'string' && KNOWN_NAMES.messageType.has(type)
}
