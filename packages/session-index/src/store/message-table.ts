import { crc32 } from 'node:zlib'
import type { Message } from 'gemini-sessions'
import type { DiscoveredFile } from 'gemini-sessions/node'
import type { StoredMessage, StoredMessages, TextCut } from '../contract.ts'
import type { Database, SqlRow, SqlValue } from '../driver.ts'
import { type MessageReader, readUnchanged } from '../source/message-reader.ts'
import type { ShardStore } from './shard-store.ts'

/** Columns of a message that are not part of its body. */
const PACKED_COLUMNS = 'key, time, type, origin, model, body'

/** Values of most messages, in the order in which readers create the fields: an answer has the same bytes wherever it was read. */
const MESSAGE_DEFAULTS = {
  content: [],
  attachments: [],
  thoughts: [],
  toolCalls: [],
  usage: null,
  cost: null,
  superseded: null,
  copyOf: null,
  agentKey: null,
  segment: 0,
}

/** The same for their calls, after the fields that each call has. */
const CALL_HEAD = ['id', 'name', 'displayName', 'description', 'args', 'status', 'timestamp'] as const
const CALL_DEFAULTS = {
  exitCode: null,
  failed: false,
  output: null,
  display: null,
  extraParts: [],
  agentId: null,
  agentKey: null,
}

/**
 * The JSON of a message without what other columns contain, and without default values: a third of a short message. `hasFile`: a column
 * names its file. For shortened messages.
 */
export function packMessage(message: object, { hasFile }: { hasFile: boolean }): string {
  const { key, id, type, origin, model, timestamp, source, toolCalls, ...rest } = message as Message
  const { file, ...place } = source
  return JSON.stringify({
    ...(id !== key && { id }),
    ...(timestamp !== isoTime(Date.parse(timestamp ?? '')) && { timestamp }),
    ...withoutDefaults(rest, MESSAGE_DEFAULTS),
    ...(toolCalls.length > 0 && { toolCalls: toolCalls.map((call) => withoutDefaults(call, CALL_DEFAULTS)) }),
    source: hasFile ? place : source,
  })
}

/** Restores the message. `file`: the path in its Gemini folder of the file that a column names. */
export function unpackMessage({ key, time, type, origin, model, body }: SqlRow, file?: string): Message {
  const { id = key, timestamp, toolCalls, source, ...rest } = JSON.parse(String(body))
  return {
    ...{ key, id, type, origin },
    timestamp: timestamp === undefined ? isoTime(Number(time ?? Number.NaN)) : timestamp,
    model,
    ...ownDefaults(MESSAGE_DEFAULTS),
    ...rest,
    ...(toolCalls !== undefined && { toolCalls: toolCalls.map(unpackCall) }),
    source: file === undefined ? source : { file, ...source },
  }
}

function unpackCall(packed: Record<string, unknown>): Record<string, unknown> {
  const head = Object.fromEntries(CALL_HEAD.map((name) => [name, packed[name]]))
  return { ...head, ...ownDefaults(CALL_DEFAULTS), ...packed }
}

/** Each message gets its own lists, since restoring texts modifies them. */
function ownDefaults<Fields extends Record<string, unknown>>(defaults: Fields): Fields {
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, Array.isArray(value) ? [] : value]),
  ) as Fields
}

function withoutDefaults(fields: object, defaults: Record<string, unknown>): object {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields))
    if (!isDefault(value, defaults[name])) kept[name] = value
  return kept
}

function isDefault(value: unknown, usual: unknown): boolean {
  return value === usual || (Array.isArray(usual) && Array.isArray(value) && value.length === 0)
}

/** null: no time, as in the column. */
function isoTime(timeMs: number): string | null {
  return Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString()
}

/** The rows of a session of this group; null if none has this key. */
export function messagesOf(
  store: ShardStore,
  { groupId, key }: { groupId: string; key: string },
  messages: MessageReader,
): MessageTable | null {
  const group = store.groups.get(groupId)
  const found = store.sessionsOf(groupId).find((session) => session.key === key)
  if (group === undefined || found === undefined) return null
  return new MessageTable(store.database, found.number, { files: group.files, messages })
}

