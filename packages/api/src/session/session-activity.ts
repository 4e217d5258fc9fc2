import { z } from 'zod'

/**
 * What the log of a session shows at its end. The CLI records a call when it is over, so a call that runs and one that
 * waits for the reader's approval look alike.
 * asked: something was said to the model and no answer is recorded; calling: the model asked for a call that has no
 * result; answered: the last word is an answer in words; silent: nobody said anything.
 */
export const sessionActivitySchema = z.strictObject({
  state: z.enum(['asked', 'calling', 'answered', 'silent']),
  /** Time of the last record. */
  since: z.string().nullable(),
})
export type SessionActivity = z.infer<typeof sessionActivitySchema>
