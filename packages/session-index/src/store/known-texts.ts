import { hash } from 'node:crypto'
import { SEARCH_FIELDS } from '@gemini-dash/api/search-fields'
import { LIST_PRICES, pricesStamp } from '@gemini-dash/pricing/overrides'
import { isDamagedSession, type Message, projectOfGroup, type Session } from 'gemini-sessions'
import type { GrowingSessionGroup } from 'gemini-sessions/node'
import type { HeldSessions, IndexGroup, SessionRecord } from '../contract.ts'
import type { Database, SqlValue } from '../driver.ts'
import type { RowFacts } from '../rows.ts'
import { type FieldPiece, indexText, PIECE_BREAK } from '../text.ts'
import type { StoredSession } from './shard-store.ts'

/** What was derived from a message when its group was last read. */
export interface KnownText {
  message: Message
  /** Its failure flags. */
  failure: number
  facts: RowFacts
  /** Position in the session. */
  place: number
  /** As in `SessionText`. */
  timeMs: number
  /** Of the indexed text. */
  hash: number
}

/**
 * The messages of a growing group, as last indexed, so that unchanged ones are not processed again. Their texts are shared with the
 * reading, so this costs little memory.
 */
export class KnownTexts {
  #known = new Map<string, KnownText>()
  #next = new Map<string, KnownText>()

  /** Starts a new set, which replaces the known one once it is kept. */
  begin(): void {
    this.#next = new Map()
  }

  find(sessionKey: string, message: Message, failure: number): KnownText | null {
    const known = this.#known.get(nameOf(sessionKey, message))
    if (known === undefined || known.failure !== failure) return null
    return saysTheSame(known.message, message) ? known : null
  }

  note(sessionKey: string, text: KnownText): void {
    this.#next.set(nameOf(sessionKey, text.message), text)
  }

  keep(): void {
    this.#known = this.#next
    this.#next = new Map()
  }
}

function nameOf(sessionKey: string, { key }: Message): string {
  return `${sessionKey}\n${key}`
}

/** Compares plain values. Most of their texts are the same strings in memory, so this is fast. */
function saysTheSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isRecord(a) || !isRecord(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && saysTheSame(a[name], b[name]))
  )
}

/** Or an array, with its indexes as names. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Creates a reading that continues where it ended. */
export type OpenGrowing = () => Promise<Pick<GrowingSessionGroup, 'read' | 'putAside'>>

/** A group that is read incrementally. */
interface GrowingGroup {
  read: GrowingSessionGroup['read']
  texts: KnownTexts
}

interface Kept {
  reading: Awaited<ReturnType<OpenGrowing>>
  texts: KnownTexts
  prices: string
  sizeBytes: number
  /** Its last result, once that is stored. */
  last: { fingerprint: string; sessions: readonly Session[] } | null
}

/** A reading takes about the size of its files. */
const MAX_KEPT_BYTES = 256 * 1024 * 1024
const MAX_KEPT_GROUPS = 16
/** A log idle for this long is read as a whole when it grows again. */
const KEPT_MS = 60_000

/** The last readings of recently grown groups, so that a growing log is not read from its beginning each time. */
export class GrowingGroups {
  readonly #open: OpenGrowing
  readonly #onRest: (groupId: string) => void
  readonly #kept = new Map<string, Kept>()
  readonly #timers = new Map<string, NodeJS.Timeout>()

  /** `onRest`: a group has not grown for a while; its data is dropped afterwards. */
  constructor(open: OpenGrowing, onRest: (groupId: string) => void) {
    this.#open = open
    this.#onRest = onRest
  }

  /** The stored sessions of an incrementally read group. null: not held, or stored in another state. */
  held(groupId: string, fingerprint: string): HeldSessions | null {
    const kept = this.#kept.get(groupId)
    if (kept?.last?.fingerprint !== fingerprint) return null
    return { sessions: kept.last.sessions, putAside: kept.reading.putAside }
  }

  /** Whether it is read incrementally: its new content takes little time. */
  has(groupId: string): boolean {
    return this.#kept.has(groupId)
  }

  /** The last result is stored now. */
  noteStored({ id, fingerprint }: IndexGroup, sessions: readonly Session[]): void {
    const kept = this.#kept.get(id)
    if (kept !== undefined) kept.last = { fingerprint, sessions }
  }

  /** null: it has not grown, so read it as a whole. `before`: its state when last read. */
  async of(group: IndexGroup, before: IndexGroup | undefined): Promise<GrowingGroup | null> {
    const { id } = group
    const known = this.#kept.get(id)
    const sizeBytes = group.files.reduce((sum, file) => sum + file.sizeBytes, 0)
    const isWanted = known !== undefined || (before !== undefined && hasGrown(before, group))
    this.forget(id)
    if (!isWanted || sizeBytes > MAX_KEPT_BYTES) return null
    const prices = pricesStamp(group.prices ?? LIST_PRICES)
    const texts = known?.prices === prices ? known.texts : new KnownTexts()
    const reading = known?.reading ?? (await this.#open())
    // Move to the end: the map is in order of use.
    this.#kept.set(id, { reading, texts, prices, sizeBytes, last: null })
    this.#timers.set(id, setTimeout(() => this.#rest(id), KEPT_MS).unref())
    this.#dropOldest()
    return { read: reading.read.bind(reading), texts }
  }

  #rest(groupId: string): void {
    this.#onRest(groupId)
    this.forget(groupId)
  }

