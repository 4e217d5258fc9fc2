import { z } from 'zod'
import { supersededSchema } from './message.ts'

/**
 * What a piece of a prompt is. `baseline`: the CLI's own instructions and the declarations of its tools, which no file
 * records; `unrecorded`: what the recorded input has beyond everything that the log explains.
 */
export type ContextKind = z.infer<typeof contextKindSchema>
export const contextKindSchema = z.enum([
  'baseline',
  'session-context',
  'prompt',
  'file',
  'tool-result',
  'tool-call',
  'answer',
  'unrecorded',
])

/** A part of the context that is told apart: a kind, and of tools and files whose. */
export type ContextBlock = z.infer<typeof contextBlockSchema>
const contextBlockSchema = z.strictObject({
  kind: contextKindSchema,
  /** Name of the tool; '' for all other kinds. */
  name: z.string(),
})

/** What filled the prompt of one model call. */
export type ContextCall = z.infer<typeof contextCallSchema>
const contextCallSchema = z.strictObject({
  messageKey: z.string(),
  offset: z.number(),
  turn: z.number(),
  superseded: supersededSchema.nullable(),
  /** As recorded. */
  input: z.number(),
  cached: z.number(),
  /** Estimated tokens by position in `blocks`; they add up to `input` exactly. */
  tokens: z.array(z.number()),
  /** 1, or below it where the estimate was more than was sent: by so much every recorded piece is scaled down. */
  scale: z.number(),
  /** Block (position in `blocks`) that grew most since the call before, and by how much; null where none grew. */
  grew: z.strictObject({ block: z.number(), tokens: z.number() }).nullable(),
})

/** One thing that was sent, and how often. */
export type ContextItem = z.infer<typeof contextItemSchema>
const contextItemSchema = z.strictObject({
  messageKey: z.string(),
  offset: z.number(),
  kind: contextKindSchema,
  /** Tool name, path, or ''. */
  name: z.string(),
  /** The beginning of a prompt, a call's own line; ''. */
  label: z.string(),
  /** Estimated, for one sending. */
  tokens: z.number(),
  /** Calls whose prompt held it. */
  sent: z.number(),
})

/** Which part of each prompt came from where: an estimate by the length of what is logged, held to the recorded totals. */
export type ContextXray = z.infer<typeof contextXraySchema>
export const contextXraySchema = z.strictObject({
  blocks: z.array(contextBlockSchema),
  calls: z.array(contextCallSchema),
  /** What was sent most, tokens times sendings; at most 50. */
  items: z.array(contextItemSchema),
  /** Offsets before which the context was compressed. */
  compressions: z.array(z.number()),
})
