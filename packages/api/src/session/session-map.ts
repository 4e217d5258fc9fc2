import { z } from 'zod'
import { answer } from '../fields/answer.ts'
import { messageFilterSchema } from './message-filter.ts'

/**
 * A whole session in a few bytes a message, in drawn order.
 * One letter a message in `voices`: p prompt, a answer, t thoughts alone, c calls (with or without thoughts),
 * i injected or a sub-agent's prompt, n notice, - nothing of its own.
 */
export const sessionMapSchema = answer({
  voices: z.string(),
  /** One digit a message, added up: 1 something failed, 2 superseded. */
  marks: z.string(),
  /** About how many lines each message takes on a page, as it is drawn at first. */
  lines: z.array(z.number()),
  /** Messages that each filter leaves. */
  counts: z.record(messageFilterSchema, z.number()),
})
export type SessionMap = z.infer<typeof sessionMapSchema>
