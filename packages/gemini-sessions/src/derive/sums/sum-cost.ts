import { type Cost, NO_COST } from '../../model/cost.ts'
import type { Message } from '../../model/message.ts'
import { addCost } from './add-cost.ts'
import type { PriceCall } from './price-call.ts'
import { spentCost } from './spent-cost.ts'

/** Cost of all that these messages spent. */
export function sumCost(messages: Iterable<Message>, priceCall: PriceCall): Cost {
  let sum = NO_COST
  for (const message of messages) sum = addCost(sum, spentCost(message, priceCall))
  return sum
}
