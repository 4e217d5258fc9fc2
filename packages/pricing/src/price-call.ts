import type { TokenUsage } from 'gemini-sessions'
import { findRates } from './find-rates.ts'

export interface PricedCall {
  model: string | null
  usage: TokenUsage
  /** ISO 8601 UTC; null takes today's price. */
  timestamp: string | null
}

/**
 * List price of one model call in USD: (input − cached)·in + cached·cacheRate + (output + thoughts)·out + tool·in,
 * at the tier of the call's input. null where the model or its price is unknown.
 */
export function priceCall({ model, usage, timestamp }: PricedCall): number | null {
  if (model === null || model === '') return null
  const rates = findRates(model, timestamp, usage.input)
  if (rates === null) return null
  // Damaged records can claim more cached than sent tokens.
  const cached = Math.min(usage.cached, usage.input)
  const microUsd =
    (usage.input - cached) * rates.input +
    cached * rates.cached +
    (usage.output + usage.thoughts) * rates.output +
    usage.tool * rates.input
  return microUsd / 1e6
}
