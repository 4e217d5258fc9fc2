import {
  ContextXrayBuilder,
  type CostSplit,
  type Message,
  type Session,
  spentMessages,
} from 'gemini-sessions'
import { priceCall } from '../cost/price-call.ts'
import { LIST_PRICES, type PriceOverrides } from '../overrides/price-overrides.ts'
import { splitCalls } from './split-calls.ts'

/** Of a session that is held with all its texts: tells of each message where what it cost went. */
export function splitSession(
  session: Session,
  prices: PriceOverrides = LIST_PRICES,
): (message: Message) => CostSplit | null {
  const messages = spentMessages(session)
  const isPriced = messages.some((message) => message.usage !== null && priceCall(message, prices) !== null)
  if (!isPriced) return () => null
  const builder = new ContextXrayBuilder(session, { hasItems: false })
  builder.add(session.messages)
  // what was sent is asked, not what sending it cost: the calls are priced below
  const xray = builder.finish(() => null)
  const splits = new Map(splitCalls(messages, xray, prices).map(({ message, split }) => [message, split]))
  return (message) => splits.get(message) ?? null
}
