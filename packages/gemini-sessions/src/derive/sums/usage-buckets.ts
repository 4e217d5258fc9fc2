import type { Cost } from '../../model/cost.ts'
import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import type { TokenUsage } from '../../model/token-usage.ts'
import { spentMessages } from '../messages/spent-messages.ts'
import { addCost } from './add-cost.ts'
import type { PriceCall } from './price-call.ts'
import { spentCost } from './spent-cost.ts'
import { addUsage, spentUsage } from './sum-usage.ts'

const QUARTER_HOUR_MS = 15 * 60_000

/** What a session spent on one model within a quarter of an hour: every time zone's days are made of these. */
export interface UsageBucket {
  /** ISO 8601, the start of the UTC quarter hour; null if neither the calls nor the session have a time. */
  quarterHour: string | null
  model: string | null
  usage: TokenUsage
  cost: Cost
  /** Where the cost went; left out where nothing is known of that. */
  went?: CostSplit
}

/** What of a cost had a cause of its own, in USD; all else is the rest. */
export interface CostSplit {
  /** Billed, though the CLI dropped it. */
  superseded: number
  /** What a higher rate for long inputs came to on top. */
  tier: number
  /** Results of tools that the call before had sent too: estimated. */
  resent: number
  thoughts: number
}

/** All that the session spent, superseded calls included, copies not. A call without a time counts at the session's start. */
export function usageBuckets(
  session: Session,
  priceCall: PriceCall,
  splitCost: (message: Message) => CostSplit | null = () => null,
): UsageBucket[] {
  const buckets = new Map<string, UsageBucket>()
  for (const message of spentMessages(session)) {
    const usage = spentUsage(message)
    if (usage.calls === 0 && usage.total === 0) continue
    const quarterHour = quarterHourOf(message.timestamp) ?? quarterHourOf(session.startTime)
    const cost = spentCost(message, priceCall)
    const key = `${quarterHour}\n${message.model}`
    const bucket = buckets.get(key)
    const went = addSplits(bucket?.went ?? null, splitCost(message))
    buckets.set(key, {
      quarterHour,
      model: message.model,
      usage: bucket === undefined ? usage : addUsage(bucket.usage, usage),
      cost: bucket === undefined ? cost : addCost(bucket.cost, cost),
      ...(went !== null && { went }),
    })
  }
  return [...buckets.values()]
}

/** Sum of two splits, as exact as that of costs; null while nothing of either had a cause of its own. */
export function addSplits(a: CostSplit | null, b: CostSplit | null): CostSplit | null {
  if (b === null || !(b.superseded > 0 || b.tier > 0 || b.resent > 0 || b.thoughts > 0)) return a
  if (a === null) return b
  const sum = (kind: keyof CostSplit) =>
    addCost({ usd: a[kind], unpricedCalls: 0 }, { usd: b[kind], unpricedCalls: 0 }).usd ?? 0
  return {
    superseded: sum('superseded'),
    tier: sum('tier'),
    resent: sum('resent'),
    thoughts: sum('thoughts'),
  }
}

function quarterHourOf(time: string | null): string | null {
  const timeMs = Date.parse(time ?? '')
  if (Number.isNaN(timeMs)) return null
  return new Date(Math.floor(timeMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS).toISOString()
}
