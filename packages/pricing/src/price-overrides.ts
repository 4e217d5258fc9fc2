import { z } from 'zod'

/** Rates are multiples of 10⁻¹¹ USD per token, so that sums of any number of calls are exact. */
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
  /** Default: the rate of fresh tokens. */
  cachedPerMillion: usdPerMillionSchema.optional(),
  outputPerMillion: usdPerMillionSchema,
}

const userPriceSchema = z.strictObject({
  ...rateFields,
  /** Other rates for all tokens of a call with more input than this. */
  tiers: z.array(z.strictObject({ aboveInputTokens: z.int().min(1), ...rateFields })).optional(),
  /** The first day (UTC) of this price; before it the list's price applies. */
  from: z.iso.date().optional(),
})
export type UserPrice = z.infer<typeof userPriceSchema>

/** The user's price settings: `prices.json` in the data folder. */
export const priceOverridesSchema = z.strictObject({
  version: z.literal(1),
  /** Names used by proxies, and the models they stand for. */
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
