import { z } from 'zod'

/** Which message a slot holds (null: the title), and a hash of the text that was indexed for it. null: the slot is free. */
const slotSchema = z.tuple([z.string().nullable(), z.string()]).nullable()
export type Slot = z.infer<typeof slotSchema>

const slotsSchema = z.array(slotSchema)

export function readSlots(json: unknown): Slot[] {
  return typeof json === 'string' ? slotsSchema.parse(JSON.parse(json)) : []
}
