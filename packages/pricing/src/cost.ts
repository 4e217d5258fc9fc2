import type { CostReport, CostTerm, UnknownCostReason, WhatIf } from '@gemini-dash/api'
import { groupBy } from '@gemini-dash/api/group-by'
import {
  addCost,
  type Cost,
  type Message,
  NO_COST,
  NO_USAGE,
  type PriceCall,
  sumUsage,
  type TokenUsage,
} from 'gemini-sessions'
import { type CallPrice, findPrice, listModels, plainModelName, type RateTier } from './models.ts'
import { LIST_PRICES, type PriceOverrides } from './price-overrides.ts'

/** All rates are multiples of 10⁻¹¹ USD per token, so terms and sums are integers in this unit: nothing is rounded. */
const UNITS_PER_USD = 1e11
const UNITS_PER_TOKEN_AND_RATE = 1e5

const BILLED = ['input', 'output', 'cached', 'thoughts', 'tool'] as const

/**
 * How the cost of one model call was calculated: `usd` is the sum of the terms, or null for the given reason; with both, it is only part of
 * the cost.
 */
export interface CostExplanation {
  usd: number | null
  /** null: the cost is complete. */
  reason: UnknownCostReason | null
  /** The recorded name of the model, and the name under which the price is listed. */
  model: { recorded: string | null; priced: string | null }
  price: CallPrice | null
  /** The tier selected by the call's whole input, applied to all its tokens. `upToInputTokens` null: no limit. */
  tier: { aboveInputTokens: number; upToInputTokens: number | null } | null
  /** The products that make up the sum. */
  terms: CostTerm[]
}

/**
 * What a call costs and how it is calculated: the only place where tokens are multiplied by rates. `isLowestTier`: as if its input were
 * small.
 */
