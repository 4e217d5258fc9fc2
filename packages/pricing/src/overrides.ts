// What the user says of prices, apart from the price list itself: that takes long to load.

export type { PriceOverrides } from './price-overrides.ts'
export { LIST_PRICES } from './price-overrides.ts'
export { PRICE_LIST, pricesStamp } from './prices-stamp.ts'
export type { ReadPrices } from './read-price-overrides.ts'
export { readPriceOverrides } from './read-price-overrides.ts'
