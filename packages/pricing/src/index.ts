export type { Rates } from './find-rates.ts'
export { findRates } from './find-rates.ts'
export type { PricedCall } from './price-call.ts'
export { priceCall } from './price-call.ts'
