import type { Cost } from '../../model/cost.ts'
import type { Session } from '../../model/session.ts'
import type { TokenUsage } from '../../model/token-usage.ts'
import { spentMessages } from '../messages/spent-messages.ts'
import { addCost } from './add-cost.ts'
import { addUsage } from './add-usage.ts'
import type { PriceCall } from './price-call.ts'
import { spentCost } from './spent-cost.ts'
import { spentUsage } from './spent-usage.ts'

const QUARTER_HOUR_MS = 15 * 60_000

/** What a session spent on one model within a quarter of an hour: every time zone's days are made of these. */
export interface UsageBucket {
  /** ISO 8601, the start of the UTC quarter hour; null if neither the calls nor the session have a time. */
  quarterHour: string | null
  model: string | null
  usage: TokenUsage
  cost: Cost
}

/** All that the session spent, superseded calls included, copies not. A call without a time counts at the session's start. */
export function usageBuckets(session: Session, priceCall: PriceCall): UsageBucket[] {
  const buckets = new Map<string, UsageBucket>()
  for (const message of spentMessages(session)) {
    const usage = spentUsage(message)
    if (usage.calls === 0 && usage.total === 0) continue
    const quarterHour = quarterHourOf(message.timestamp) ?? quarterHourOf(session.startTime)
    const cost = spentCost(message, priceCall)
    const key = `${quarterHour}\n${message.model}`
    const bucket = buckets.get(key)
    buckets.set(
      key,
      bucket === undefined
        ? { quarterHour, model: message.model, usage, cost }
        : { ...bucket, usage: addUsage(bucket.usage, usage), cost: addCost(bucket.cost, cost) },
    )
  }
  return [...buckets.values()]
}

function quarterHourOf(time: string | null): string | null {
  const timeMs = Date.parse(time ?? '')
  if (Number.isNaN(timeMs)) return null
  return new Date(Math.floor(timeMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS).toISOString()
}
