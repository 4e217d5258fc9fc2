/** Three digits: further ones are not reproducible. */
export function printNumber(value: number): string {
  const size = Math.abs(value)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}
