import type { Message, Session, SessionSummary } from 'gemini-sessions'
import { z } from 'zod'
import type { SessionRecord } from '../contract/session-record.ts'
import type { SessionRecordBuilder } from '../contract/to-session-record.ts'
import { SEARCH_FIELDS } from '../database/schema.ts'
import type { Database } from '../driver/database.ts'
import type { RowCall } from '../rows/row-call.ts'
import type { RowFacts } from '../rows/row-facts.ts'
import { type CallRows, toSessionCalls } from '../rows/session-calls.ts'
import { lengthCode, SessionRows } from '../rows/session-rows.ts'
import { fieldPieces } from '../text/field-pieces.ts'
import { indexedPieces } from '../text/indexed-pieces.ts'
import type { KnownTexts } from './known-texts.ts'
import { type SessionText, sessionTexts } from './session-texts.ts'
import type { StoredSession } from './shard-store.ts'
import { encodePieces, hashPieces, textColumns } from './text-columns.ts'

const DELETE_TEXT = 'DELETE FROM text WHERE rowid = ?'

const INSERT_TEXT = 'INSERT INTO text (rowid, words) VALUES (?, CAST(? AS TEXT))'

const INSERT_SESSION =
  'INSERT OR REPLACE INTO session (number, group_id, key, record, slots) VALUES (?, ?, ?, ?, ?)'

const INSERT_ROWS = 'INSERT OR REPLACE INTO session_rows (number, rows) VALUES (?, ?)'

/** Which message a slot holds (null: the title), and a hash of the text that was indexed for it. null: the slot is free. */
const slotSchema = z.tuple([z.string().nullable(), z.string()]).nullable()

export type Slot = z.infer<typeof slotSchema>

const slotsSchema = z.array(slotSchema)

const FIELDS = SEARCH_FIELDS.length

/** A session to be written. `facts` comes with it, so that who only searches needs no price list. */
export interface SessionToWrite {
  session: Session
  /** Makes its record, of all its messages. */
  startRecord: () => Pick<SessionRecordBuilder, 'summary' | 'add' | 'finish'>
  facts: (text: SessionText, summary: SessionSummary) => RowFacts
  /** Flags of what failed at this message. */
  failureOf: (message: Message) => number
  /** What is known of the messages since the last reading; null: each is taken apart. */
  texts: KnownTexts | null
  /** Puts those texts back that the session does not hold; null: it holds all. */
  whole: ((messages: readonly Message[]) => Promise<Message[]>) | null
}

/** What is to be written for a session. */
export interface SessionPlan {
  record: SessionRecord
  slots: Slot[]
  rows: SessionRows
  calls: CallRows
  /** Documents whose text is gone or replaced. */
  deletions: number[]
  insertions: { document: number; words: Uint8Array }[]
}

export interface StoredSlots {
  slots: Slot[]
  rows: SessionRows
}

/** Where a plan is made: what was stored, what numbers rows, and what takes texts off its hands. */
export interface PlanRun {
  files: readonly { path: string }[]
  old: StoredSlots
  allocateRow: () => number
  pause: () => Promise<void>
  /** Called where many texts wait to be written: those that it wrote wait no longer. */
  writeEarly: (texts: WaitingTexts) => Promise<void>
}

export type WaitingTexts = Pick<SessionPlan, 'deletions' | 'insertions'>

/** Compares a session with what was stored of it before. A message keeps its slot and row for life; slot 0 is the title's. */
export async function planSession(toWrite: SessionToWrite, run: PlanRun): Promise<SessionPlan> {
  const { session, facts, failureOf, texts: known } = toWrite
  const { old, pause } = run
  const record = toWrite.startRecord()
  const findKnown = (message: Message) => known?.find(session.key, message, failureOf(message)) ?? null
  const slots = new SlotFinder(old.slots)
  const rows = new SessionRows(old.slots.length + session.messages.length + 1)
  rows.rows.fill(-1)
  const plan: PlannedTexts = { slots: old.slots.map(() => null), rows, deletions: [], insertions: [] }
  const calls: [number, RowCall[]][] = []
  for await (const batch of sessionTexts(toWrite, record, findKnown)) {
    for (const text of batch) {
      const slot = slots.of(text)
      const stored = storedIn(old, slot)
      const row = stored === null ? run.allocateRow() : (old.rows.rows[slot] ?? 0)
      const { message } = text
      const ofRow = text.known?.facts ?? facts(text, record.summary)
      if (ofRow.calls.length > 0) calls.push([row, ofRow.calls])
      rows.rows[slot] = row
      setFacts(rows, slot, text, ofRow)
      if (message !== null) setSource(rows, slot, message, run.files)
      const hash = planText(plan, slot, text, stored)
      if (message !== null)
        known?.note(session.key, { message, failure: failureOf(message), facts: ofRow, hash })
      await pause()
    }
    await run.writeEarly(plan)
  }
  for (const slot of slots.left()) {
    const stored = storedIn(old, slot)
    if (stored !== null) dropDocuments(plan, slot, stored.rows)
  }
  return { ...plan, rows: rows.first(slots.size), record: record.finish(), calls: toSessionCalls(calls) }
}

