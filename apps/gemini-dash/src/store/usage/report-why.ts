import type { UsageWhy } from '@gemini-dash/api'
import { formatPlural } from '@gemini-dash/api/figures'
import { addCost, addSplits, type Cost, type CostSplit, NO_COST, type SessionSummary } from 'gemini-sessions'
import type { UsageSource } from './usage-source.ts'

const MOST_SESSIONS = 5
const KINDS = ['superseded', 'tier', 'resent', 'thoughts'] as const

/** How it reads of many sessions: what it is, and that it was billed. */
const SENTENCES: Record<keyof CostSplit | 'rest', string> = {
  superseded: 'Taken back or replaced, but billed: calls that the CLI dropped afterwards',
  tier: 'Above 200,000 tokens, at the higher rate: what long inputs came to on top',
  resent: 'Results sent again: what tools answered went along with every later call',
  thoughts: 'Thoughts: what the model wrote for itself before it answered',
  rest: 'The rest: each prompt, file and result once, the CLI’s own instructions, and the answers',
}

type Items = UsageWhy['items']

/** Where the cost of these slices of sessions went: each dollar once, and the items add up to the total. */
export function reportWhy(slices: readonly UsageSource[]): Pick<UsageWhy, 'total' | 'items'> {
  const parts = slices.map(({ owner, buckets }) => ({
    owner,
    cost: buckets.reduce((sum, bucket) => addCost(sum, bucket.cost), NO_COST),
    went: buckets.reduce((sum, { went }) => addSplits(sum, went ?? null), null as CostSplit | null),
  }))
  const total = parts.reduce((sum, { cost }) => addCost(sum, cost), NO_COST).usd
  if (total === null) return { total, items: [] }
  const items = KINDS.flatMap((kind) =>
    toItem(
      kind,
      parts.map(({ owner, went }) => ({ owner, usd: went?.[kind] ?? 0 })),
    ),
  )
  const rest = toItem(
    'rest',
    parts.map(({ owner, cost, went }) => ({ owner, usd: restOf(cost, went) })),
  )
  return { total, items: [...items, ...rest] }
}

interface SessionPart {
  /** Sub-agents are parts of their main session. */
  owner: SessionSummary
  usd: number
}

function toItem(kind: Items[number]['kind'], parts: readonly SessionPart[]): Items {
  const spent = bySession(parts).filter(({ usd }) => usd > 0)
  if (spent.length === 0 && kind !== 'rest') return []
  const largest = [...spent].sort((one, other) => other.usd - one.usd).slice(0, MOST_SESSIONS)
  const where = `in ${formatPlural(spent.length, 'session')}`
  return [
    {
      kind,
      usd: sumUsd(spent.map(({ usd }) => usd)),
      text: `${SENTENCES[kind]}, ${where}.`,
      messageKeys: [],
      sessions: largest.map(({ owner: { key, title }, usd }) => ({ key, title, usd })),
    },
  ]
}

function bySession(parts: readonly SessionPart[]): SessionPart[] {
  const sums = new Map<string, SessionPart>()
  for (const { owner, usd } of parts) {
    const known = sums.get(owner.key)
    sums.set(owner.key, { owner, usd: known === undefined ? usd : sumUsd([known.usd, usd]) })
  }
  return [...sums.values()]
}

function restOf(cost: Cost, went: CostSplit | null): number {
  return sumUsd([cost.usd ?? 0, ...KINDS.map((kind) => -(went?.[kind] ?? 0))])
}

function sumUsd(amounts: readonly number[]): number {
  return amounts.reduce((sum, usd) => addCost(sum, { usd, unpricedCalls: 0 }), NO_COST).usd ?? 0
}
