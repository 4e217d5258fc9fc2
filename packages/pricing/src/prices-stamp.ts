import { PRICE_LIST } from './price-list.ts'
import type { PriceOverrides } from './price-overrides.ts'

/** Changes when the same call may cost something else: with the edition of the list, and with the user's words. */
export function pricesStamp(prices: PriceOverrides): string {
  return JSON.stringify([PRICE_LIST.version, prices])
}
