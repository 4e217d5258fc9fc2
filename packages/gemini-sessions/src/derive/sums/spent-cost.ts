import { type Cost, NO_COST } from '../../model/cost.ts'
import type { Message } from '../../model/message.ts'
import type { PriceCall } from './price-call.ts'

/**
 * Cost of one message. A call without recorded tokens has no price to look up: `callsWithoutTokens` tells of it. Of one with
 * figures that are not known `usd` is what the others cost, and it is counted as unpriced.
 */
export function spentCost(message: Message, priceCall: PriceCall): Cost {
  const { usage, model, timestamp } = message
  if (usage === null || message.copyOf !== null) return NO_COST
  const usd = priceCall({ model, usage, timestamp })
  return { usd, unpricedCalls: usd === null || usage.unknownFigures !== undefined ? 1 : 0 }
}
