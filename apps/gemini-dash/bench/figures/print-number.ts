/** Three digits, as more would not come out the same the next time. */
export function printNumber(value: number): string {
  const size = Math.abs(value)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}
