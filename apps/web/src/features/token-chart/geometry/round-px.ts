/** A tenth of a pixel is as fine as anybody sees. */
export function roundPx(value: number): number {
  return Math.round(value * 10) / 10
}
