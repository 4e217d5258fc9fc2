/** All digits that a price has, at least two: `$0.00135`, `$1.20`. Prices are whole units of 10⁻¹¹ USD. */
export function exactUsd(usd: number): string {
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 11 })}`
}
