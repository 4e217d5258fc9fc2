export type { PricedCall } from './cost.ts'
export {
  costFigures,
  explainCost,
  mergeWhatIfs,
  priceCall,
  pricerOf,
  reportCost,
  type WeighedCall,
  weighCall,
  weighCalls,
  whatIf,
} from './cost.ts'
export { contextWindow, listedRates } from './models.ts'
export type { PriceOverrides } from './price-overrides.ts'
export { LIST_PRICES } from './price-overrides.ts'
export { ReasonFinder } from './why/reason-finder.ts'
