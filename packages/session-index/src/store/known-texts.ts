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

/** What was made of a message when its group was read last. */
export interface KnownText {
  message: Message
  /** Flags of what failed at it. */
  failure: number
  facts: RowFacts
  /** Position in the session. */
  place: number
  /** As in `SessionText`. */
  timeMs: number
  /** Of the text that was indexed. */
  hash: number
}

/**
 * The messages of a group that grows, as they were indexed last: one that says the same again is not taken apart again.
 * Their texts are those that the reading holds, so knowing them costs little.
 */
export class KnownTexts {
  #known = new Map<string, KnownText>()
  #next = new Map<string, KnownText>()

  /** What is noted from now on replaces what is known, once it is kept. */
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

/** Of plain values. Most of their texts are the same strings in memory, so this takes no time. */
function saysTheSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isRecord(a) || !isRecord(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && saysTheSame(a[name], b[name]))
  )
}

/** Or a list, whose places are its names. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Makes what reads on where it ended. */
export type OpenGrowing = () => Promise<Pick<GrowingSessionGroup, 'read' | 'putAside'>>

/** A group that is read on. */
interface GrowingGroup {
  read: GrowingSessionGroup['read']
  texts: KnownTexts
}

interface Kept {
  reading: Awaited<ReturnType<OpenGrowing>>
  texts: KnownTexts
  prices: string
  sizeBytes: number
  /** What it said last, once that is stored. */
  last: { fingerprint: string; sessions: readonly Session[] } | null
}

/** A reading holds about what its files say. */
const MAX_KEPT_BYTES = 256 * 1024 * 1024
const MAX_KEPT_GROUPS = 16
/** A log that rested for so long is read whole when it goes on. */
const KEPT_MS = 60_000

/** The last readings of the groups that grew last, so that a log to which lines are added is not read from its beginning each time. */
export class GrowingGroups {
  readonly #open: OpenGrowing
  readonly #onRest: (groupId: string) => void
  readonly #kept = new Map<string, Kept>()
  readonly #timers = new Map<string, NodeJS.Timeout>()

  /** `onRest`: a group has not grown for a while; what is held of it goes afterwards. */
  constructor(open: OpenGrowing, onRest: (groupId: string) => void) {
    this.#open = open
    this.#onRest = onRest
  }

  /** What is stored of a group that is read on, as it was read. null: it is not held, or not stored like that. */
  held(groupId: string, fingerprint: string): HeldSessions | null {
    const kept = this.#kept.get(groupId)
    if (kept?.last?.fingerprint !== fingerprint) return null
    return { sessions: kept.last.sessions, putAside: kept.reading.putAside }
  }

  /** It is read on: what it says next takes little. */
  has(groupId: string): boolean {
    return this.#kept.has(groupId)
  }

  /** What was read last is stored now. */
  noteStored({ id, fingerprint }: IndexGroup, sessions: readonly Session[]): void {
    const kept = this.#kept.get(id)
    if (kept !== undefined) kept.last = { fingerprint, sessions }
  }

  /** null: it is to be read whole, as it is not one that grows. `before`: as it was when it was read last. */
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
    // Behind all others: the order is that of use.
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

/** Writes the row of a session: what lists sort and filter by in columns, all of it as JSON. */
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

/** The names are always the same. */
function insertOf(names: readonly string[]): string {
  const all = ['number', 'group_id', 'key', 'project', ...names, 'record']
  insert ??= `INSERT OR REPLACE INTO session (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})`
  return insert
}

/** A piece with its text as UTF-8, which its hash and mostly its words are made of. */
interface EncodedPiece extends FieldPiece {
  bytes: Buffer
}

interface EncodedPieces {
  pieces: EncodedPiece[]
  /** An outline of the pieces and then their bytes, one after the other. */
  whole: Buffer
}

/** The pieces of one message share one buffer. */
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
 * The full-text row of the pieces: one text for each field, null where it says nothing. As bytes, which
 * the wasm build takes over several times faster than a string.
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

/** Equal for equal text in equal fields, so that unchanged messages are not written again. An integer of 48 bits. */
export function hashPieces({ whole }: EncodedPieces): number {
  return hash('sha1', whole, 'buffer').readUIntBE(0, 6)
}

const BREAK = Buffer.from(PIECE_BREAK)

/** ASCII is indexed as it is: only there each UTF-16 unit is one byte. */
function wordsOf({ text, bytes }: EncodedPiece): Buffer {
  const isIndexedAsItIs = bytes.length === text.length && !bytes.includes(0)
  return isIndexedAsItIs ? bytes : Buffer.from(indexText(text))
}
