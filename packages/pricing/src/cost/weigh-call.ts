import type { CostExplanation, CostTerm, RateTier, UnknownCostReason } from '@gemini-dash/api'
import type { TokenUsage } from 'gemini-sessions'
import { findPrice } from '../models/find-price.ts'
import { LIST_PRICES, type PriceOverrides } from '../overrides/price-overrides.ts'
import type { PricedCall } from './price-call.ts'

/** All rates are whole units of 10⁻¹¹ USD per token, so terms and sums are whole numbers of units: nothing is rounded. */
const UNITS_PER_USD = 1e11
const UNITS_PER_TOKEN_AND_RATE = 1e5

const BILLED = ['input', 'output', 'cached', 'thoughts', 'tool'] as const

export type WeighedCall = Omit<CostExplanation, 'formula'>

/** What a call costs and how that comes about: the one place where tokens are multiplied with rates. `isLowestTier`: as if it had sent little. */
export function weighCall(
  { model, usage, timestamp }: PricedCall,
  prices: PriceOverrides = LIST_PRICES,
  { isLowestTier = false } = {},
): WeighedCall {
  const nothing: WeighedCall = {
    usd: null,
    reason: null,
    model: { recorded: model, alias: null, priced: null, match: null },
    price: null,
    tier: null,
    terms: [],
    unexplainedTokens: usage === null ? 0 : unexplainedOf(usage),
  }
  if (prices.plan === 'nothing') return { ...nothing, reason: 'plan' }
  if (usage === null) return { ...nothing, reason: 'no-tokens' }
  const unusable = whyNotCountable(usage)
  if (unusable !== null) return { ...nothing, reason: unusable }
  const day = dayOf(timestamp)
  if (day === null) return { ...nothing, reason: 'bad-time' }
  if (model === null || model.trim() === '') return { ...nothing, reason: 'no-model' }
  const found = findPrice(model, day, prices)
  const tiers = found.price?.tiers ?? []
  const ownTier = tiers.findLast(({ aboveInputTokens }) => usage.input > aboveInputTokens)
  const rates = isLowestTier ? tiers[0] : (ownTier ?? tiers[0])
  const terms = toTerms(usage, rates)
  const usd = sum(terms)
  return {
    ...nothing,
    usd,
    reason: found.reason ?? (usd === null ? 'unpriced-model' : unknownFiguresOf(usage)),
    model: { recorded: model, ...found.model },
    price: found.price,
    tier: rates === undefined ? null : toTier(rates, tiers, usage.input),
    terms,
  }
}

function unexplainedOf({ total, input, output, thoughts, tool }: TokenUsage): number {
  const unexplained = total - input - output - thoughts - tool
  return Number.isFinite(unexplained) ? unexplained : 0
}

function whyNotCountable(usage: TokenUsage): UnknownCostReason | null {
  if (BILLED.some((name) => !Number.isSafeInteger(usage[name]) || usage[name] < 0)) return 'bad-numbers'
  if (BILLED.some((name) => usage[name] > 0)) return null
  return unknownFiguresOf(usage) ?? (usage.total > 0 ? 'no-breakdown' : 'no-tokens')
}

function unknownFiguresOf({ unknownFigures }: TokenUsage): UnknownCostReason | null {
  return unknownFigures === undefined ? null : 'unknown-figures'
}

/** Prices change at midnight UTC. A call without a time gets today's. */
function dayOf(timestamp: string | null): string | null {
  const day = (timestamp ?? new Date().toISOString()).slice(0, 10)
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : null
}

function toTerms(usage: TokenUsage, rates: RateTier | undefined): CostTerm[] {
  const { input = null, cached = null, output = null } = rates ?? {}
  // Damaged records can claim more cached than sent tokens.
  const cachedTokens = Math.min(usage.cached, usage.input)
  return [
    toTerm('input', usage.input - cachedTokens, input),
    toTerm('cached', cachedTokens, cached),
    toTerm('output', usage.output, output),
    toTerm('thoughts', usage.thoughts, output),
    toTerm('tool', usage.tool, input),
  ]
}

function toTerm(kind: CostTerm['kind'], tokens: number, usdPerMillion: number | null): CostTerm {
  return {
    kind,
    tokens,
    usdPerMillion,
    usd: usdPerMillion === null ? null : (tokens * unitsPerToken(usdPerMillion)) / UNITS_PER_USD,
  }
}

/** null as soon as there are tokens without a rate; a rate that nothing asks for may be missing. */
function sum(terms: readonly CostTerm[]): number | null {
  let units = 0
  for (const { tokens, usdPerMillion } of terms) {
    if (usdPerMillion !== null) units += tokens * unitsPerToken(usdPerMillion)
    else if (tokens > 0) return null
  }
  return units / UNITS_PER_USD
}

function unitsPerToken(usdPerMillion: number): number {
  return Math.round(usdPerMillion * UNITS_PER_TOKEN_AND_RATE)
}

function toTier(rates: RateTier, tiers: readonly RateTier[], inputTokens: number): CostExplanation['tier'] {
  const upToInputTokens = tiers[tiers.indexOf(rates) + 1]?.aboveInputTokens ?? null
  return { aboveInputTokens: rates.aboveInputTokens, upToInputTokens, inputTokens }
}
