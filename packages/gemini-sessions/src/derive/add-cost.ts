import type { Cost } from '../model/cost.ts'

/** Sum of two costs; `usd` stays null only while neither holds a price. */
export function addCost(a: Cost, b: Cost): Cost {
  return {
    usd: a.usd === null ? b.usd : a.usd + (b.usd ?? 0),
    unpricedCalls: a.unpricedCalls + b.unpricedCalls,
  }
}
