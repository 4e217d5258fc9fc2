import { z } from 'zod'
import { answer } from '../fields/answer.ts'

/** What to copy, uncut: one message, one turn, or (neither given) the whole session. */
export const transcriptQuerySchema = z.object({
  as: z.enum(['markdown', 'text']).default('markdown'),
  message: z.string().max(400).optional(),
  /** The turn that this message is in. */
  turnOf: z.string().max(400).optional(),
  /** Default: `on` for a whole session, `off` for a part of one. */
  redact: z.enum(['on', 'off']).optional(),
})
export type TranscriptQuery = z.infer<typeof transcriptQuerySchema>

/** `redacted`: so many places were replaced. `secrets`: so many stand in the text. */
export const transcriptSchema = answer({ text: z.string(), redacted: z.number(), secrets: z.number() })
export type Transcript = z.infer<typeof transcriptSchema>
