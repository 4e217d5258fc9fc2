import { z } from 'zod'

/** Which message a slot holds, and a hash of the text that was indexed for it. null: the slot is free. */
const slotSchema = z.tuple([z.string().nullable(), z.string()]).nullable()
export type Slot = z.infer<typeof slotSchema>

const slotsSchema = z.array(slotSchema)

export function readSlots(json: unknown): Slot[] {
  return typeof json === 'string' ? slotsSchema.parse(JSON.parse(json)) : []
}

/** When the message in each slot was said, and its place in the session. */
export interface SlotTimes {
  timesMs: Float64Array
  places: Float64Array
}

export function encodeTimes({ timesMs, places }: SlotTimes): Uint8Array {
  const both = new Float64Array(timesMs.length * 2)
  both.set(timesMs)
  both.set(places, timesMs.length)
  return new Uint8Array(both.buffer)
}

export function decodeTimes(bytes: unknown): SlotTimes {
  if (!(bytes instanceof Uint8Array)) return { timesMs: new Float64Array(), places: new Float64Array() }
  // Copied, as the bytes of a row need not be aligned to eight.
  const both = new Float64Array(bytes.slice().buffer)
  const slots = both.length / 2
  return { timesMs: both.subarray(0, slots), places: both.subarray(slots) }
}
