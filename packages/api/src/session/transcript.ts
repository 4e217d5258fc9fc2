import { z } from 'zod'

/** What to copy, uncut: one message, one turn, or (neither given) the whole session. */
export const transcriptQuerySchema = z.object({
  as: z.enum(['markdown', 'text']).default('markdown'),
  message: z.string().max(400).optional(),
  /** The turn that this message is in. */
  turnOf: z.string().max(400).optional(),
})
export type TranscriptQuery = z.infer<typeof transcriptQuerySchema>
