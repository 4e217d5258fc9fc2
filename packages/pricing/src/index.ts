export type { PricedCall } from './cost.ts'
export {
  costFigures,
  mergeWhatIfs,
  priceCall,
  pricerOf,
  reportCost,
  weighCall,
  weighCalls,
  whatIf,
} from './cost.ts'
export { contextWindow, listedRates } from './models.ts'
export type { PriceOverrides } from './price-overrides.ts'
export { LIST_PRICES } from './price-overrides.ts'
export { ReasonFinder } from './why/reason-finder.ts'