const SELECT = `SELECT ordinal, ${PACKED_COLUMNS}, cuts, file, record_start, record_end FROM message`

/** Number of messages in memory at a time. */
const BATCH_MESSAGES = 500

/** The rows of one session. Queries return at once; only `whole` and `recordOf` read a file. */
class MessageTable implements StoredMessages {
  readonly #database: Database
  readonly #number: number
  readonly #files: readonly DiscoveredFile[]
  readonly #messages: MessageReader

  constructor(
    database: Database,
    number: number,
    { files, messages }: { files: readonly DiscoveredFile[]; messages: MessageReader },
  ) {
    this.#database = database
    this.#number = number
    this.#files = files
    this.#messages = messages
  }

  derived(name: string): Uint8Array | null {
    const row = this.#database.get(
      'SELECT json FROM derived WHERE session = ? AND name = ?',
      this.#number,
      name,
    )
    return row?.json instanceof Uint8Array ? row.json : null
  }

  *all(): Generator<Message> {
    const ofBatch = `${SELECT} WHERE session = ? AND ordinal >= ? ORDER BY ordinal LIMIT ${BATCH_MESSAGES}`
    for (let next = 0; ; ) {
      const rows = this.#database.all(ofBatch, this.#number, next)
      for (const row of rows) yield this.#toMessage(row).message
      const last = rows.at(-1)
      if (last === undefined) return
      next = Number(last.ordinal) + 1
    }
  }

  at(ordinals: readonly number[]): StoredMessage[] {
    return ordinals.flatMap((ordinal) => this.#one(`${SELECT} WHERE session = ? AND ordinal = ?`, ordinal))
  }

  withKey(key: string): StoredMessage | null {
    return this.#one(`${SELECT} WHERE session = ? AND key = ?`, key)[0] ?? null
  }

  ordinalOf(beginning: string): number | null {
    const row = this.#database.get(
      `SELECT ordinal FROM message WHERE session = ? AND substr(key, 1, length(?)) = ?
       ORDER BY length(key) > length(?), ordinal LIMIT 1`,
      this.#number,
      beginning,
      beginning,
      beginning,
    )
    return row === undefined ? null : Number(row.ordinal)
  }

  withCall(id: string): StoredMessage | null {
    const found = this.#database.all(
      `${SELECT} WHERE session = ? AND instr(body, ?) > 0 ORDER BY ordinal`,
      this.#number,
      JSON.stringify(id),
    )
    const hasCall = ({ message }: StoredMessage) => message.toolCalls.some((call) => call.id === id)
    for (const row of found) {
      const stored = this.#toMessage(row)
      if (hasCall(stored)) return stored
    }
    return null
  }

  whole(stored: readonly StoredMessage[]): Message[] | null {
    const whole: Message[] = []
    for (const { message, cuts, record } of stored) {
      if (cuts.length === 0) {
        whole.push(message)
        continue
      }
      const alone = record && this.#messages.readAt(record.file, message.source, record)
      if (alone == null || alone.id !== message.id || !fill(message, cuts, alone)) return null
      whole.push(message)
    }
    return whole
  }

  recordOf({ message: { id }, record }: StoredMessage): Uint8Array | null {
    const bytes = record && readUnchanged(record.file, record)
    if (bytes === null || id === '' || !bytes.includes(JSON.stringify(id))) return null
    return isObject(bytes) ? bytes : null
  }

  #one(sql: string, of: SqlValue): StoredMessage[] {
    const row = this.#database.get(sql, this.#number, of)
    return row === undefined ? [] : [this.#toMessage(row)]
  }

  #toMessage(row: SqlRow): StoredMessage {
    const { ordinal, cuts, file, record_start: start, record_end: end } = row
    const found = file === null ? undefined : this.#files[Number(file)]
    return {
      ordinal: Number(ordinal),
      message: unpackMessage(row, found?.path),
      cuts: cuts === null ? [] : JSON.parse(String(cuts)),
      record:
        found === undefined || start === null
          ? null
          : { file: found, start: Number(start), end: Number(end) },
    }
  }
}

