import { calcPrice, type ModelPrice, type TieredPrices } from '@pydantic/genai-prices'

/** USD per million tokens at the tier that one call's input reaches. */
export interface Rates {
  input: number
  cached: number
  output: number
}

/**
 * Rates of a model at a time, or null for a model that the price list does not know or gives no price for.
 * Prices: the offline list inside `@pydantic/genai-prices`.
 */
export function findRates(model: string, timestamp: string | null, inputTokens: number): Rates | null {
  const price = priceAt(model.replace(/^models\//, ''), timestamp)
  if (price === null) return null
  const input = rateAt(price.input_mtok, inputTokens)
  const output = rateAt(price.output_mtok, inputTokens)
  // Open-weight models are listed without any price: that is unknown, not free.
  if (input === null || output === null) return null
  // A model without a cache rate bills cached tokens like fresh ones.
  return { input, output, cached: rateAt(price.cache_read_mtok, inputTokens) ?? input }
}

const pricesByModelAndDay = new Map<string, ModelPrice | null>()

// One look-up costs 40 µs; a long history asks the same few models on the same days a hundred thousand times.
function priceAt(model: string, timestamp: string | null): ModelPrice | null {
  const key = `${model}\n${timestamp?.slice(0, 10) ?? ''}`
  let price = pricesByModelAndDay.get(key)
  if (price === undefined) {
    price = lookUp(model, timestamp)
    pricesByModelAndDay.set(key, price)
  }
  return price
}

function lookUp(model: string, timestamp: string | null): ModelPrice | null {
  const day = timestamp === null ? new Date() : new Date(`${timestamp.slice(0, 10)}T12:00:00Z`)
  if (Number.isNaN(day.getTime())) return null
  try {
    return (
      calcPrice({ input_tokens: 1 }, model, { providerId: 'google', timestamp: day })?.model_price ?? null
    )
  } catch {
    // The library throws on ids and data it cannot handle; a record's odd model name must not end a page.
    return null
  }
}

/** A tier applies to the whole call from the first token above its start (200,000 is the low tier, 200,001 the high one). */
function rateAt(price: number | TieredPrices | undefined, inputTokens: number): number | null {
  if (price === undefined) return null
  if (typeof price === 'number') return price
  let rate = price.base
  for (const tier of price.tiers) if (inputTokens > tier.start) rate = tier.price
  return rate
}
