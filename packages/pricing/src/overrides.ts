// What the user says of prices, apart from the price list itself: that takes long to load.
export { PRICE_LIST } from './models/price-list.ts'
export { pricesStamp } from './models/prices-stamp.ts'
export type { PriceOverrides } from './overrides/price-overrides.ts'
export { LIST_PRICES } from './overrides/price-overrides.ts'
export type { ReadPrices } from './overrides/read-price-overrides.ts'
export { readPriceOverrides } from './overrides/read-price-overrides.ts'
