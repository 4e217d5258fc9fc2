import type { WhatIf } from '@gemini-dash/api'
import { addCost, type Cost, NO_COST } from 'gemini-sessions'

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
