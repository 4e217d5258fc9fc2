import type { Cost } from '../../model/cost.ts'

/** Prices are whole numbers of these per token, so sums of them are exact in whatever order and groups they are added. */
const UNITS_PER_USD = 1e11
/** About 22,500 USD. Beyond it a number can no longer tell neighbouring units apart; then plain sums are the closest. */
const MOST_UNITS = 2 ** 51

/** Sum of two costs; `usd` stays null only while neither holds a price. */
export function addCost(a: Cost, b: Cost): Cost {
  return {
    usd: a.usd === null ? b.usd : addUsd(a.usd, b.usd ?? 0),
    unpricedCalls: a.unpricedCalls + b.unpricedCalls,
  }
}

function addUsd(a: number, b: number): number {
  const units = Math.round(a * UNITS_PER_USD) + Math.round(b * UNITS_PER_USD)
  return Math.abs(units) < MOST_UNITS ? units / UNITS_PER_USD : a + b
}
