import { z } from 'zod'

/** Stands beside a text that was shortened for the wire: the full size in bytes and where the whole text is. */
export type Cut = z.infer<typeof cutSchema>
export const cutSchema = z.strictObject({ sizeBytes: z.number(), href: z.string() })
