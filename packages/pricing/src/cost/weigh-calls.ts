import type { CostReport } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { addCost, type Cost, NO_COST, NO_USAGE, sumUsage } from 'gemini-sessions'
import { LIST_PRICES, type PriceOverrides } from '../overrides/price-overrides.ts'
import { type WeighedCall, weighCall } from './weigh-call.ts'

/** A message that is a call of the model, and what it costs. */
export interface MessageCall {
  message: Message
  /** Where it stands in its session. */
  offset: number
  weighed: WeighedCall
}

/** The calls among these messages; a copy is none of its own. `firstOffset`: where the first of them stands. */
export function weighCalls(
  messages: readonly Message[],
  prices: PriceOverrides = LIST_PRICES,
  firstOffset = 0,
): MessageCall[] {
  const calls: MessageCall[] = []
  for (const [index, message] of messages.entries()) {
    const isCounted = message.copyOf === null && message.billedIn === undefined
    if (message.origin !== 'model' || !isCounted) continue
    calls.push({ message, offset: firstOffset + index, weighed: weighCall(message, prices) })
  }
  return calls
}

/** What these calls took in all. A call without recorded tokens is counted by the usage alone. */
export function sumCalls(calls: readonly MessageCall[]): Pick<CostReport, 'usage' | 'cost'> {
  let cost: Cost = NO_COST
  for (const { message, weighed } of calls) {
    if (message.usage === null) continue
    cost = addCost(cost, { usd: weighed.usd, unpricedCalls: weighed.reason === null ? 0 : 1 })
  }
  return { usage: calls.length === 0 ? NO_USAGE : sumUsage(calls.map(({ message }) => message)), cost }
}
