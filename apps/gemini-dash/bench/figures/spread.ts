export interface Spread {
  median: number
  p95: number
  p99: number
  lowest: number
  highest: number
  runs: number
}

/** Percentiles by the nearest-rank method: each is a measured value. null without values. */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = (share: number): number =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
  if (sorted.length === 0) return null
  return {
    median: rank(0.5),
    p95: rank(0.95),
    p99: rank(0.99),
    lowest: rank(0),
    highest: rank(1),
    runs: sorted.length,
  }
}
