import { supersededSchema } from 'gemini-sessions'
import { z } from 'zod'
import { answer } from '../fields/answer.ts'
import { tableQuerySchema } from '../fields/query-fields.ts'

/** In which form, and how finely, the calls are wanted. */
export const sessionCallsQuerySchema = tableQuerySchema.extend({
  /** At most so many entries: each is then a step of several calls that follow one another. */
  steps: z.coerce.number().int().min(1).max(10_000).optional(),
})

/**
 * The model calls of a session in drawn order, by columns: the n-th entry of each list is of the n-th call. A session of
 * 20,000 messages is about 1 MB of this. Copies are no calls. With `steps` an entry is that call of its step which has most tokens;
 * `failed` and `atHigherRate` then name the steps with such a call, `superseded` those where all were.
 */
export const sessionCallsSchema = answer({
  messageKeys: z.array(z.string()),
  /** Positions in the session's message list. */
  offsets: z.array(z.number()),
  turns: z.array(z.number()),
  /** Milliseconds since 1970; null: not recorded. */
  times: z.array(z.number().nullable()),
  models: z.array(
    z.strictObject({
      name: z.string(),
      /** Tokens that its prompt can hold; null: not known. */
      contextWindow: z.number().nullable(),
      /** Calls that send more cost more a token; null: one price for all. At the price of its last call's day. */
      higherRateAbove: z.number().nullable(),
    }),
  ),
  /** Position in `models`; null: not recorded. */
  modelOf: z.array(z.number().nullable()),
  /** null: the call's tokens are not recorded; the other counts are 0 then. */
  input: z.array(z.number().nullable()),
  cached: z.array(z.number()),
  output: z.array(z.number()),
  thoughts: z.array(z.number()),
  tool: z.array(z.number()),
  /** null: no price is known. */
  usd: z.array(z.number().nullable()),
  /** Numbers (0-based) of the calls billed at a higher tier for their long input. */
  atHigherRate: z.array(z.number()),
  /** Numbers of the calls that led to a failed tool. */
  failed: z.array(z.number()),
  /** Number and cause of the calls that were taken back, and billed all the same. */
  superseded: z.array(z.tuple([z.number(), supersededSchema])),
  /** Where steps were asked for. */
  steps: z
    .strictObject({
      /** Calls in each step; the last may have fewer. */
      size: z.number(),
      calls: z.number(),
      failedCalls: z.number(),
      /** Of all calls of each step; null: no price is known. */
      usd: z.array(z.number().nullable()),
      /** Input of the last recorded call that was not taken back; null: there is none. */
      contextNow: z.number().nullable(),
    })
    .optional(),
})
export type SessionCalls = z.infer<typeof sessionCallsSchema>
