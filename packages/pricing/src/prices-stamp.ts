import type { PriceOverrides } from './price-overrides.ts'

const stamps = new WeakMap<PriceOverrides, string>()

/** Changes when the same call may cost something else: with the edition of the list, and with the user's words. */
export function pricesStamp(prices: PriceOverrides): string {
  let stamp = stamps.get(prices)
  if (stamp === undefined) {
    stamp = JSON.stringify([PRICE_LIST.version, prices])
    stamps.set(prices, stamp)
  }
  return stamp
}

/** The list that is used offline: which package, and of which day. Prices found with another edition may differ. */
export const PRICE_LIST = {
  name: '@pydantic/genai-prices',
  version: '0.1.8',
  date: '2026-09-23',
} as const
