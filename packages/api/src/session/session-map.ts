import { z } from 'zod'
import { answer } from '../fields/answer.ts'
import { messageFilterSchema } from './messages.ts'

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

/**
 * A whole session in a few bytes a message, in drawn order.
 * One letter a message in `voices`: p prompt, a answer, t thoughts alone, c calls (with or without thoughts),
 * i injected or a sub-agent's prompt, n notice, - nothing of its own.
 */
export const sessionMapSchema = answer({
  voices: z.string(),
  /** One digit a message, added up: 1 something failed, 2 superseded, 4 a copy, which is no call of its own. */
  marks: z.string(),
  /** About how many lines each message takes on a page, as it is drawn at first. */
  lines: z.array(z.number()),
  /** Messages that each filter leaves. */
  counts: z.record(messageFilterSchema, z.number()),
})
export type SessionMap = z.infer<typeof sessionMapSchema>
