// What the user says of prices, apart from the price list itself: that takes long to load.
export { PRICE_LIST } from './price-list.ts'
export type { PriceOverrides } from './price-overrides.ts'
export { LIST_PRICES } from './price-overrides.ts'
export { pricesStamp } from './prices-stamp.ts'
export type { ReadPrices } from './read-price-overrides.ts'
export { readPriceOverrides } from './read-price-overrides.ts'
