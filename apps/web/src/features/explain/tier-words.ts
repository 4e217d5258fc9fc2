import { formatCount } from '../../lib/figures/format.ts'

/** `for calls of at most 200,000 input tokens`; '' where one price holds for all. */
export function tierWords(aboveInputTokens: number, upToInputTokens: number | null): string {
  if (aboveInputTokens > 0) return `for calls of more than ${formatCount(aboveInputTokens)} input tokens`
  return upToInputTokens === null ? '' : `for calls of at most ${formatCount(upToInputTokens)} input tokens`
}