export function weighCall(
  { model, usage, timestamp }: PricedCall,
  prices: PriceOverrides = LIST_PRICES,
  { isLowestTier = false } = {},
): CostExplanation {
  const nothing: CostExplanation = {
    usd: null,
    reason: null,
    model: { recorded: model, priced: null },
    price: null,
    tier: null,
    terms: [],
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
  const mixedOutput = found.isOutputMixed === true && usage.output > 0 ? 'mixed-output' : null
  return {
    ...nothing,
    usd,
    reason: found.reason ?? (usd === null ? 'unpriced-model' : (unknownFiguresOf(usage) ?? mixedOutput)),
    model: { recorded: model, priced: found.priced },
    price: found.price,
    tier: rates === undefined ? null : toTier(rates, tiers),
    terms,
  }
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
  // Damaged records can have more cached than sent tokens.
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

/** null if there are tokens without a rate; unused rates may be missing. */
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

function toTier(rates: RateTier, tiers: readonly RateTier[]): CostExplanation['tier'] {
  const upToInputTokens = tiers[tiers.indexOf(rates) + 1]?.aboveInputTokens ?? null
  return { aboveInputTokens: rates.aboveInputTokens, upToInputTokens }
}

export interface PricedCall {
  model: string | null
  /** null: no tokens were recorded. */
  usage: TokenUsage | null
  /** ISO 8601 UTC; null means today's price. */
  timestamp: string | null
}

/**
 * What one model call costs in USD: (input − cached)·in + cached·cacheRate + (output + thoughts)·out + tool·in, at the tier of the call's
 * input and the price on its day. null if unknown.
 */
export function priceCall(call: PricedCall, prices: PriceOverrides = LIST_PRICES): number | null {
  return weighCall(call, prices).usd
}

/** The same for sums over messages. */
export function pricerOf(prices: PriceOverrides = LIST_PRICES): PriceCall {
  const price = (call: PricedCall) => priceCall(call, prices)
  return Object.assign(price, {
    isLeast: (call: PricedCall) => weighCall(call, prices).reason === 'mixed-output',
  })
}

/** Figures about the cost of these calls for a session's header: superseded calls, and cache savings. */
export function costFigures(calls: readonly MessageCall[]): Pick<CostReport, 'superseded' | 'savedByCache'> {
  let savedByCache: Cost = NO_COST
  for (const { message, weighed } of calls) {
    if (message.usage === null) continue
    const usd = savedUsd(weighed)
    savedByCache = addCost(savedByCache, { usd, unpricedCalls: usd === null ? 1 : 0 })
  }
  return { superseded: toSuperseded(calls), savedByCache }
}

function toSuperseded(calls: readonly MessageCall[]): CostReport['superseded'] {
  const groups = groupBy(calls, ({ message }) => message.superseded)
  return [...groups].flatMap(([cause, group]) => (cause === null ? [] : [{ cause, ...sumCalls(group) }]))
}

/** Cached tokens at the fresh rate, minus what they were billed; null if one of the two is unknown. */
function savedUsd({ usd, terms }: CostExplanation): number | null {
  const cached = termOf(terms, 'cached')
  if (usd === null || cached === undefined) return null
  if (cached.tokens === 0) return 0
  const freshRate = termOf(terms, 'input')?.usdPerMillion ?? null
  if (freshRate === null || cached.usdPerMillion === null) return null
  return Math.round(cached.tokens * (freshRate - cached.usdPerMillion) * 1e5) / UNITS_PER_USD
}

function termOf(terms: readonly CostTerm[], kind: CostTerm['kind']): CostTerm | undefined {
  return terms.find((term) => term.kind === kind)
}

/** A message that is a model call, and its cost. */
interface MessageCall {
  message: Message
  /** Its position in the session. */
  offset: number
  weighed: CostExplanation
}

/** The calls among these messages; copies are not counted. `firstOffset`: position of the first message. */
export function weighCalls(
  messages: readonly Message[],
  prices: PriceOverrides = LIST_PRICES,
  firstOffset = 0,
): MessageCall[] {
  const calls: MessageCall[] = []
  for (const [index, message] of messages.entries()) {
    const isCounted = message.copyOf === null && message.billedIn === undefined
    // as in `spentUsage`: Antigravity CLI has a request for the title, which is not an answer
    const isCall = message.origin === 'model' || message.usage !== null
    if (!isCall || !isCounted) continue
    calls.push({ message, offset: firstOffset + index, weighed: weighCall(message, prices) })
  }
  return calls
}

/** Total usage and cost of these calls. A call without recorded tokens is only counted in the usage. */
function sumCalls(calls: readonly MessageCall[]): Pick<CostReport, 'usage' | 'cost'> {
  let cost: Cost = NO_COST
  for (const { message, weighed } of calls) {
    if (message.usage === null) continue
    cost = addCost(cost, { usd: weighed.usd, unpricedCalls: weighed.reason === null ? 0 : 1 })
  }
  return { usage: calls.length === 0 ? NO_USAGE : sumUsage(calls.map(({ message }) => message)), cost }
}

const TERMS = ['input', 'cached', 'output', 'thoughts', 'tool'] as const

/** How the cost of the calls among these messages is calculated. */
export function reportCost(messages: readonly Message[], prices: PriceOverrides = LIST_PRICES): CostReport {
  const calls = weighCalls(messages, prices)
  const counted = calls.filter(({ message }) => message.usage !== null)
  return {
    ...sumCalls(calls),
    rates: toRates(counted),
    unknown: toUnknown(calls),
    ...costFigures(calls),
  }
}

function toRates(calls: readonly MessageCall[]): CostReport['rates'] {
  const priced = calls.filter(({ weighed }) => weighed.usd !== null && weighed.price !== null)
  const groups = groupBy(priced, ({ weighed: { model, price, tier } }) =>
    JSON.stringify([model.recorded, model.priced, price?.source, price?.since, tier?.aboveInputTokens]),
  )
  return [...groups.values()].flatMap((group) => toRate(group)).sort((one, other) => other.usd - one.usd)
}

function toRate(group: readonly MessageCall[]): CostReport['rates'] {
  const { model, price, tier } = group[0]?.weighed ?? {}
  if (model === undefined || price == null || tier == null) return []
  return [
    {
      model: model.recorded,
      priced: model.priced,
      source: price.source,
      edition: price.edition,
      since: price.since,
      aboveInputTokens: tier.aboveInputTokens,
      upToInputTokens: tier.upToInputTokens,
      calls: group.length,
      terms: TERMS.map((kind) =>
        sumTerms(
          group.flatMap(({ weighed }) => weighed.terms).filter((term) => term.kind === kind),
          kind,
        ),
      ),
      usd: sumCalls(group).cost.usd ?? 0,
    },
  ]
}

function sumTerms(terms: readonly CostTerm[], kind: CostTerm['kind']): CostTerm {
  const cost = terms.map(({ usd }): Cost => ({ usd, unpricedCalls: 0 })).reduce(addCost, NO_COST)
  const tokens = terms.reduce((sum, term) => sum + term.tokens, 0)
  return { kind, tokens, usdPerMillion: terms[0]?.usdPerMillion ?? null, usd: cost.usd }
}

function toUnknown(calls: readonly MessageCall[]): CostReport['unknown'] {
  const groups = groupBy(
    calls.filter(({ weighed }) => weighed.reason !== null),
    ({ weighed }) => JSON.stringify([weighed.reason, weighed.model.recorded]),
  )
  return [...groups.values()].flatMap((group) => {
    const { reason, model } = group[0]?.weighed ?? {}
    return reason == null ? [] : [{ reason, model: model?.recorded ?? null, calls: group.length }]
  })
}

type CountedCall = PricedCall & { usage: NonNullable<PricedCall['usage']> }

/** The cost of calls as recorded and under other conditions: without a cache, at the lowest tier, on other models. */
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

/** The same for several sessions together. */
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

/** If a model has no price, all calls of the session count as unpriced. */
function costOn({ onModels, calls }: WhatIf, model: string): Cost {
  return onModels.find((each) => each.model === model)?.cost ?? { usd: null, unpricedCalls: calls }
}
