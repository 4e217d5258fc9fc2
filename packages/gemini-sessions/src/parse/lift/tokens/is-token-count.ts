/** JSON can hold negative numbers and, as `1e999`, infinity; neither counts anything. */
export function isTokenCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
}
