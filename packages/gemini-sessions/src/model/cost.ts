import { z } from 'zod'

/** List price in USD. `usd` is null only if nothing could be priced; the calls without a price are counted, never 0. */
export const costSchema = z.strictObject({
  usd: z.number().nullable(),
  unpricedCalls: z.number(),
})
export type Cost = z.infer<typeof costSchema>

export const NO_COST: Cost = Object.freeze({ usd: null, unpricedCalls: 0 })
