import type { Message, Session } from 'gemini-sessions'
import type { RowCall } from '../rows/row-call.ts'
import type { RowFacts } from '../rows/row-facts.ts'
import { type SessionCalls, toSessionCalls } from '../rows/session-calls.ts'
import { lengthCode, SessionRows } from '../rows/session-rows.ts'
import type { SessionRecord } from '../session-record.ts'
import { indexedPieces } from '../text/indexed-pieces.ts'
import { SEARCH_FIELDS } from './schema.ts'
import type { Slot } from './session-slots.ts'
import { type SessionText, sessionTexts } from './session-texts.ts'
import { encodePieces, hashPieces, textColumns } from './text-columns.ts'

const FIELDS = SEARCH_FIELDS.length

/** A session to be written. `facts` comes with it, so that who only searches needs no price list. */
export interface SessionToWrite {
  session: Session
  record: SessionRecord
  facts: (text: SessionText) => RowFacts
}

/** What is to be written for a session. Made before anything is, so that a session that cannot be read changes nothing. */
export interface SessionPlan {
  record: SessionRecord
  slots: Slot[]
  rows: SessionRows
  calls: SessionCalls
  /** Documents whose text is gone or replaced. */
  deletions: number[]
  insertions: { document: number; words: Uint8Array }[]
}

export interface StoredSlots {
  slots: Slot[]
  rows: SessionRows
}

/** Compares a session with what was stored of it before. A message keeps its slot and row for life; slot 0 is the title's. */
export async function planSession(
  { session, record, facts }: SessionToWrite,
  files: readonly { path: string }[],
  old: StoredSlots,
  allocateRow: () => number,
  pause: () => Promise<void>,
): Promise<SessionPlan> {
  const texts = sessionTexts(session, record)
  const slots = assignSlots(texts, old.slots)
  const rows = new SessionRows(slots.length)
  rows.rows.fill(-1)
  const keyed: Slot[] = slots.map(() => null)
  const calls: [number, RowCall[]][] = []
  const deletions: number[] = []
  const insertions: SessionPlan['insertions'] = []
  for (const [slot, text] of slots.entries()) {
    const oldRow = slot < old.rows.slots ? (old.rows.rows[slot] ?? -1) : -1
    if (text === null) {
      if (oldRow >= 0) deletions.push(...documentsOf(old.rows, slot))
      continue
    }
    const row = oldRow >= 0 ? oldRow : allocateRow()
    const rowFacts = facts(text)
    rows.rows[slot] = row
    setFacts(rows, slot, text, rowFacts)
    if (text.message !== null) setSource(rows, slot, text.message, files)
    if (rowFacts.calls.length > 0) calls.push([row, rowFacts.calls])
    const indexed = encodePieces(indexedPieces(text.pieces))
    const hash = hashPieces(indexed)
    keyed[slot] = [text.message?.key ?? null, hash]
    if (oldRow >= 0 && old.slots[slot]?.[1] === hash) {
      rows.lengths.set(old.rows.lengths.subarray(slot * FIELDS, (slot + 1) * FIELDS), slot * FIELDS)
      continue
    }
    if (oldRow >= 0) deletions.push(...documentsOf(old.rows, slot))
    for (const [field, words] of textColumns(indexed).entries()) {
      if (words === null) continue
      rows.lengths[slot * FIELDS + field] = lengthCode(words.length)
      insertions.push({ document: row * FIELDS + field, words })
    }
    await pause()
  }
  return { record, slots: keyed, rows, calls: toSessionCalls(calls), deletions, insertions }
}

/** The text for each slot; null where the message of the slot has gone. */
function assignSlots(texts: SessionText[], oldSlots: Slot[]): (SessionText | null)[] {
  const known = new Map(oldSlots.flatMap((slot, index) => (slot === null ? [] : [[slot[0], index] as const])))
  const slots: (SessionText | null)[] = oldSlots.map(() => null)
  for (const text of texts) slots[known.get(text.message?.key ?? null) ?? slots.length] = text
  return slots
}

function documentsOf({ rows, lengths }: SessionRows, slot: number): number[] {
  return SEARCH_FIELDS.flatMap((_, field) =>
    lengths[slot * FIELDS + field] === 0 ? [] : [(rows[slot] ?? 0) * FIELDS + field],
  )
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
