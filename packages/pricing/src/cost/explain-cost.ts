import type { CostExplanation, CostTerm } from '@gemini-dash/api'
import { formatCount } from '@gemini-dash/api/figures'
import { LIST_PRICES, type PriceOverrides } from '../overrides/price-overrides.ts'
import type { PricedCall } from './price-call.ts'
import { weighCall } from './weigh-call.ts'

/** The cost of a call and everything that it follows from: model, price, tier, terms; or why it is not known. */
export function explainCost(call: PricedCall, prices: PriceOverrides = LIST_PRICES): CostExplanation {
  const weighed = weighCall(call, prices)
  return { ...weighed, formula: weighed.usd === null ? null : toFormula(weighed.terms) }
}

/** `600 × $1.25 + 400 × $0.125 + 50 × $10, per million tokens` */
function toFormula(terms: readonly CostTerm[]): string {
  const products = terms.flatMap(({ tokens, usdPerMillion }) =>
    tokens === 0 ? [] : [`${formatCount(tokens)} × $${usdPerMillion}`],
  )
  return `${products.join(' + ')}, per million tokens`
}
