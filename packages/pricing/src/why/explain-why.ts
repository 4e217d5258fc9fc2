import type { CostWhy } from '@gemini-dash/api'
import { formatCount, formatPlural } from '@gemini-dash/api/figures'
import {
  addCost,
  type ContextItem,
  type ContextXray,
  type CostSplit,
  type Message,
  NO_COST,
} from 'gemini-sessions'
import { LIST_PRICES, type PriceOverrides } from '../overrides/price-overrides.ts'
import { type SplitCall, splitCalls } from './split-calls.ts'

const MAX_KEYS = 100
const MAX_RESULTS = 5
const KINDS = ['superseded', 'tier', 'resent', 'thoughts'] as const

type Item = CostWhy['items'][number]

/** Where the cost of these messages went, in sentences: the items add up to the cost, each dollar once. */
export function explainWhy(
  messages: readonly Message[],
  xray: ContextXray,
  prices: PriceOverrides = LIST_PRICES,
): CostWhy {
  const calls = splitCalls(messages, xray, prices)
  const total = sumUsd(calls.map(({ usd }) => usd))
  if (total === null) return { total, items: [] }
  const items = KINDS.flatMap((kind): Item[] => {
    const part = calls.filter(({ split }) => split[kind] > 0)
    const usd = sumUsd(part.map(({ split }) => split[kind]))
    return usd === null ? [] : [{ kind, usd, ...EXPLAIN[kind](part, xray.items) }]
  })
  const usd = sumUsd([total, ...items.map((item) => -item.usd)]) ?? 0
  return { total, items: [...items, { kind: 'rest', usd, text: restText(calls), messageKeys: [] }] }
}

type Explain = (
  calls: readonly SplitCall[],
  items: readonly ContextItem[],
) => Pick<Item, 'text' | 'messageKeys'>

const EXPLAIN: Record<keyof CostSplit, Explain> = {
  superseded: (calls) => ({
    text: `${supersededHow(calls)}, but billed: ${formatPlural(calls.length, 'call')}${inTurns(calls)}.`,
    messageKeys: keysOf(calls),
  }),
  tier: (calls) => {
    const [first] = calls
    const largest = Math.max(...calls.map(({ message }) => message.usage?.input ?? 0))
    const which =
      calls.length === 1
        ? `call ${first?.number}${inTurns(calls)} sent`
        : `${calls.length} calls${inTurns(calls)}, the largest sent`
    return {
      text: `Above ${formatCount(first?.aboveInputTokens ?? 0)} tokens, at the higher rate: ${which} ${formatCount(largest)}.`,
      messageKeys: keysOf(calls),
    }
  },
  resent: (calls, items) => {
    const results = items
      .filter(({ kind, sent }) => kind === 'tool-result' && sent > 1)
      .sort((one, other) => (other.resentUsd ?? 0) - (one.resentUsd ?? 0))
    const again = `went along with ${formatPlural(calls.length, 'later call')}`
    return {
      text: `Results sent again: what tools answered ${again}.${largestResult(results[0])}`,
      messageKeys: [...new Set(results.slice(0, MAX_RESULTS).map(({ messageKey }) => messageKey))],
    }
  },
  thoughts: (calls) => ({
    text: `Thoughts: ${formatPlural(
      calls.reduce((sum, { message }) => sum + (message.usage?.thoughts ?? 0), 0),
      'token',
    )} in ${formatPlural(calls.length, 'answer')}.`,
    messageKeys: keysOf(calls),
  }),
}

function supersededHow(calls: readonly SplitCall[]): string {
  const causes = new Set(calls.map(({ message }) => message.superseded))
  if (causes.size > 1) return 'Taken back or replaced'
  if (causes.has('rewound')) return 'Taken back with /rewind'
  return causes.has('aborted') ? 'Dropped by the CLI after a failed or stopped request' : 'Replaced'
}

function largestResult(item: ContextItem | undefined): string {
  if (item === undefined) return ''
  const name = [item.name, item.label].join(' ').trim()
  const times = item.sent === 2 ? 'once more' : `${item.sent - 1} more times`
  return ` The largest: ${name} in turn ${item.turn}, about ${formatPlural(item.tokens, 'token')}, sent ${times}.`
}

function restText(calls: readonly SplitCall[]): string {
  const output = calls.reduce((sum, { message }) => sum + (message.usage?.output ?? 0), 0)
  return `The rest: each prompt, file and result once, the CLI’s own instructions with each call, and ${formatPlural(output, 'token')} of answers.`
}

function inTurns(calls: readonly SplitCall[]): string {
  const turns = [...new Set(calls.flatMap(({ context }) => (context === undefined ? [] : context.turn)))]
  if (turns.length === 0 || turns[0] === 0) return ''
  if (turns.length === 1) return ` in turn ${turns[0]}`
  return turns.length === 2 ? ` in turns ${turns.join(' and ')}` : ` in ${turns.length} turns`
}

function keysOf(calls: readonly SplitCall[]): string[] {
  return calls.slice(0, MAX_KEYS).map(({ message }) => message.key)
}

/** Exact, in whatever order; null of nothing. */
function sumUsd(amounts: readonly number[]): number | null {
  return amounts.reduce((sum, usd) => addCost(sum, { usd, unpricedCalls: 0 }), NO_COST).usd
}
