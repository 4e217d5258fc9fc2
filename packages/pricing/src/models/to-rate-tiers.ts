import type { RateTier } from '@gemini-dash/api'
import type { ModelPrice, TieredPrices } from '@pydantic/genai-prices'
import type { UserPrice } from '../overrides/price-overrides.ts'

/** The list's price by tiers, the lowest first. A tier begins with the first token above its start. */
export function listedTiers({ input_mtok, cache_read_mtok, output_mtok }: ModelPrice): RateTier[] {
  const prices = [input_mtok, cache_read_mtok, output_mtok]
  const starts = new Set(
    prices.flatMap((price) => (isTiered(price) ? price.tiers.map(({ start }) => start) : [])),
  )
  return [0, ...[...starts].sort((a, b) => a - b)].map((aboveInputTokens) => {
    const input = rateAt(input_mtok, aboveInputTokens)
    // A model without a cache rate bills cached tokens like fresh ones.
    const cached = rateAt(cache_read_mtok, aboveInputTokens) ?? input
    return { aboveInputTokens, input, cached, output: rateAt(output_mtok, aboveInputTokens) }
  })
}

export function userTiers({ tiers = [], ...base }: UserPrice): RateTier[] {
  return [{ ...base, aboveInputTokens: 0 }, ...tiers]
    .map(({ aboveInputTokens, inputPerMillion, cachedPerMillion, outputPerMillion }) => ({
      aboveInputTokens,
      input: inputPerMillion,
      cached: cachedPerMillion ?? inputPerMillion,
      output: outputPerMillion,
    }))
    .sort((a, b) => a.aboveInputTokens - b.aboveInputTokens)
}

function rateAt(price: ModelPrice[string], aboveInputTokens: number): number | null {
  if (!isTiered(price)) return price ?? null
  return price.tiers.reduce(
    (rate, { start, price: higher }) => (start <= aboveInputTokens ? higher : rate),
    price.base,
  )
}

function isTiered(price: ModelPrice[string]): price is TieredPrices {
  return typeof price === 'object'
}
