import type { CostExplanation, RateTier, UnknownCostReason } from '@gemini-dash/api'
import type { ModelPrice, TieredPrices } from '@pydantic/genai-prices'
import type { PriceOverrides, UserPrice } from '../overrides/price-overrides.ts'
import { findListedModel } from './find-listed-model.ts'
import { isRoutingName, plainModelName } from './model-name.ts'
import { PRICE_LIST } from './price-list.ts'

/** What is known of a model's price on a day. Without `price`, `reason` says why. */
export interface FoundPrice {
  model: Omit<CostExplanation['model'], 'recorded'>
  price: CostExplanation['price']
  reason: UnknownCostReason | null
}

const LIST_EDITION = `${PRICE_LIST.name} ${PRICE_LIST.version} of ${PRICE_LIST.date}`
const USER_EDITION = 'prices.json'

/** Prices that were looked up, and the user's words by plain names. A long history asks the same questions often. */
interface Known {
  found: Map<string, FoundPrice>
  aliases: ReadonlyMap<string, string>
  models: ReadonlyMap<string, UserPrice>
}
const knownByPrices = new WeakMap<PriceOverrides, Known>()

/** The price of a model on a day (`2026-11-22`): the user's, else the list's; under the recorded name, else its alias. */
export function findPrice(recorded: string, day: string, prices: PriceOverrides): FoundPrice {
  const known = knownOf(prices)
  const key = `${day}\n${recorded}`
  let found = known.found.get(key)
  if (found === undefined) {
    found = lookUp(recorded, day, known)
    known.found.set(key, found)
  }
  return found
}

function knownOf(prices: PriceOverrides): Known {
  let known = knownByPrices.get(prices)
  if (known === undefined) {
    known = { found: new Map(), aliases: byPlainName(prices.aliases), models: byPlainName(prices.models) }
    knownByPrices.set(prices, known)
  }
  return known
}

function byPlainName<T>(values: Record<string, T>): Map<string, T> {
  return new Map(Object.entries(values).map(([name, value]) => [plainModelName(name), value]))
}

function lookUp(recorded: string, day: string, known: Known): FoundPrice {
  const alias = known.aliases.get(plainModelName(recorded)) ?? null
  const own = known.models.get(plainModelName(recorded))
  if (alias === null || (own !== undefined && holds(own, day))) return priceOf(recorded, null, day, known)
  return priceOf(alias, alias, day, known)
}

function priceOf(name: string, alias: string | null, day: string, known: Known): FoundPrice {
  const plainName = plainModelName(name)
  const own = known.models.get(plainName)
  if (own !== undefined && holds(own, day)) {
    const price = { edition: USER_EDITION, day, since: own.from ?? null, tiers: userTiers(own) }
    return {
      model: { alias, priced: plainName, match: 'name' },
      price: { source: 'user', ...price },
      reason: null,
    }
  }
  const listed = findListedModel(plainName, day)
  if (listed === null) {
    const reason = isRoutingName(plainName) ? 'routing-name' : 'unknown-model'
    return { model: { alias, priced: null, match: null }, price: null, reason }
  }
  const { id: priced, match, since } = listed
  const tiers = listedTiers(listed.price)
  // Open-weight models are listed without any price: that is unknown, not free.
  if (tiers.every(({ input, output }) => input === null && output === null))
    return { model: { alias, priced, match }, price: null, reason: 'unpriced-model' }
  const price = { source: 'list' as const, edition: LIST_EDITION, day, since, tiers }
  return { model: { alias, priced, match }, price, reason: null }
}

function holds({ from }: UserPrice, day: string): boolean {
  return from === undefined || day >= from
}

/** The list's price by tiers, the lowest first. A tier begins with the first token above its start. */
function listedTiers({ input_mtok, cache_read_mtok, output_mtok }: ModelPrice): RateTier[] {
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

function userTiers({ tiers = [], ...base }: UserPrice): RateTier[] {
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
