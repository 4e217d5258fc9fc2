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
  const { usd } = weighCall(call, prices, { isLowestTier })
  return { usd, unpricedCalls: usd === null ? 1 : 0 }
}
