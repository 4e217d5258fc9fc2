import { readFileSync } from 'node:fs'
import { drawnMessages, type Message, type Session } from 'gemini-sessions'
import { type DiscoveredFile, readHeads, readSessionFile } from 'gemini-sessions/node'

export type Layout = 'json' | 'jsonl'

interface RecoveredLog {
  bytes: Uint8Array
  /** The messages that Gemini CLI will load, in order. */
  ids: string[]
  /** Number of messages in torn lines, which the CLI would not have loaded either. */
  leftOut: number
}

interface LogForm {
  layout: Layout
  projectHash: string
  /** The current time, and the file's `lastUpdated`. */
  now: string
  /** null: it stays in its project. */
  moved: Moved | null
}

/**
 * One file that contains the whole session. A log that contains everything is copied as it is, including all that was rewound, with one
 * more line; otherwise the records of the messages are combined, each as in its file.
 */
export async function recoverLog(
  session: Session,
  files: readonly DiscoveredFile[],
  { layout, projectHash, now, moved }: LogForm,
): Promise<RecoveredLog> {
  const drawn = drawnMessages(session)
  const whole = layout === 'jsonl' ? await wholeLog(session, drawn, files) : null
  if (whole !== null) {
    const log = moved === null ? whole : moveLog(whole, moved)
    const touched = `${log.at(-1) === NEW_LINE ? '' : '\n'}${JSON.stringify({ $set: { lastUpdated: now } })}\n`
    return { bytes: Buffer.concat([log, Buffer.from(touched)]), ids: drawn.map(({ id }) => id), leftOut: 0 }
  }
  const sources = new Map<string, SourceFile>()
  const sourceOf = ({ source }: Message) => {
    const known = sources.get(source.file) ?? new SourceFile(files.find(({ path }) => path === source.file))
    sources.set(source.file, known)
    return known
  }
  const rows = drawn.flatMap((message, number): JsonRow[] => {
    const row = sourceOf(message).row(message.source)
    // A log requires an id for every message; documents of old versions may lack them.
    return row === null ? [] : [typeof row.id === 'string' ? row : { ...row, id: `recovered-${number + 1}` }]
  })
  // The fields that identify the session must be in the first bytes.
  const own = {
    sessionId: session.sessionId,
    projectHash,
    startTime: (await birthOf(session, files)) ?? session.startTime ?? now,
    lastUpdated: now,
    kind: 'main',
    ...(moved && { movedFrom: moved.from }),
  }
  const metadata = {
    ...own,
    ...Object.assign({}, ...[...sources.values()].map((source) => source.metadata())),
    ...own,
  }
  return {
    bytes: asLogFile(layout, metadata, rows),
    ids: rows.map(({ id }) => String(id)),
    leftOut: drawn.length - rows.length,
  }
}

const NEW_LINE = 0x0a

/** The value that the session's key is derived from: the earliest first `startTime`, exactly as in a file. */
async function birthOf({ files: named }: Session, files: readonly DiscoveredFile[]): Promise<string | null> {
  const own = files.filter((file) => named.some(({ home, path }) => file.home === home && file.path === path))
  const heads = [...(await readHeads(own)).values()]
  const births = heads.flatMap(({ firstStartTime }) => firstStartTime ?? [])
  return births.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null
}

