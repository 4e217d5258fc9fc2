import { z } from 'zod'
import { costSchema } from './cost.ts'
import { supersededSchema } from './message.ts'
import { tokenUsageSchema } from './token-usage.ts'

/** One prompt and all that answers it. What stands before the first prompt is turn 0. */
export type Turn = z.infer<typeof turnSchema>
export const turnSchema = z.strictObject({
  number: z.number(),
  /** Key of the message that opens the turn. */
  messageKey: z.string(),
  /** Position of that message in the session's message list (0-based). */
  firstOffset: z.number(),
  messageCount: z.number(),
  /** First 200 characters of the prompt; '' for turn 0. */
  prompt: z.string(),
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
  superseded: supersededSchema.nullable(),
  segment: z.number(),
  usage: tokenUsageSchema,
  cost: costSchema,
  toolCalls: z.number(),
  toolErrors: z.number(),
  /** Key of the first message of it with a call that failed. */
  failedKey: z.string().nullable(),
  thoughts: z.number(),
  /** Its request failed, and nobody took it back: why, and the notice that says so; null where nothing was recorded. */
  failure: z.strictObject({ text: z.string(), noticeKey: z.string().nullable() }).nullable(),
})

/** One bar of the per-message token chart: a model call with its tokens. */
export type CallPoint = z.infer<typeof callPointSchema>
export const callPointSchema = z.strictObject({
  messageKey: z.string(),
  offset: z.number(),
  turn: z.number(),
  timestamp: z.string().nullable(),
  model: z.string().nullable(),
  usage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  superseded: supersededSchema.nullable(),
  /** A tool of this call failed. */
  failed: z.boolean(),
})

/** Where the conversation was split into files, or the context was compressed. */
export type Segment = z.infer<typeof segmentSchema>
export const segmentSchema = z.strictObject({
  index: z.number(),
  /** start: the first; compress: `/compress` began a new file; resume: only an older file holds this part. */
  reason: z.enum(['start', 'compress', 'resume']),
  file: z.string(),
  firstOffset: z.number(),
  messages: z.number(),
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
})

/** A `/compress` within a session: the context before and after, from the calls around it. */
export type Compression = z.infer<typeof compressionSchema>
export const compressionSchema = z.strictObject({
  /** The first message after the compression. */
  messageKey: z.string(),
  offset: z.number(),
  timestamp: z.string().nullable(),
  inputBefore: z.number().nullable(),
  inputAfter: z.number().nullable(),
})
