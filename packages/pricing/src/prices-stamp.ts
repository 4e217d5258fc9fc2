import type { PriceOverrides } from './price-overrides.ts'

const stamps = new WeakMap<PriceOverrides, string>()

/** Changes if the price of a call may change: with the edition of the list, and with the user's settings. */
export function pricesStamp(prices: PriceOverrides): string {
  let stamp = stamps.get(prices)
  if (stamp === undefined) {
    stamp = JSON.stringify([PRICE_LIST.version, prices])
    stamps.set(prices, stamp)
  }
  return stamp
}

/** Package and date of the offline price list. Other editions may have other prices. */
export const PRICE_LIST = {
  name: '@pydantic/genai-prices',
  version: '0.1.8',
  date: '2026-09-23',
} as const
