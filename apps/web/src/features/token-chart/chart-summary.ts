import { formatPlural, formatTokens } from '../../lib/figures/format.ts'
import type { ChartCall } from './geometry/chart-call.ts'

/** The chart in a sentence, for who does not see it. */
export function chartSummary(calls: readonly ChartCall[], hasPrices: boolean): string {
  const peak = calls.reduce((max, call) => Math.max(max, call.usage?.input ?? 0), 0)
  const tokens = `Tokens of each of ${formatPlural(calls.length, 'model call')}.`
  return `${tokens} Output stands above the ruler, input hangs below it; below ${hasPrices ? 'are the context and the cost as they' : 'is the context as it'} grew. The context peaks at ${formatTokens(peak)}.`
}
