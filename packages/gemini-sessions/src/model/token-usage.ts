import { z } from 'zod'

/**
 * Tokens of one model call or a sum of calls, as the Gemini API counts them.
 * `cached` is part of `input`; `thoughts` are billed as output; `total` is the API's own figure
 * (normally input + output + thoughts + tool). Fields are 0 where nothing is recorded.
 */
export type TokenUsage = z.infer<typeof tokenUsageSchema>
export const tokenUsageSchema = z.strictObject({
  input: z.number(),
  output: z.number(),
  cached: z.number(),
  thoughts: z.number(),
  tool: z.number(),
  total: z.number(),
  /** Model messages counted in this figure (1 for a single message; copies never count). */
  calls: z.number(),
  /** Those of `calls` for which no tokens > 0 were ever recorded. */
  callsWithoutTokens: z.number(),
  /**
   * Of one call: how many of its recorded figures have a name or a form that is not known, so that they count nowhere. Left out
   * where there are none, and of sums: the call counts in `unpricedCalls`.
   */
  unknownFigures: z.number().optional(),
})

/** No tokens and no calls: the start of a sum. */
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