function storedIn(old: StoredSlots, slot: number): StoredText | null {
  const row = slot < old.rows.slots ? (old.rows.rows[slot] ?? -1) : -1
  return row < 0 ? null : { hash: old.slots[slot]?.[1], rows: old.rows }
}

type PlannedTexts = Pick<SessionPlan, 'slots' | 'rows' | 'deletions' | 'insertions'>

/** What was stored in a slot before: the hash of its text, and where the lengths of its fields are. */
interface StoredText {
  hash: string | undefined
  rows: SessionRows
}

/** Writes the text of a row anew unless it is what was stored. Answers its hash. */
function planText(plan: PlannedTexts, slot: number, text: SessionText, stored: StoredText | null): string {
  const { message, known } = text
  if (known !== null && known.hash === stored?.hash) return keepText(plan, slot, message, stored, known.hash)
  const pieces = known === null || message === null ? text.pieces : fieldPieces(message)
  const indexed = encodePieces(indexedPieces(pieces))
  const hash = hashPieces(indexed)
  if (hash === stored?.hash) return keepText(plan, slot, message, stored, hash)
  if (stored !== null) dropDocuments(plan, slot, stored.rows)
  const { rows, slots, insertions } = plan
  slots[slot] = [message?.key ?? null, hash]
  const row = rows.rows[slot] ?? 0
  for (const [field, words] of textColumns(indexed).entries()) {
    if (words === null) continue
    rows.lengths[slot * FIELDS + field] = lengthCode(words.length)
    insertions.push({ document: row * FIELDS + field, words })
  }
  return hash
}

function keepText(
  { rows, slots }: PlannedTexts,
  slot: number,
  message: Message | null,
  stored: StoredText,
  hash: string,
): string {
  slots[slot] = [message?.key ?? null, hash]
  rows.lengths.set(stored.rows.lengths.subarray(slot * FIELDS, (slot + 1) * FIELDS), slot * FIELDS)
  return hash
}

function dropDocuments({ deletions }: PlannedTexts, slot: number, { rows, lengths }: SessionRows): void {
  for (let field = 0; field < FIELDS; field++) {
    if (lengths[slot * FIELDS + field] !== 0) deletions.push((rows[slot] ?? 0) * FIELDS + field)
  }
}

/** A message has the slot that it had, a new one the next. */
class SlotFinder {
  /** Those that stood there before, by message; what has been asked for is not in it any more. */
  readonly #known: Map<string | null, number>
  size: number

  constructor(old: readonly Slot[]) {
    this.#known = new Map(old.flatMap((slot, index) => (slot === null ? [] : [[slot[0], index] as const])))
    this.size = old.length
  }

  of({ message }: SessionText): number {
    const key = message?.key ?? null
    const known = this.#known.get(key)
    this.#known.delete(key)
    return known ?? this.size++
  }

  /** Where a message stood that has gone. */
  left(): Iterable<number> {
    return this.#known.values()
  }
}

function setFacts(rows: SessionRows, slot: number, text: SessionText, facts: RowFacts): void {
  rows.timesMs[slot] = text.timeMs
  rows.places[slot] = text.place
  rows.tokens[slot] = facts.tokens
  rows.costs[slot] = facts.cost
  rows.flags[slot] = facts.flags
  rows.mainFields[slot] = SEARCH_FIELDS.indexOf(facts.mainField)
}

function setSource(
  rows: SessionRows,
  slot: number,
  { source }: Message,
  files: readonly { path: string }[],
): void {
  const file = files.findIndex(({ path }) => path === source.file)
  if (file < 0 || file > MAX_FILE) return
  rows.files[slot] = file
  rows.records[slot] = source.line ?? (source.index === undefined ? 0 : ~source.index)
}

const MAX_FILE = 0xffff

export function readSlots(json: unknown): Slot[] {
  return typeof json === 'string' ? slotsSchema.parse(JSON.parse(json)) : []
}

/** Writes a session's record and those of its texts that changed. */
export async function writePlan(
  database: Database,
  { number, groupId, key }: StoredSession,
  plan: SessionPlan,
  pause: () => Promise<void>,
): Promise<void> {
  await writeTexts(database, plan, pause)
  database.run(INSERT_SESSION, number, groupId, key, JSON.stringify(plan.record), JSON.stringify(plan.slots))
  database.run(INSERT_ROWS, number, plan.rows.bytes)
}

/** Nothing of it waits afterwards. */
export async function writeTexts(
  database: Database,
  { deletions, insertions }: WaitingTexts,
  pause: () => Promise<void>,
): Promise<void> {
  for (const document of deletions.splice(0)) database.run(DELETE_TEXT, document)
  for (const { document, words } of insertions.splice(0)) {
    database.run(INSERT_TEXT, document, words)
    await pause()
  }
}
