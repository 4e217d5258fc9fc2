import { z } from 'zod'

/** Whole units of 10⁻¹¹ USD per token: then sums of any number of calls are exact. */
const MOST_DECIMALS = 5

const usdPerMillionSchema = z
  .number()
  .min(0)
  .max(1_000_000)
  .refine((rate) => Math.abs(Number(rate.toFixed(MOST_DECIMALS)) - rate) < 1e-12, {
    error: `has more than ${MOST_DECIMALS} decimals`,
  })

const rateFields = {
  inputPerMillion: usdPerMillionSchema,
  /** Without it, cached tokens cost as much as fresh ones. */
  cachedPerMillion: usdPerMillionSchema.optional(),
  outputPerMillion: usdPerMillionSchema,
}

const userPriceSchema = z.strictObject({
  ...rateFields,
  /** Other rates for all tokens of a call with more input than this. */
  tiers: z.array(z.strictObject({ aboveInputTokens: z.int().min(1), ...rateFields })).optional(),
  /** The day (UTC) from which this price holds; before it the list's price does. */
  from: z.iso.date().optional(),
})
export type UserPrice = z.infer<typeof userPriceSchema>

/** What the user says of prices: `prices.json` in the data folder. */
export const priceOverridesSchema = z.strictObject({
  version: z.literal(1),
  /** Names that proxies give to models, and the models they stand for. */
  aliases: z.record(z.string(), z.string()).default({}),
  models: z.record(z.string(), userPriceSchema).default({}),
  /** `nothing`: the user is on a plan, so no cost is shown. */
  plan: z.enum(['list-price', 'nothing']).default('list-price'),
})
export type PriceOverrides = z.infer<typeof priceOverridesSchema>

/** Without a `prices.json`: list prices for everything. */
export const LIST_PRICES: PriceOverrides = Object.freeze({
  version: 1,
  aliases: Object.freeze({}),
  models: Object.freeze({}),
  plan: 'list-price',
})
