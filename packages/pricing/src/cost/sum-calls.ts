import type { CostReport } from '@gemini-dash/api'
import { addCost, type Cost, NO_COST, NO_USAGE, sumUsage } from 'gemini-sessions'
import type { MessageCall } from './weigh-calls.ts'

/** What these calls took in all. A call without recorded tokens is counted by the usage alone. */
export function sumCalls(calls: readonly MessageCall[]): Pick<CostReport, 'usage' | 'cost'> {
  let cost: Cost = NO_COST
  for (const { message, weighed } of calls) {
    if (message.usage === null) continue
    cost = addCost(cost, { usd: weighed.usd, unpricedCalls: weighed.usd === null ? 1 : 0 })
  }
  return { usage: calls.length === 0 ? NO_USAGE : sumUsage(calls.map(({ message }) => message)), cost }
}
