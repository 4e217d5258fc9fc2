import type { ParseIssueCode } from '../model/parse-issue.ts'
import { KNOWN_NAMES } from '../raw/known-names.ts'
import { HeaderReader } from './header-reader.ts'
import { isBlankByte } from './is-blank-byte.ts'
import { joinBytes } from './join-bytes.ts'
import { LineSplitter } from './line-splitter.ts'
import { createEntry } from './log-entry.ts'
import { type LogRecord, toLogRecord } from './log-record.ts'
import { noteMetadata } from './note-metadata.ts'
import { type ParsedDocument, parseDocument } from './parse-document.ts'
import { parseLine } from './parse-line.ts'
import type { ParsedFile } from './parsed-file.ts'
import { Problems } from './problems.ts'
import { ReplayLog } from './replay-log.ts'
import { toDamagedFile } from './to-damaged-file.ts'
import { toFileFormat } from './to-file-format.ts'
import { toParsedFile } from './to-parsed-file.ts'

const DETECT_BYTES = 64

/**
 * Reads one session file as it grows. `append` takes raw bytes cut anywhere; `result` at any time equals
 * `parseSessionFile` of all bytes so far. Neither throws.
 */
export class SessionLogReader {
  readonly #path: string
  readonly #lines = new LineSplitter()
  readonly #records: LogRecord[] = []
  /** Numbers of the lines that are no JSON object. */
  readonly #badLines: number[] = []
  /** All bytes, until a record shows that this is a log and not one JSON document. */
  #undecided: Uint8Array[] | null = []
  #isDocument: boolean | null = null
  #lineCount = 0
  #sizeBytes = 0

  constructor(path: string) {
    this.#path = path
  }

  append(bytes: Uint8Array): void {
    this.#sizeBytes += bytes.length
    this.#isDocument ??= this.#detectDocument(bytes)
    if (!this.#isDocument) this.#lines.append(bytes, (line) => this.#addLine(line))
    // Copied: the caller may reuse its buffer for the next read.
    this.#undecided?.push(bytes.slice())
  }

  result(): ParsedFile {
    const records = [...this.#records]
    const rest = this.#isDocument ? null : parseLine(this.#lines.rest)
    if (rest?.row) records.push(toLogRecord(rest.row, this.#lineCount + 1, rest.isReadByCli))
    if (!this.#isLog(records)) {
      const file = this.#readDocument()
      if (!file.isDamaged || !records.some(isKnown)) return file
    }
    const problems = new Problems()
    for (const line of this.#badLines) problems.addIssue('bad-line', `line ${line}`)
    if (rest && !rest.row && !rest.isBlank) problems.addIssue('torn-tail', `line ${this.#lineCount + 1}`)
    return this.#replay(records, problems)
  }

  /** The pretty form opens with a brace alone on its line; a log never does. null: too few bytes to tell. */
  #detectDocument(bytes: Uint8Array): boolean | null {
    const start = joinBytes([...(this.#undecided ?? []), bytes.subarray(0, DETECT_BYTES)])
    const head = new TextDecoder().decode(start.subarray(0, DETECT_BYTES))
    if (/^\s*[{[][^\S\n]*\n/.test(head)) return true
    const isOpen = /^\s*([{[][^\S\n]*)?$/.test(head)
    return isOpen && this.#sizeBytes < DETECT_BYTES ? null : false
  }

  #addLine(bytes: Uint8Array): void {
    this.#lineCount += 1
    const { row, isBlank, isReadByCli } = parseLine(bytes)
    if (row) {
      const record = toLogRecord(row, this.#lineCount, isReadByCli)
      this.#records.push(record)
      if (this.#isLog([record])) this.#undecided = null
    } else if (!isBlank) this.#badLines.push(this.#lineCount)
  }

  /**
   * A document can hold a line that is a record by itself: its last message. Only metadata, which the CLI too takes
   * for proof, or a record with nothing unreadable before it shows that the file is a log.
   */
  #isLog(records: readonly LogRecord[]): boolean {
    return (
      records.some(({ kind }) => kind === 'metadata') ||
      (this.#badLines.length === 0 && records.some(isKnown))
    )
  }

  #replay(records: readonly LogRecord[], problems: Problems): ParsedFile {
    const log = new ReplayLog(problems)
    for (const record of records) log.apply(record)
    if (!log.header.hasMetadata) problems.addIssue('no-metadata', '')
    const isNamed = log.header.hasMetadata || log.header.header.sessionId !== null
    const isForeign = !isNamed && log.entries.every((entry) => !isKnownType(entry.type))
    if (isForeign) return this.#toDamaged('not-a-session')
    return toParsedFile({
      path: this.#path,
      sizeBytes: this.#sizeBytes,
      header: log.header.header,
      entries: log.entries,
      live: [...log.live.values()],
      lastConversation: log.lastConversation,
      knownIds: log.ids,
      problems,
    })
  }

  #readDocument(): ParsedFile {
    const problems = new Problems()
    const bytes = trimNuls(joinBytes(this.#undecided ?? []))
    if (bytes.every(isBlankByte)) return this.#toDamaged('empty-file')
    if (this.#records.length > 1) return this.#toDamaged('not-a-session')
    const document = parseDocument(bytes, problems)
    if (document) return this.#liftDocument(document, problems)
    if (this.#records.length > 0) return this.#toDamaged('not-a-session')
    // The CLI may just be writing the first line of a log.
    const isTornLog = !this.#isDocument && toFileFormat(this.#path) === 'jsonl'
    const isCut = problems.issues.some((issue) => issue.code === 'truncated-json')
    return isTornLog && isCut ? this.#toDamaged('torn-tail') : this.#toDamaged(null, problems)
  }

  /** The document holds the final state only: everything in it is live. */
  #liftDocument({ fields, rows, isCut = false }: ParsedDocument, problems: Problems): ParsedFile {
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
    const bytes = joinBytes(this.#undecided ?? [])
    return toDamagedFile({ path: this.#path, sizeBytes: this.#sizeBytes, bytes, problems })
  }
}

function isKnown(record: LogRecord): boolean {
  return record.kind !== 'unknown'
}

function isKnownType(type: unknown): boolean {
  return typeof type === 'string' && KNOWN_NAMES.messageType.has(type)
}

/** A power loss can leave a run of them at the end. */
function trimNuls(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return bytes.subarray(0, end)
}
