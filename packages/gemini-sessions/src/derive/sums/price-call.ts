import type { Message } from '../../model/message.ts'
import type { TokenUsage } from '../../model/token-usage.ts'
import { spentCost } from './spent-cost.ts'

/** List price of one model call in USD; null where it is unknown. Handed in, so that this package knows no prices. */
export type PriceCall = (call: {
  model: string | null
  usage: TokenUsage
  /** ISO 8601 UTC: prices change with time. */
  timestamp: string | null
}) => number | null

/** The messages with `cost` set where tokens are recorded. */
export function priceMessages(messages: readonly Message[], priceCall: PriceCall): Message[] {
  return messages.map((message) =>
    message.usage === null ? message : { ...message, cost: spentCost(message, priceCall) },
  )
}
