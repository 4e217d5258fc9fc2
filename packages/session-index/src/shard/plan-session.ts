import type { Session } from 'gemini-sessions'
import type { SessionRecord } from '../session-record.ts'
import { indexedPieces } from '../text/indexed-pieces.ts'
import { SLOTS_PER_SESSION } from './schema.ts'
import type { Slot, SlotTimes } from './session-slots.ts'
import { sessionTexts } from './session-texts.ts'
import { hashPieces, textColumns } from './text-columns.ts'

/** What is to be written for a session. Made before anything is, so that a session that cannot be read changes nothing. */
export interface SessionPlan {
  record: SessionRecord
  slots: Slot[]
  times: SlotTimes
  /** Slots whose text is gone or replaced. */
  deletions: number[]
  insertions: { slot: number; columns: (Uint8Array | null)[] }[]
}

/** Compares a session with what was stored of it before. A message keeps its slot for life; slot 0 is the title's. */
export async function planSession(
  session: Session,
  record: SessionRecord,
  oldSlots: Slot[],
  pause: () => Promise<void>,
): Promise<SessionPlan> {
  const oldByKey = new Map(
    oldSlots.flatMap((slot, index) => (slot === null ? [] : [[slot[0], index] as const])),
  )
  const slots: Slot[] = oldSlots.map(() => null)
  const timesMs = oldSlots.map(() => 0)
  const places = oldSlots.map(() => 0)
  const deletions: number[] = []
  const insertions: SessionPlan['insertions'] = []
  for (const { message, timeMs, place, pieces } of sessionTexts(session, record)) {
    const key = message?.key ?? null
    const slot = oldByKey.get(key) ?? slots.length
    if (slot >= SLOTS_PER_SESSION) break
    const indexed = indexedPieces(pieces)
    const hash = hashPieces(indexed)
    slots[slot] = [key, hash]
    timesMs[slot] = timeMs
    places[slot] = place
    const oldHash = oldSlots[slot]?.[1]
    if (oldHash === hash) continue
    if (oldHash !== undefined) deletions.push(slot)
    insertions.push({ slot, columns: textColumns(indexed) })
    await pause()
  }
  for (const slot of oldByKey.values()) if (slots[slot] === null) deletions.push(slot)
  const times = { timesMs: Float64Array.from(timesMs), places: Float64Array.from(places) }
  return { record, slots, times, deletions, insertions }
}
