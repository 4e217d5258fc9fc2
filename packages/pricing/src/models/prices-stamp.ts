import type { PriceOverrides } from '../overrides/price-overrides.ts'
import { PRICE_LIST } from './price-list.ts'

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
