import type { ParseIssueCode } from '../../model/parse-issue.ts'
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
import { ReplayLog } from '../replay/replay-log.ts'
import { slimRow } from '../replay/slim-row.ts'
import { createEntry, type LogEntry } from '../row/log-entry.ts'
import { type ParsedDocument, parseDocument } from './parse-document.ts'
import { toDamagedFile } from './to-damaged-file.ts'
import { toFileFormat } from './to-file-format.ts'
import { toParsedFile } from './to-parsed-file.ts'

const NEWLINE = 10
const DETECT_BYTES = 64
/** Enough of an unreadable file to learn from its first fields which session it is. */
const HEAD_BYTES = 16 * 1024

/**
 * Reads one session file as it grows. `append` takes raw bytes cut anywhere; `result` at any time equals
 * `parseSessionFile` of all bytes so far. Neither throws. Holds what was recorded, and of the bytes only a line that
 * is not complete yet.
 */
export class SessionLogReader {
  readonly #path: string
  readonly #texts: LargeTexts | null
  readonly #lifted: LiftedEntries | null
  /** Reads the file as one JSON document, until a record shows that it is a log. */
  #document: StreamedObject | null
  readonly #lines: LogLines
  readonly #log = new ReplayLog()
  readonly #badLines = new Problems()
  /** The first bytes of the file. */
  #head: Uint8Array = new Uint8Array(0)
  #isPretty: boolean | null = null
  #lineCount = 0
  #recordCount = 0
  #hasKnownRecord = false
  #sizeBytes = 0

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
    const onItem: OnItem = (names, item, range) => this.#toSlimItem(names, item, range)
    this.#lines = new LogLines(this.#document, onItem, texts)
  }

  append(bytes: Uint8Array): void {
    const offset = this.#sizeBytes
    this.#sizeBytes += bytes.length
    if (this.#head.length < HEAD_BYTES) {
      this.#head = joinBytes([this.#head, copyBytes(bytes.subarray(0, HEAD_BYTES - this.#head.length))])
    }
    this.#isPretty ??= this.#detectPretty()
    // The lines share the document's reading of a long first line, so that has to end where the line ends.
    const end = this.#lineCount === 0 ? bytes.indexOf(NEWLINE) + 1 : 0
    if (end > 0) this.#read(bytes.subarray(0, end), offset)
    this.#read(bytes.subarray(end), offset + end)
  }

  result(): ParsedFile {
    const rest = this.#isPretty ? null : this.#lines.rest
    const record = rest?.row ? toLogRecord(rest.row, this.#lineCount + 1, rest.isReadByCli) : null
    if (this.#document && !(record && this.#isProof(record))) {
      const file = this.#readDocument(this.#document)
      const hasKnownRecord = this.#hasKnownRecord || (record !== null && isKnown(record))
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
    this.#document?.append(bytes, offset)
    if (!this.#isPretty) this.#lines.append(bytes, (line) => this.#addLine(line))
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

  #addLine(line: ParsedLine): void {
    this.#lineCount += 1
    const at = `line ${this.#lineCount}`
    if (line.row) {
      const record = toLogRecord(line.row, this.#lineCount, line.isReadByCli)
      if (this.#isProof(record)) this.#document = null
      this.#recordCount += 1
      this.#hasKnownRecord ||= isKnown(record)
      noteLine(line, at, this.#log.problems)
      this.#log.apply(record)
    } else if (!line.isBlank) this.#badLines.addIssue('bad-line', at)
  }

  /**
   * A document can hold a line that is a record by itself: its last message. Only metadata, which the CLI too takes
   * for proof, or a record with nothing unreadable before it shows that the file is a log.
   */
  #isProof(record: LogRecord): boolean {
    return record.kind === 'metadata' || (isKnown(record) && this.#badLines.issues.length === 0)
  }

  /** @param record what the last line holds that has no newline yet */
  #replay(rest: ParsedLine | null, record: LogRecord | null): ParsedFile {
    const at = `line ${this.#lineCount + 1}`
    const problems = this.#badLines.copy()
    if (rest && !rest.row && !rest.isBlank) problems.addIssue('torn-tail', at)
    // The line may yet go on, so the log itself must not know it.
    const log = record ? this.#log.copy() : this.#log
    if (rest && record) {
      noteLine(rest, at, log.problems)
      log.apply(record)
    }
    problems.addAll(log.problems)
    if (!log.header.hasMetadata) problems.addIssue('no-metadata', '')
    const isNamed = log.header.hasMetadata || log.header.header.sessionId !== null
    if (!isNamed && !log.entries.some(isOfKnownType)) return this.#toDamaged('not-a-session')
    return toParsedFile({
      path: this.#path,
      sizeBytes: this.#sizeBytes,
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
    if (document.isBlank) return this.#toDamaged('empty-file')
    if (this.#recordCount > 1) return this.#toDamaged('not-a-session')
    const parsed = parseDocument(document, this.#sizeBytes, problems)
    if (parsed) return this.#liftDocument(parsed, problems)
    if (this.#recordCount > 0) return this.#toDamaged('not-a-session')
    // The CLI may just be writing the first line of a log.
    const isTornLog = !this.#isPretty && toFileFormat(this.#path) === 'jsonl'
    const isCut = problems.issues.some((issue) => issue.code === 'truncated-json')
    return isTornLog && isCut ? this.#toDamaged('torn-tail') : this.#toDamaged(null, problems)
  }

  /** The document holds the final state only: everything in it is live. */
  #liftDocument({ fields, rows, isCut }: ParsedDocument, problems: Problems): ParsedFile {
    const reader = new HeaderReader()
    reader.readMetadata(fields)
    noteMetadata('metadata', fields, '', problems)
    const entries = rows.map((row, index) => createEntry(row, false, { index }))
    return toParsedFile({
      path: this.#path,
      sizeBytes: this.#sizeBytes,
      header: reader.header,
      entries,
      live: entries,
      lastConversation: entries,
      knownIds: new Set(entries.map((entry) => entry.id)),
      isDamaged: isCut,
      problems,
    })
  }

  #toDamaged(code: ParseIssueCode | null, problems = new Problems()): ParsedFile {
    if (code) problems.addIssue(code, '')
    return toDamagedFile({ path: this.#path, sizeBytes: this.#sizeBytes, head: this.#head, problems })
  }
}

function noteLine({ tooLargeBytes, isGlued }: ParsedLine, at: string, problems: Problems): void {
  if (isGlued) problems.addIssue('glued-line', at)
  for (const sizeBytes of tooLargeBytes) problems.addIssue('too-large', at, { sizeBytes })
}

function isListOfMessages(names: readonly string[]): boolean {
  return names.length === 1 && names[0] === 'messages'
}

function isKnown(record: LogRecord): boolean {
  return record.kind !== 'unknown'
}

/** A version that we know writes messages of this type. */
function isOfKnownType({ type }: LogEntry): boolean {
  return typeof type === 'string' && KNOWN_NAMES.messageType.has(type)
}
