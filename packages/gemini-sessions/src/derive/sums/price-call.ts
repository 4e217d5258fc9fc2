import type { TokenUsage } from '../../model/token-usage.ts'

/** List price of one model call in USD; null where it is unknown. Handed in, so that this package knows no prices. */
export type PriceCall = (call: {
  model: string | null
  usage: TokenUsage
  /** ISO 8601 UTC: prices change with time. */
  timestamp: string | null
}) => number | null