/** A session file with these messages. Versions before 0.31 do not know `kind` in a document, but accept it. */
export function asLogFile(layout: Layout, metadata: JsonRow, rows: readonly JsonRow[]): Buffer {
  return Buffer.from(
    layout === 'jsonl'
      ? [metadata, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('')
      : JSON.stringify({ ...metadata, messages: rows }, null, 2),
  )
}

/** The bytes of the one log from which Gemini CLI would load exactly this; null if there is none. */
async function wholeLog(
  session: Session,
  drawn: readonly Message[],
  files: readonly DiscoveredFile[],
): Promise<Buffer | null> {
  const names = new Set(drawn.map(({ source }) => source.file))
  const file = names.size === 1 && !session.buried ? files.find(({ path }) => names.has(path)) : undefined
  if (file === undefined || !/\.jsonl(\.|$)/.test(file.path)) return null
  return (await loads(
    file,
    session.sessionId,
    drawn.map(({ id }) => id),
  ))
    ? readFileSync(file.absolutePath)
    : null
}

/** Whether Gemini CLI loads these messages from the file, as this session. */
export async function loads(
  file: DiscoveredFile,
  sessionId: string,
  ids: readonly string[],
): Promise<boolean> {
  const parsed = await readSessionFile(file)
  if (parsed === null || parsed.isDamaged || parsed.buried) return false
  const { header, messages } = parsed
  const live = messages.flatMap(({ id, superseded }) => (superseded === null ? [id] : []))
  return (
    header.sessionId === sessionId &&
    header.projectHash !== null &&
    live.length === ids.length &&
    live.every((id, at) => id === ids[at])
  )
}

/** A session file, addressed by the positions that messages name. */
class SourceFile {
  readonly #bytes: Buffer
  readonly #lines: Buffer[] = []
  /** The last parsed line: many messages may be in one. */
  #parsed: { line: number; value: JsonRow } | null = null
  #document: JsonRow | null = null

  constructor(file: DiscoveredFile | undefined) {
    this.#bytes = file === undefined ? Buffer.alloc(0) : readFileSync(file.absolutePath)
    for (let start = 0; start < this.#bytes.length; ) {
      const end = this.#bytes.indexOf(NEW_LINE, start)
      this.#lines.push(this.#bytes.subarray(start, end < 0 ? undefined : end))
      start = end < 0 ? this.#bytes.length : end + 1
    }
  }

  /** null: not readable at that position. */
  row({ line, index }: Message['source']): JsonRow | null {
    const record = line === undefined ? this.#whole() : this.#line(line)
    if (record === null || index === undefined) return record
    const rows = isRow(record.$set) ? record.$set.messages : record.messages
    const row: unknown = Array.isArray(rows) ? rows[index] : null
    return isRow(row) ? row : null
  }

  /** The session's own fields; the last value counts. */
  metadata(): JsonRow {
    const document = this.#whole()
    const records = document === null ? this.#lines.map((_, at) => this.#metadataAt(at + 1)) : [document]
    const { messages: _, ...metadata } = Object.assign({}, ...records) as JsonRow
    return metadata
  }

  #metadataAt(line: number): JsonRow {
    const begin = this.#lines[line - 1]?.subarray(0, 16).toString() ?? ''
    if (!/^\{"(?:sessionId|\$set)"/.test(begin)) return {}
    const record = this.#line(line) ?? {}
    return isRow(record.$set) ? record.$set : record
  }

  #line(line: number): JsonRow | null {
    if (this.#parsed?.line === line) return this.#parsed.value
    const value = readRow(this.#lines[line - 1])
    if (value !== null) this.#parsed = { line, value }
    return value
  }

  #whole(): JsonRow | null {
    const isDocument = /^\s*\{\s*\n/.test(this.#bytes.subarray(0, 64).toString()) || this.#lines.length === 1
    if (isDocument) this.#document ??= readRow(this.#bytes)
    return this.#document
  }
}

export type JsonRow = Record<string, unknown>

/** The project that a session is moved to, and from. */
export interface Moved {
  projectHash: string
  /** `projectHash` of the projects it was in, the one it is moved from last. */
  from: readonly string[]
}

/** A session file rewritten for another project. Only the records that identify the project change: all other lines stay byte for byte. */
export function moveLog(bytes: Uint8Array, moved: Moved): Buffer {
  const buffer = Buffer.from(bytes)
  const document = isDocument(buffer) ? readRow(buffer) : null
  if (document !== null) return Buffer.from(JSON.stringify(placed(document, moved), null, 2))
  const pieces: Buffer[] = []
  for (let start = 0; start < buffer.length; ) {
    const end = buffer.indexOf(NEW_LINE, start)
    const next = end < 0 ? buffer.length : end + 1
    const line = buffer.subarray(start, end < 0 ? next : end)
    const record = line.includes(NAME) ? readRow(line) : null
    const changed = record === null ? null : changedRecord(record, moved)
    if (changed === null) pieces.push(buffer.subarray(start, next))
    else pieces.push(Buffer.from(JSON.stringify(changed)), buffer.subarray(start + line.length, next))
    start = next
  }
  return Buffer.concat(pieces)
}
const NAME = Buffer.from('"projectHash"')

/** As the CLI wrote it up to 0.38: one object over many lines. */
function isDocument(bytes: Buffer): boolean {
  return /^\s*\{\s*\n/.test(bytes.subarray(0, 64).toString())
}

/** null: it does not mention the project. Checks the type of a record in the same order as the CLI. */
function changedRecord(record: JsonRow, moved: Moved): JsonRow | null {
  if (typeof record.$rewindTo === 'string' || typeof record.id === 'string') return null
  if (isRow(record.$set)) {
    if (typeof record.$set.projectHash !== 'string') return null
    return { ...record, $set: { ...record.$set, projectHash: moved.projectHash } }
  }
  return typeof record.projectHash === 'string' ? placed(record, moved) : null
}

/** At the front, where the first bytes of a file reveal it. */
function placed({ sessionId, projectHash: _, movedFrom: __, ...others }: JsonRow, moved: Moved): JsonRow {
  return { sessionId, projectHash: moved.projectHash, movedFrom: moved.from, ...others }
}

/** null: not an object. */
export function readRow(bytes: Uint8Array | undefined): JsonRow | null {
  try {
    const text = bytes === undefined ? '' : Buffer.from(bytes).toString('utf8')
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isRow(value) ? value : null
  } catch {
    return null
  }
}

export function isRow(value: unknown): value is JsonRow {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
