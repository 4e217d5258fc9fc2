import type { Message, Session } from '../model/message.ts'
import type { SessionFailures } from '../model/session-summary.ts'
import { type Cost, NO_COST, NO_USAGE, type TokenUsage } from '../model/usage.ts'
import { spentMessages } from './messages.ts'

/** List price of one model call in USD; null if unknown. Passed in, so that this package needs no prices. */
export interface PriceCall {
  (call: CallToPrice): number | null
  /** Whether the price is a lower bound; left out: never. */
  isLeast?: (call: CallToPrice) => boolean
}

interface CallToPrice {
  model: string | null
  usage: TokenUsage
  /** ISO 8601 UTC: prices change with time. */
  timestamp: string | null
}

/** The messages with `cost` set if tokens are recorded. */
export function priceMessages(messages: readonly Message[], priceCall: PriceCall): Message[] {
  return messages.map((message) =>
    message.usage === null ? message : { ...message, cost: spentCost(message, priceCall) },
  )
}

/**
 * Cost of one message. A call without recorded tokens has no price to look up; it is counted in `callsWithoutTokens`. For one with unknown
 * figures, or with a lower bound only, `usd` is the known part, and it counts as unpriced.
 */
export function spentCost(message: Message, priceCall: PriceCall): Cost {
  const { usage, model, timestamp } = message
  if (usage === null || message.copyOf !== null) return NO_COST
  const call = { model, usage, timestamp }
  const usd = priceCall(call)
  const isWhole = usd !== null && usage.unknownFigures === undefined && priceCall.isLeast?.(call) !== true
  return { usd, unpricedCalls: isWhole ? 0 : 1 }
}

/** Prices are integers in this unit per token, so sums of them are exact in any order and grouping. */
const UNITS_PER_USD = 1e11
/** About 22,500 USD. Above it adjacent units are no longer distinct numbers; plain sums are then the closest. */
const MOST_UNITS = 2 ** 51

/** Sum of two costs; `usd` is null only if neither has a price. */
export function addCost(a: Cost, b: Cost): Cost {
  return {
    usd: a.usd === null ? b.usd : addUsd(a.usd, b.usd ?? 0),
    unpricedCalls: a.unpricedCalls + b.unpricedCalls,
  }
}

function addUsd(a: number, b: number): number {
  const units = Math.round(a * UNITS_PER_USD) + Math.round(b * UNITS_PER_USD)
  return Math.abs(units) < MOST_UNITS ? units / UNITS_PER_USD : a + b
}

/** Sum of two counts of failures, kind by kind. */
export function addFailures(a: SessionFailures, b: SessionFailures): SessionFailures {
  return {
    tools: a.tools + b.tools,
    refused: a.refused + b.refused,
    unanswered: a.unanswered + b.unanswered,
  }
}

const CALL_WITHOUT_TOKENS: TokenUsage = Object.freeze({ ...NO_USAGE, calls: 1, callsWithoutTokens: 1 })

/** Tokens spent by these messages: each counted once, copies never. */
export function sumUsage(messages: Iterable<Message>): TokenUsage {
  let sum = NO_USAGE
  for (const message of messages) sum = addUsage(sum, spentUsage(message))
  return sum
}

/** Sum of two usages, field by field. */
export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
    thoughts: a.thoughts + b.thoughts,
    tool: a.tool + b.tool,
    total: a.total + b.total,
    calls: a.calls + b.calls,
    callsWithoutTokens: a.callsWithoutTokens + b.callsWithoutTokens,
  }
}

/** What one message spent (contract rule 11): a copy nothing, a model message without tokens still counts as a call. */
function spentUsage(message: Message): TokenUsage {
  if (message.copyOf !== null || message.billedIn !== undefined) return NO_USAGE
  if (message.usage !== null) return countedUsage(message.usage)
  return message.origin === 'model' ? CALL_WITHOUT_TOKENS : NO_USAGE
}

/** Without fields that sums do not have. */
function countedUsage(usage: TokenUsage): TokenUsage {
  if (usage.unknownFigures === undefined) return usage
  const { unknownFigures: _, ...counted } = usage
  return counted
}

const QUARTER_HOUR_MS = 15 * 60_000

/** What a session spent on one model within a quarter hour, from which the days of any time zone are computed. */
export interface UsageBucket {
  /** ISO 8601, the start of the UTC quarter hour; null if neither the calls nor the session have a time. */
  quarterHour: string | null
  model: string | null
  usage: TokenUsage
  cost: Cost
  /** What `cost` paid for; left out if no price is known. */
  paidFor?: CostSplit
}

/** What a cost paid for, in USD; the rest is new input. */
export interface CostSplit {
  cached: number
  /** Surcharge of a higher rate for long inputs over the lowest rate. */
  surcharge: number
  answers: number
  thinking: number
}

/** Everything the session spent; includes superseded calls, but not copies. A call without a time counts at the session's start. */
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
    const paidFor = addSplits(bucket?.paidFor ?? null, splitCost(message))
    buckets.set(key, {
      quarterHour,
      model: message.model,
      usage: bucket === undefined ? usage : addUsage(bucket.usage, usage),
      cost: bucket === undefined ? cost : addCost(bucket.cost, cost),
      ...(paidFor !== null && { paidFor }),
    })
  }
  return [...buckets.values()]
}

/** Sum of two splits, as exact as that of costs; null if neither is known. */
export function addSplits(a: CostSplit | null, b: CostSplit | null): CostSplit | null {
  if (a === null || b === null) return a ?? b
  const sum = (kind: keyof CostSplit) =>
    addCost({ usd: a[kind], unpricedCalls: 0 }, { usd: b[kind], unpricedCalls: 0 }).usd ?? 0
  return {
    cached: sum('cached'),
    surcharge: sum('surcharge'),
    answers: sum('answers'),
    thinking: sum('thinking'),
  }
}

function quarterHourOf(time: string | null): string | null {
  const timeMs = Date.parse(time ?? '')
  if (Number.isNaN(timeMs)) return null
  return new Date(Math.floor(timeMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS).toISOString()
}
