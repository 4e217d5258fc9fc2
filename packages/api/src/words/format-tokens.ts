import { threeFigures, trimZero } from './format-size.ts'

/** `512`, `4.5k`, `359k`, `2.69M`: the same on the page and in a terminal; the exact figure belongs beside it or into the title. */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) return String(Math.round(tokens))
  // 999,950 would be written 1000.0k
  if (tokens < 99_950) return `${trimZero((tokens / 1e3).toFixed(1))}k`
  if (tokens < 999_500) return `${(tokens / 1e3).toFixed(0)}k`
  if (tokens < 999_500_000) return `${threeFigures(tokens / 1e6)}M`
  // no session has so many: a broken record, told as what it says without breaking the page
  return tokens < 1e12 ? `${threeFigures(tokens / 1e9)}B` : tokens.toExponential(1)
}