/** false: a formatter split it over several lines, or it is in another encoding. */
function isObject(bytes: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

/** Restores the cut values. false: the whole message has something else there. */
function fill(message: Message, cuts: readonly TextCut[], whole: Message): boolean {
  for (const [path, length, checksum] of cuts) {
    const value = path.reduce<unknown>(step, whole)
    const isLong = typeof value === 'string' || Array.isArray(value)
    if (!isLong || value.length !== length || checksumOf(value) !== checksum) return false
    const parent = path.slice(0, -1).reduce<unknown>(step, message)
    const name = path.at(-1)
    if (typeof parent !== 'object' || parent === null || name === undefined) return false
    // defined, because a field may be called `__proto__`
    Object.defineProperty(parent, name, { value, writable: true, enumerable: true, configurable: true })
  }
  return true
}

function step(value: unknown, name: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string | number, unknown>)[name]
    : undefined
}

type Path = TextCut[0]

/** A message with its long texts and lists cut. */
interface ShortMessage {
  short: object
  cuts: TextCut[]
}

/** Texts up to this many UTF-16 units, and lists up to this many items, are stored whole. */
const MOST_CHARS = 1024
const MOST_ITEMS = 64
/** What remains of a longer one. */
const KEPT_CHARS = 128
const KEPT_ITEMS = 8
const SAMPLE_CHARS = 256

/** A message without its long texts and lists, which can be read again from its record. */
export function shortenMessage(message: Message): ShortMessage {
  const cuts: TextCut[] = []
  return { short: shortenFields(message, [], cuts), cuts }
}

/**
 * Covers the beginning, middle and end of a text, or the first and last item of a list. The file is known to be unchanged; this
 * distinguishes texts within one record, and from those in other records.
 */
export function checksumOf(value: string | readonly unknown[]): number {
  if (typeof value !== 'string') return crc32(JSON.stringify([value[0], value.at(-1)]) ?? '')
  if (value.length <= 3 * SAMPLE_CHARS) return crc32(value)
  const middle = value.length >> 1
  const samples = [
    value.slice(0, SAMPLE_CHARS),
    value.slice(middle, middle + SAMPLE_CHARS),
    value.slice(-SAMPLE_CHARS),
  ]
  return crc32(samples.join(''))
}

/** @param path leads here; modified temporarily and restored */
function shorten(value: unknown, path: Path, cuts: TextCut[]): unknown {
  if (typeof value === 'string') return value.length > MOST_CHARS ? cutText(value, path, cuts) : value
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? shortenList(value, path, cuts) : shortenFields(value, path, cuts)
}

function shortenFields(value: object, path: Path, cuts: TextCut[]): object {
  let short: Record<string, unknown> | null = null
  for (const [name, item] of Object.entries(value)) {
    if (!mayBeLong(item)) continue
    path.push(name)
    const shortItem = shorten(item, path, cuts)
    path.pop()
    if (shortItem === item) continue
    short ??= { ...value }
    short[name] = shortItem
  }
  return short ?? value
}

function shortenList(list: readonly unknown[], path: Path, cuts: TextCut[]): readonly unknown[] {
  if (list.length > MOST_ITEMS) {
    cuts.push([[...path], list.length, checksumOf(list)])
    // a sample: its cuts are restored with the whole list
    return list.slice(0, KEPT_ITEMS).map((item) => shorten(item, [], []))
  }
  let short: unknown[] | null = null
  for (const [index, item] of list.entries()) {
    if (!mayBeLong(item)) continue
    path.push(index)
    const shortItem = shorten(item, path, cuts)
    path.pop()
    if (shortItem === item) continue
    short ??= [...list]
    short[index] = shortItem
  }
  return short ?? list
}

function mayBeLong(value: unknown): boolean {
  return typeof value === 'string' ? value.length > MOST_CHARS : typeof value === 'object' && value !== null
}

function cutText(text: string, path: Path, cuts: TextCut[]): string {
  cuts.push([[...path], text.length, checksumOf(text)])
  const last = text.charCodeAt(KEPT_CHARS - 1)
  const isHalf = last >= 0xd800 && last < 0xdc00
  return text.slice(0, isHalf ? KEPT_CHARS - 1 : KEPT_CHARS)
}
