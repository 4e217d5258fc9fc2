import { z } from 'zod'

/** List price in USD. `usd` is null only if nothing could be priced; the calls without a price are counted, never 0. */
export type Cost = z.infer<typeof costSchema>
export const costSchema = z.strictObject({
  usd: z.number().nullable(),
  unpricedCalls: z.number(),
})

/** Nothing was priced yet: the start of a sum. */
export const NO_COST: Cost = Object.freeze({ usd: null, unpricedCalls: 0 })
