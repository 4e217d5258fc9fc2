import { z } from 'zod'
import { costSchema } from '../cost.ts'
import { supersededSchema } from '../message.ts'

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
  /** Of a sub-agent that an old version mixed into the file of its parent: it has a context of its own. */
  isAgent: z.boolean(),
  /** As recorded. */
  input: z.number(),
  cached: z.number(),
  /** Position of the call before it in the same context; null for the first one, and the first after a compression. */
  before: z.number().nullable(),
  /** Of `input`, what the call before it had sent too: all but the growth. */
  resent: z.number(),
  /** What the input cost, and what the cache took off it, in USD; null where no price is known. */
  inputUsd: z.number().nullable(),
  savedUsd: z.number().nullable(),
  /** Estimated tokens by position in `blocks`; they add up to `input` exactly. */
  tokens: z.array(z.number()),
  /** 1, or below it where the estimate was more than was sent: by so much every recorded piece is scaled down. */
  scale: z.number(),
  /** Block (position in `blocks`) that grew most since the call before, and by how much; null where none grew. */
  grew: z.strictObject({ block: z.number(), tokens: z.number() }).nullable(),
})

/** One thing that was sent, and how often. The baseline of each model is one too, at its first call. */
export type ContextItem = z.infer<typeof contextItemSchema>
const contextItemSchema = z.strictObject({
  messageKey: z.string(),
  offset: z.number(),
  turn: z.number(),
  /** Position among the calls of the message; null for what is no call's. */
  call: z.number().nullable(),
  kind: contextKindSchema,
  /** Tool name, path, or ''. */
  name: z.string(),
  /** The beginning of a prompt, a call's own line; ''. */
  label: z.string(),
  /** Estimated, for one sending. */
  tokens: z.number(),
  /** Calls whose prompt held it. */
  sent: z.number(),
  /** Estimated, of all sendings: less than `tokens` times `sent` where the CLI masked it later. */
  sentTokens: z.number(),
  /** Estimated price of every sending but the first, in USD, with the share of the cache in each; null where none is known. */
  resentUsd: z.number().nullable(),
})

/** Which part of each prompt came from where: an estimate by the length of what is logged, held to the recorded totals. */
export type ContextXray = z.infer<typeof contextXraySchema>
export const contextXraySchema = z.strictObject({
  blocks: z.array(contextBlockSchema),
  calls: z.array(contextCallSchema),
  /** Of all calls; recorded. */
  totals: z.strictObject({
    input: z.number(),
    cached: z.number(),
    resent: z.number(),
    /** Of the input alone. */
    cost: costSchema,
    saved: costSchema,
  }),
  /** What was sent most, tokens times sendings; at most 50. */
  items: z.array(contextItemSchema),
  /** Offsets before which the context was compressed. */
  compressions: z.array(z.number()),
})
