import { z } from 'zod'
import { supersededSchema } from '../message.ts'

/** One thought of a model call, by what it is about. */
export type ReasoningStep = z.infer<typeof reasoningStepSchema>
const reasoningStepSchema = z.strictObject({
  /** At most 120 characters on one line; the beginning of the thought where it has no subject. */
  subject: z.string(),
  timestamp: z.string().nullable(),
  /** Since the thought before it; of a call's first, since the message or tool result before the call. null where a time is missing. */
  afterMs: z.number().nullable(),
})

/** The thoughts of one model call. */
export type ReasoningCall = z.infer<typeof reasoningCallSchema>
const reasoningCallSchema = z.strictObject({
  messageKey: z.string(),
  /** Position in the session's message list (0-based). */
  offset: z.number(),
  /** Number of the turn, as in the outline. */
  turn: z.number(),
  superseded: supersededSchema.nullable(),
  /** null where the call has no tokens recorded. */
  tokens: z.strictObject({ thoughts: z.number(), output: z.number() }).nullable(),
  steps: z.array(reasoningStepSchema),
})

/** What a model thought in a session, in reading order; copies under new ids are left out. */
export type Reasoning = z.infer<typeof reasoningSchema>
export const reasoningSchema = z.strictObject({
  calls: z.array(reasoningCallSchema),
  /** Over every model call of the session, also those that recorded no thought. */
  tokens: z.strictObject({ thoughts: z.number(), output: z.number() }),
})
