import { costSchema, supersededSchema, tokenUsageSchema } from 'gemini-sessions'
import { z } from 'zod'
import { answer } from '../fields/answer.ts'
import { costTermSchema, unknownCostReasonSchema } from './cost-explanation.ts'

/** Of what the cost is explained. */
export const costReportQuerySchema = z.object({
  /** Number of a turn; all of the session without it. */
  turn: z.coerce.number().int().min(0).optional(),
})
export type CostReportQuery = z.infer<typeof costReportQuerySchema>

/** Calls of one cause that the CLI took back; they were billed all the same. */
export const supersededSumSchema = z.strictObject({
  cause: supersededSchema,
  usage: tokenUsageSchema,
  cost: costSchema,
})

/** How the cost of many calls came about. Every sum is exact: to the token, and to 10⁻¹¹ USD. */
export const costReportSchema = answer({
  /** Of all calls that were asked about, superseded ones counted. */
  usage: tokenUsageSchema,
  cost: costSchema,
  /** Calls that share model, price and tier, with their tokens by rate; the costliest first. */
  rates: z.array(
    z.strictObject({
      model: z.string().nullable(),
      /** The name under which the price stands. */
      priced: z.string().nullable(),
      source: z.enum(['list', 'user']),
      edition: z.string(),
      since: z.string().nullable(),
      /** Holds for calls that send more than the first, and at most the second number of tokens; null: no limit. */
      aboveInputTokens: z.number(),
      upToInputTokens: z.number().nullable(),
      calls: z.number(),
      terms: z.array(costTermSchema),
      usd: z.number(),
    }),
  ),
  /** Calls that are in no sum of money, or only in part, by why. */
  unknown: z.array(
    z.strictObject({ reason: unknownCostReasonSchema, model: z.string().nullable(), calls: z.number() }),
  ),
  /** By cause; in `usage` and `cost` already. */
  superseded: z.array(supersededSumSchema),
  /** What the cached tokens would have cost more as fresh ones. */
  savedByCache: costSchema,
  /** The costliest 100, with the place of each record in its file. */
  calls: z.array(
    z.strictObject({
      messageKey: z.string(),
      offset: z.number(),
      timestamp: z.string().nullable(),
      model: z.string().nullable(),
      superseded: supersededSchema.nullable(),
      /** null: no tokens are recorded. */
      usage: tokenUsageSchema.nullable(),
      usd: z.number().nullable(),
      aboveInputTokens: z.number(),
      terms: z.array(costTermSchema),
      source: z.strictObject({ file: z.string(), line: z.number().optional(), index: z.number().optional() }),
    }),
  ),
})
export type CostReport = z.infer<typeof costReportSchema>
