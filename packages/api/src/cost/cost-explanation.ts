import { z } from 'zod'

/**
 * Why a call has no price, or no whole one (`unknown-figures`: some of its tokens have a name or a form that is not known, and
 * only the others are priced): no tokens are recorded; only their total is; a figure is no count; its time or model is not
 * recorded as one; the name stands for a choice between models; nobody knows the model; the list knows it without a
 * price for such tokens; the user is on a plan and wants no prices.
 */
export const unknownCostReasonSchema = z.enum([
  'no-tokens',
  'no-breakdown',
  'bad-numbers',
  'unknown-figures',
  'bad-time',
  'no-model',
  'routing-name',
  'unknown-model',
  'unpriced-model',
  'plan',
])
export type UnknownCostReason = z.infer<typeof unknownCostReasonSchema>

/** USD per million tokens for calls of more input tokens than `aboveInputTokens`; null where no price is known. */
export const rateTierSchema = z.strictObject({
  aboveInputTokens: z.number(),
  input: z.number().nullable(),
  cached: z.number().nullable(),
  output: z.number().nullable(),
})
export type RateTier = z.infer<typeof rateTierSchema>

/** One product of the sum. `input` is fresh input: without the cached part. */
export const costTermSchema = z.strictObject({
  kind: z.enum(['input', 'cached', 'output', 'thoughts', 'tool']),
  tokens: z.number(),
  usdPerMillion: z.number().nullable(),
  usd: z.number().nullable(),
})
export type CostTerm = z.infer<typeof costTermSchema>

/** How the cost of one model call came about: `usd` is the sum of the terms, or null for the reason given; with both it is not the whole cost. */
export const costExplanationSchema = z.strictObject({
  usd: z.number().nullable(),
  /** null: the cost is whole. */
  reason: unknownCostReasonSchema.nullable(),
  model: z.strictObject({
    recorded: z.string().nullable(),
    /** What the user says that the recorded name stands for. */
    alias: z.string().nullable(),
    /** The name under which the price stands. */
    priced: z.string().nullable(),
    /** The list has this very name, or it is a dated or numbered edition of a listed model. */
    match: z.enum(['name', 'edition']).nullable(),
  }),
  price: z
    .strictObject({
      source: z.enum(['list', 'user']),
      /** Which list or file, and of which date. */
      edition: z.string(),
      /** The day for which it was looked up: the call's, in UTC. */
      day: z.string(),
      /** The day from which this price holds; null: from the beginning. */
      since: z.string().nullable(),
      tiers: z.array(rateTierSchema),
    })
    .nullable(),
  /** The tier that the call's whole input chose, for all its tokens. `upToInputTokens` null: no limit. */
  tier: z
    .strictObject({
      aboveInputTokens: z.number(),
      upToInputTokens: z.number().nullable(),
      inputTokens: z.number(),
    })
    .nullable(),
  /** The products that the formula adds up. */
  terms: z.array(costTermSchema),
  /** The terms as one line of arithmetic; null without a cost. */
  formula: z.string().nullable(),
  /** Recorded total minus the parts that are billed: not 0 where the record does not add up. */
  unexplainedTokens: z.number(),
})
export type CostExplanation = z.infer<typeof costExplanationSchema>
