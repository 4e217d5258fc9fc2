import { z } from 'zod'

/** Stands beside a text that was shortened for the wire: the full size in bytes and where the whole text is. */
export type Cut = z.infer<typeof cutSchema>
export const cutSchema = z.strictObject({
  sizeBytes: z.number(),
  href: z.string(),
  /** Set where even that is not all, because nobody holds so much: the full size in the file, and where the record is as it stands there. */
  raw: z.strictObject({ sizeBytes: z.number(), href: z.string() }).optional(),
})
