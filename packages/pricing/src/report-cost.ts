import type { CostReport, CostTerm } from '@gemini-dash/api'
import { addCost, type Cost, type Message, NO_COST, NO_USAGE, sumUsage } from 'gemini-sessions'
import { groupBy } from './group-by.ts'
import { LIST_PRICES, type PriceOverrides } from './price-overrides.ts'
import { type WeighedCall, weighCall } from './weigh-call.ts'

const MOST_CALLS = 100
const TERMS = ['input', 'cached', 'output', 'thoughts', 'tool'] as const
const UNITS_PER_USD = 1e11

interface Call {
  message: Message
  offset: number
  weighed: WeighedCall
}

/** How the cost of the calls among these messages came about. `firstOffset`: where the first of them stands in its session. */
export function reportCost(
  messages: readonly Message[],
  prices: PriceOverrides = LIST_PRICES,
  firstOffset = 0,
): CostReport {
  const calls = messages.flatMap((message, index): Call[] =>
    message.origin === 'model' && message.copyOf === null
      ? [{ message, offset: firstOffset + index, weighed: weighCall(message, prices) }]
      : [],
  )
  const counted = calls.filter(({ message }) => message.usage !== null)
  return {
    usage: usageOf(calls),
    cost: costOf(calls),
    rates: toRates(counted),
    unknown: toUnknown(calls),
    superseded: toSuperseded(calls),
    savedByCache: toSaved(counted, prices),
    calls: [...calls]
      .sort((one, other) => (other.weighed.usd ?? -1) - (one.weighed.usd ?? -1))
      .slice(0, MOST_CALLS)
      .map(toRow),
  }
}

function usageOf(calls: readonly Call[]): CostReport['usage'] {
  return calls.length === 0 ? NO_USAGE : sumUsage(calls.map(({ message }) => message))
}

/** A call without recorded tokens is counted by the usage, not here. */
function costOf(calls: readonly Call[]): Cost {
  return calls
    .filter(({ message }) => message.usage !== null)
    .map(({ weighed: { usd } }): Cost => ({ usd, unpricedCalls: usd === null ? 1 : 0 }))
    .reduce(addCost, NO_COST)
}

function toRates(calls: readonly Call[]): CostReport['rates'] {
  const priced = calls.filter(({ weighed }) => weighed.usd !== null && weighed.price !== null)
  const groups = groupBy(priced, ({ weighed: { model, price, tier } }) =>
    JSON.stringify([model.recorded, model.priced, price?.source, price?.since, tier?.aboveInputTokens]),
  )
  return [...groups.values()].flatMap((group) => toRate(group)).sort((one, other) => other.usd - one.usd)
}

function toRate(group: readonly Call[]): CostReport['rates'] {
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
      usd: costOf(group).usd ?? 0,
    },
  ]
}

function sumTerms(terms: readonly CostTerm[], kind: CostTerm['kind']): CostTerm {
  const cost = terms.map(({ usd }): Cost => ({ usd, unpricedCalls: 0 })).reduce(addCost, NO_COST)
  const tokens = terms.reduce((sum, term) => sum + term.tokens, 0)
  return { kind, tokens, usdPerMillion: terms[0]?.usdPerMillion ?? null, usd: cost.usd }
}

function toUnknown(calls: readonly Call[]): CostReport['unknown'] {
  const groups = groupBy(
    calls.filter(({ weighed }) => weighed.usd === null),
    ({ weighed }) => JSON.stringify([weighed.reason, weighed.model.recorded]),
  )
  return [...groups.values()].flatMap((group) => {
    const { reason, model } = group[0]?.weighed ?? {}
    return reason == null ? [] : [{ reason, model: model?.recorded ?? null, calls: group.length }]
  })
}

function toSuperseded(calls: readonly Call[]): CostReport['superseded'] {
  const groups = groupBy(calls, ({ message }) => message.superseded)
  return [...groups].flatMap(([cause, group]) =>
    cause === null ? [] : [{ cause, usage: usageOf(group), cost: costOf(group) }],
  )
}

function toSaved(calls: readonly Call[], prices: PriceOverrides): Cost {
  return calls
    .map(({ message, weighed: { usd } }): Cost => {
      const { usage } = message
      const fresh =
        usage === null ? null : weighCall({ ...message, usage: { ...usage, cached: 0 } }, prices).usd
      if (usd === null || fresh === null) return { usd: null, unpricedCalls: 1 }
      return { usd: Math.round((fresh - usd) * UNITS_PER_USD) / UNITS_PER_USD, unpricedCalls: 0 }
    })
    .reduce(addCost, NO_COST)
}

function toRow({ message, offset, weighed }: Call): CostReport['calls'][number] {
  const { key: messageKey, timestamp, model, superseded, source } = message
  const { usd, terms, tier } = weighed
  return {
    messageKey,
    offset,
    timestamp,
    model,
    superseded,
    usd,
    aboveInputTokens: tier?.aboveInputTokens ?? 0,
    terms,
    source,
  }
}
