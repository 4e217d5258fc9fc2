import type { SessionWhatIf } from '@gemini-dash/api'
import type { Cost } from 'gemini-sessions'
import { formatCount, formatPlural, formatTokens } from '../../lib/figures/format.ts'

export interface WhatIfRow {
  key: string
  name: string
  note: string | null
  cost: Cost
  /** Against what it cost; null where one of the two is not known, or where they are not of the same calls. */
  changeUsd: number | null
  /** Told first: what of it was, or what could have been done here. */
  isMain: boolean
}

/** What it cost, and what the same tokens would have cost otherwise. What would change nothing is left out. */
export function toWhatIfRows({
  cost,
  calls,
  withoutCache,
  atLowestTier,
  onModels,
}: SessionWhatIf): WhatIfRow[] {
  const row = (key: string, name: string, note: string | null, other: Cost, isMain = true): WhatIfRow => ({
    key,
    name,
    note,
    cost: other,
    changeUsd: changeBetween(cost, other),
    isMain,
  })
  const { aboveInputTokens } = atLowestTier
  return [
    { key: 'real', name: 'As it was', note: null, cost, changeUsd: null, isMain: true },
    ...(withoutCache.cachedTokens > 0
      ? [
          row(
            'cache',
            'Without a cache',
            `${formatTokens(withoutCache.cachedTokens)} cached tokens as fresh ones`,
            withoutCache.cost,
          ),
        ]
      : []),
    ...(aboveInputTokens !== null
      ? [
          row(
            'tier',
            `Every call under ${formatCount(aboveInputTokens)} input tokens`,
            `${formatCount(atLowestTier.calls)} of ${formatPlural(calls, 'call')} sent more, at a higher rate`,
            atLowestTier.cost,
          ),
        ]
      : []),
    ...onModels.map(({ model, cost: other, wasUsed }) =>
      row(model, `On ${model}`, wasUsed ? 'used here' : null, other, wasUsed),
    ),
  ]
}

function changeBetween(real: Cost, other: Cost): number | null {
  if (real.usd === null || other.usd === null || real.unpricedCalls !== other.unpricedCalls) return null
  return other.usd - real.usd
}
