/** `830 B`, `84 KB`, `2.1 MB`: the same on the page and in a terminal. */
export function formatSize(sizeBytes: number): string {
  if (sizeBytes < 1_000) return `${sizeBytes} B`
  if (sizeBytes < 999_500) return `${Math.max(1, Math.round(sizeBytes / 1e3))} KB`
  if (sizeBytes < 999_500_000) return `${threeFigures(sizeBytes / 1e6)} MB`
  return `${threeFigures(sizeBytes / 1e9)} GB`
}

/** `4.18`, `41.8`, `418`; no zeros behind the point. */
export function threeFigures(value: number): string {
  return trimZero(value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0))
}

/** `2.0` as `2`, but `1.40` as `1.4` and `20` as `20`. */
export function trimZero(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
}
