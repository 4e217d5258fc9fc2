import type { ContextCall, ContextXray, CostSplit, Message } from 'gemini-sessions'
import { type WeighedCall, weighCall } from '../cost/weigh-call.ts'
import { weighCalls } from '../cost/weigh-calls.ts'
import { LIST_PRICES, type PriceOverrides } from '../overrides/price-overrides.ts'

/** All amounts are whole numbers of these, so that the parts of a call add up to it exactly. */
const UNITS_PER_USD = 1e11

/** A call of known price, and where its price went. */
export interface SplitCall {
  message: Message
  /** 1-based, among all calls. */
  number: number
  usd: number
  /** What of it is none of these is the rest. */
  split: CostSplit
  /** Input tokens above which the rate was higher; null at the lowest. */
  aboveInputTokens: number | null
  context: ContextCall | undefined
}

/** The calls among these messages with their price taken apart: each part of a dollar stands in one place. */
export function splitCalls(
  messages: readonly Message[],
  xray: Pick<ContextXray, 'blocks' | 'calls'>,
  prices: PriceOverrides = LIST_PRICES,
): SplitCall[] {
  const contexts = new Map(xray.calls.map((call) => [call.messageKey, call]))
  const results = xray.blocks.flatMap(({ kind }, index) => (kind === 'tool-result' ? [index] : []))
  return weighCalls(messages, prices).flatMap(({ message, weighed }, index) => {
    if (weighed.usd === null) return []
    const context = contexts.get(message.key)
    const before = context?.before == null ? undefined : xray.calls[context.before]
    const resentTokens = context === undefined ? 0 : sentAgain(context, before, results)
    return {
      message,
      number: index + 1,
      usd: weighed.usd,
      split: splitOf(message, weighed, weighCall(message, prices, { isLowestTier: true }), resentTokens),
      aboveInputTokens: weighed.tier?.aboveInputTokens || null,
      context,
    }
  })
}

/** What was billed though the CLI dropped it. What was compacted had done its work. */
function isWasted({ superseded }: Message): boolean {
  return superseded !== null && superseded !== 'compacted'
}

function splitOf(
  message: Message,
  weighed: WeighedCall,
  lowest: WeighedCall,
  resentTokens: number,
): CostSplit {
  const usd = toUnits(weighed.usd)
  if (isWasted(message)) return toSplit({ superseded: usd, tier: 0, resent: 0, thoughts: 0 })
  const tier = Math.max(usd - toUnits(lowest.usd), 0)
  const termOf = (wanted: string) => toUnits(lowest.terms.find(({ kind }) => kind === wanted)?.usd ?? 0)
  const input = termOf('input') + termOf('cached')
  // the cache takes its share of all that is sent alike
  const share = Math.min(resentTokens / Math.max(message.usage?.input ?? 0, 1), 1)
  return toSplit({ superseded: 0, tier, resent: Math.floor(input * share), thoughts: termOf('thoughts') })
}

/** Tokens of results that the call before had sent as well. */
function sentAgain(call: ContextCall, before: ContextCall | undefined, results: readonly number[]): number {
  if (before === undefined) return 0
  return results.reduce((sum, block) => sum + Math.min(call.tokens[block] ?? 0, before.tokens[block] ?? 0), 0)
}

function toUnits(usd: number | null): number {
  return Math.round((usd ?? 0) * UNITS_PER_USD)
}

function toSplit({ superseded, tier, resent, thoughts }: CostSplit): CostSplit {
  return {
    superseded: superseded / UNITS_PER_USD,
    tier: tier / UNITS_PER_USD,
    resent: resent / UNITS_PER_USD,
    thoughts: thoughts / UNITS_PER_USD,
  }
}
