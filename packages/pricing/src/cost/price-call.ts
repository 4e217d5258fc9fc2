import type { TokenUsage } from 'gemini-sessions'
import { LIST_PRICES, type PriceOverrides } from '../overrides/price-overrides.ts'
import { weighCall } from './weigh-call.ts'

export interface PricedCall {
  model: string | null
  /** null: no tokens were recorded. */
  usage: TokenUsage | null
  /** ISO 8601 UTC; null takes today's price. */
  timestamp: string | null
}

/**
 * What one model call costs in USD: (input − cached)·in + cached·cacheRate + (output + thoughts)·out + tool·in, at the
 * tier of the call's input and the price of its day. null where that is not known.
 */
export function priceCall(call: PricedCall, prices: PriceOverrides = LIST_PRICES): number | null {
  return weighCall(call, prices).usd
}
