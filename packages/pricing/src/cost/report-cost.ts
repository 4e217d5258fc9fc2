import type { CostReport, CostTerm } from '@gemini-dash/api'
import { groupBy } from '@gemini-dash/api/group-by'
import { addCost, type Cost, type Message, NO_COST } from 'gemini-sessions'
import { LIST_PRICES, type PriceOverrides } from '../overrides/price-overrides.ts'
import { costFigures } from './cost-figures.ts'
import { type MessageCall, sumCalls, weighCalls } from './weigh-calls.ts'

const MOST_CALLS = 100
const TERMS = ['input', 'cached', 'output', 'thoughts', 'tool'] as const

/** How the cost of the calls among these messages came about. `firstOffset`: where the first of them stands in its session. */
export function reportCost(
  messages: readonly Message[],
  prices: PriceOverrides = LIST_PRICES,
  firstOffset = 0,
): CostReport {
  const calls = weighCalls(messages, prices, firstOffset)
  const counted = calls.filter(({ message }) => message.usage !== null)
  return {
    ...sumCalls(calls),
    rates: toRates(counted),
    unknown: toUnknown(calls),
    ...costFigures(calls),
    calls: [...calls].sort(mostSpentFirst).slice(0, MOST_CALLS).map(toRow),
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

function mostSpentFirst(one: MessageCall, other: MessageCall): number {
  const costs = (other.weighed.usd ?? -1) - (one.weighed.usd ?? -1)
  return costs || (other.message.usage?.total ?? 0) - (one.message.usage?.total ?? 0)
}

function toRow({ message, offset, weighed }: MessageCall): CostReport['calls'][number] {
  const { key: messageKey, timestamp, model, superseded, usage, source } = message
  const { usd, terms, tier } = weighed
  return {
    messageKey,
    offset,
    timestamp,
    model,
    superseded,
    usage,
    usd,
    aboveInputTokens: tier?.aboveInputTokens ?? 0,
    terms,
    source,
  }
}
