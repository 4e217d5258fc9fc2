// The user's price settings, without the price list, which takes long to load.

export type { PriceOverrides } from './price-overrides.ts'
export { LIST_PRICES } from './price-overrides.ts'
export { PRICE_LIST, pricesStamp } from './prices-stamp.ts'
export type { ReadPrices } from './read-price-overrides.ts'
export { readPriceOverrides } from './read-price-overrides.ts'