  forget(groupId: string): void {
    clearTimeout(this.#timers.get(groupId))
    this.#timers.delete(groupId)
    this.#kept.delete(groupId)
  }

  #dropOldest(): void {
    let keptBytes = [...this.#kept.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    for (const [id, { sizeBytes }] of this.#kept) {
      if (keptBytes <= MAX_KEPT_BYTES && this.#kept.size <= MAX_KEPT_GROUPS) return
      this.forget(id)
      keptBytes -= sizeBytes
    }
  }
}

/** One of its logs is the same file, and longer. */
function hasGrown(before: IndexGroup, now: IndexGroup): boolean {
  const sizes = new Map(
    before.files.map(({ absolutePath, inode, sizeBytes }) => [absolutePath + inode, sizeBytes]),
  )
  return now.files.some(
    ({ path, absolutePath, inode, sizeBytes }) =>
      path.endsWith('.jsonl') && sizeBytes > (sizes.get(absolutePath + inode) ?? sizeBytes),
  )
}

/** Writes the row of a session: columns for what lists sort and filter by, and all of it as JSON. */
export function writeSession(
  database: Database,
  { number, groupId, key }: StoredSession,
  record: SessionRecord,
): void {
  const columns = columnsOf(record)
  const values = [number, groupId, key, projectOfGroup(groupId), ...Object.values(columns)]
  database.run(insertOf(Object.keys(columns)), ...values, JSON.stringify(record))
}

function columnsOf({ summary, parentSessionId, agentIds }: SessionRecord): Record<string, SqlValue> {
  const { counts, recorded, failures, usage, cost, models } = summary
  return {
    session_id: summary.sessionId,
    kind: summary.kind,
    run_id: parentSessionId,
    agents: agentIds.length === 0 ? null : JSON.stringify(agentIds),
    title: summary.title,
    start_time: summary.startTime,
    end_time: summary.endTime,
    empty: summary.empty ? 1 : 0,
    damaged: isDamagedSession(summary) ? 1 : 0,
    messages: counts?.messages ?? null,
    prompts: counts?.prompts ?? null,
    tool_calls: recorded?.toolCalls ?? null,
    failed_calls: failures?.tools ?? null,
    refused: failures?.refused ?? null,
    unanswered: failures?.unanswered ?? null,
    requests: usage?.calls ?? null,
    without_tokens: usage?.callsWithoutTokens ?? null,
    tokens: usage?.total ?? null,
    input: usage?.input ?? null,
    cached: usage?.cached ?? null,
    output: usage?.output ?? null,
    thoughts: usage?.thoughts ?? null,
    tool: usage?.tool ?? null,
    cost: cost?.usd ?? null,
    unpriced: cost?.unpricedCalls ?? null,
    models: models === null ? null : JSON.stringify(models),
  }
}

let insert: string | null = null

/** The names never change. */
function insertOf(names: readonly string[]): string {
  const all = ['number', 'group_id', 'key', 'project', ...names, 'record']
  insert ??= `INSERT OR REPLACE INTO session (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})`
  return insert
}

/** A piece with its text as UTF-8, from which its hash and usually its words are made. */
interface EncodedPiece extends FieldPiece {
  bytes: Buffer
}

interface EncodedPieces {
  pieces: EncodedPiece[]
  /** An outline of the pieces, followed by their bytes. */
  whole: Buffer
}

/** The pieces of one message share a buffer. */
export function encodePieces(pieces: FieldPiece[]): EncodedPieces {
  const lengths = pieces.map(({ text }) => Buffer.byteLength(text))
  const outline = pieces.map(({ field }, index) => `${field} ${lengths[index]}`).join(' ')
  const whole = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, outline.length))
  let end = whole.write(outline)
  const encoded = pieces.map(({ field, text, toolName }): EncodedPiece => {
    const start = end
    end += whole.write(text, start)
    return { field, text, toolName, bytes: whole.subarray(start, end) }
  })
  return { pieces: encoded, whole }
}

/**
 * The full-text row of the pieces: one text per field, null if empty. As bytes, which the wasm build copies several times faster than a
 * string.
 */
export function textColumns(pieces: readonly EncodedPiece[]): (Uint8Array | null)[] {
  const words = SEARCH_FIELDS.map((): Buffer[] => [])
  for (const piece of pieces) {
    const ofField = words[SEARCH_FIELDS.indexOf(piece.field)]
    if (ofField === undefined) continue
    if (ofField.length > 0) ofField.push(BREAK)
    ofField.push(wordsOf(piece))
  }
  return words.map((ofField) => (ofField.length > 1 ? Buffer.concat(ofField) : (ofField[0] ?? null)))
}

/** Equal for equal text in equal fields, so that unchanged messages are not rewritten. A 48-bit integer. */
export function hashPieces({ whole }: EncodedPieces): number {
  return hash('sha1', whole, 'buffer').readUIntBE(0, 6)
}

const BREAK = Buffer.from(PIECE_BREAK)

/** ASCII is indexed unchanged: only there each UTF-16 unit is one byte. */
function wordsOf({ text, bytes }: EncodedPiece): Buffer {
  const isIndexedAsItIs = bytes.length === text.length && !bytes.includes(0)
  return isIndexedAsItIs ? bytes : Buffer.from(indexText(text))
}
