import type { Message } from '../../model/message.ts'
import type { PriceCall } from './price-call.ts'
import { spentCost } from './spent-cost.ts'

/** The messages with `cost` set where tokens are recorded. */
export function priceMessages(messages: readonly Message[], priceCall: PriceCall): Message[] {
  return messages.map((message) =>
    message.usage === null ? message : { ...message, cost: spentCost(message, priceCall) },
  )
}
