import type { WhatIf } from '@gemini-dash/api'
import { addCost, type Cost, NO_COST } from 'gemini-sessions'
import { listModels } from '../models/list-models.ts'
import { plainModelName } from '../models/model-name.ts'
import { LIST_PRICES, type PriceOverrides } from '../overrides/price-overrides.ts'
import type { PricedCall } from './price-call.ts'
import { weighCall } from './weigh-call.ts'

type CountedCall = PricedCall & { usage: NonNullable<PricedCall['usage']> }

/** The cost of calls as it was and as it would have been: without a cache, below the higher tier, on other models. */
export function whatIf(calls: readonly PricedCall[], prices: PriceOverrides = LIST_PRICES): WhatIf {
  const counted = calls.filter((call): call is CountedCall => call.usage !== null)
  const total = (change: (call: CountedCall) => PricedCall, isLowestTier = false): Cost =>
    counted.map((call) => costOf(change(call), prices, isLowestTier)).reduce(addCost, NO_COST)
  const higher = counted
    .map((call) => weighCall(call, prices).tier?.aboveInputTokens ?? 0)
    .filter((aboveInputTokens) => aboveInputTokens > 0)
  const used = new Set(counted.map(({ model }) => plainModelName(model ?? '')))
  const models = new Set([...listModels(), ...Object.keys(prices.models)])
  const onModels = [...models]
    .map((model) => ({ model, cost: total((call) => ({ ...call, model })), wasUsed: used.has(model) }))
    .filter(({ cost }) => cost.usd !== null)
  return {
    cost: total((call) => call),
    calls: counted.length,
    withoutCache: {
      cost: total((call) => ({ ...call, usage: { ...call.usage, cached: 0 } })),
      cachedTokens: counted.reduce((sum, { usage }) => sum + usage.cached, 0),
    },
    atLowestTier: {
      cost: total((call) => call, true),
      calls: higher.length,
      aboveInputTokens: higher.length === 0 ? null : Math.min(...higher),
    },
    onModels: onModels.sort((one, other) => (one.cost.usd ?? 0) - (other.cost.usd ?? 0)),
  }
}

function costOf(call: PricedCall, prices: PriceOverrides, isLowestTier: boolean): Cost {
  const { usd, reason } = weighCall(call, prices, { isLowestTier })
  return { usd, unpricedCalls: reason === null ? 0 : 1 }
}

/** The same question asked of several sessions at once. */
export function mergeWhatIfs(parts: readonly WhatIf[]): WhatIf {
  const sumOf = (costOf: (part: WhatIf) => Cost) => parts.map(costOf).reduce(addCost, NO_COST)
  const count = (of: (part: WhatIf) => number) => parts.reduce((sum, part) => sum + of(part), 0)
  const tiers = parts.flatMap(({ atLowestTier }) => atLowestTier.aboveInputTokens ?? [])
  const models = new Set(parts.flatMap(({ onModels }) => onModels.map(({ model }) => model)))
  const onModels = [...models].map((model) => ({
    model,
    cost: sumOf((part) => costOn(part, model)),
    wasUsed: parts.some((part) => part.onModels.some((each) => each.model === model && each.wasUsed)),
  }))
  return {
    cost: sumOf(({ cost }) => cost),
    calls: count(({ calls }) => calls),
    withoutCache: {
      cost: sumOf(({ withoutCache }) => withoutCache.cost),
      cachedTokens: count(({ withoutCache }) => withoutCache.cachedTokens),
    },
    atLowestTier: {
      cost: sumOf(({ atLowestTier }) => atLowestTier.cost),
      calls: count(({ atLowestTier }) => atLowestTier.calls),
      aboveInputTokens: tiers.length === 0 ? null : Math.min(...tiers),
    },
    onModels: onModels.sort((one, other) => (one.cost.usd ?? 0) - (other.cost.usd ?? 0)),
  }
}

/** A session for which a model has no price counts all its calls as unpriced there. */
function costOn({ onModels, calls }: WhatIf, model: string): Cost {
  return onModels.find((each) => each.model === model)?.cost ?? { usd: null, unpricedCalls: calls }
}
