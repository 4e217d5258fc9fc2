import { z } from 'zod'
import { answer } from '../fields/answer.ts'

/** Larger budgets are clamped, never refused. */
const MAX_BUDGET = 1_000_000

/** How long the text may be, and whether it is redacted. */
export const handoverQuerySchema = z.object({
  /** In tokens, estimated as UTF-8 bytes / 4. */
  budget: z.coerce
    .number({ message: 'is not a number of tokens' })
    .int({ message: 'is not a whole number of tokens' })
    .min(1, { message: 'is not a number of tokens above 0' })
    .transform((tokens) => Math.min(tokens, MAX_BUDGET))
    .default(20_000),
  /** `off`: secrets, the home folder, names of user and host, and e-mail addresses stay as they are. */
  redact: z.enum(['on', 'off']).default('on'),
})
export type HandoverQuery = z.infer<typeof handoverQuerySchema>

/** What another agent needs to go on with a session, every line of it from the record. */
export const handoverSchema = answer({
  /** Markdown. '' where not a line fits into the budget. */
  text: z.string(),
  /** Of the text: its UTF-8 bytes / 4, rounded up. An estimate; never more than the budget. */
  tokens: z.number(),
  /** How many there are that the text does not have; `shortened` counts those that it has in part. */
  leftOut: z.strictObject({
    prompts: z.number(),
    exchanges: z.number(),
    files: z.number(),
    errors: z.number(),
    commands: z.number(),
    shortened: z.number(),
  }),
})
export type Handover = z.infer<typeof handoverSchema>
