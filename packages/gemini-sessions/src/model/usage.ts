import { z } from 'zod'

/** List price in USD. `usd` is null only if nothing could be priced; calls without a price are counted, never as 0. */
export type Cost = z.infer<typeof costSchema>
export const costSchema = z.strictObject({
  usd: z.number().nullable(),
  unpricedCalls: z.number(),
})

/** The initial value of a sum of costs. */
export const NO_COST: Cost = Object.freeze({ usd: null, unpricedCalls: 0 })

/**
 * Tokens of one model call or a sum of calls, as counted by the Gemini API.
 * `cached` is part of `input`; `thoughts` are billed as output; `total` is the API's own figure (normally input + output + thoughts +
 * tool). Fields are 0 if not recorded.
 */
export type TokenUsage = z.infer<typeof tokenUsageSchema>
export const tokenUsageSchema = z.strictObject({
  input: z.number(),
  output: z.number(),
  cached: z.number(),
  thoughts: z.number(),
  tool: z.number(),
  total: z.number(),
  /** Model messages included (1 for a single message; copies never count). */
  calls: z.number(),
  /** Those of `calls` without any recorded tokens > 0. */
  callsWithoutTokens: z.number(),
  /**
   * For one call: how many of its recorded figures have an unknown name or form, and so are not counted. Left out if none, and for sums:
   * the call counts in `unpricedCalls`.
   */
  unknownFigures: z.number().optional(),
})

/** The initial value of a sum of usage. */
export const NO_USAGE: TokenUsage = Object.freeze({
  input: 0,
  output: 0,
  cached: 0,
  thoughts: 0,
  tool: 0,
  total: 0,
  calls: 0,
  callsWithoutTokens: 0,
})
