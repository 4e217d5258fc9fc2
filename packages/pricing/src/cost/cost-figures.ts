import type { CostReport, CostTerm } from '@gemini-dash/api'
import { groupBy } from '@gemini-dash/api/group-by'
import { addCost, type Cost, NO_COST } from 'gemini-sessions'
import type { WeighedCall } from './weigh-call.ts'
import type { MessageCall } from './weigh-calls.ts'
import { sumCalls } from './weigh-calls.ts'

const UNITS_PER_USD = 1e11

/** What the head of a session tells of the cost of these calls: what was taken back, and what the cache saved. */
export function costFigures(calls: readonly MessageCall[]): Pick<CostReport, 'superseded' | 'savedByCache'> {
  let savedByCache: Cost = NO_COST
  for (const { message, weighed } of calls) {
    if (message.usage === null) continue
    const usd = savedUsd(weighed)
    savedByCache = addCost(savedByCache, { usd, unpricedCalls: usd === null ? 1 : 0 })
  }
  return { superseded: toSuperseded(calls), savedByCache }
}

function toSuperseded(calls: readonly MessageCall[]): CostReport['superseded'] {
  const groups = groupBy(calls, ({ message }) => message.superseded)
  return [...groups].flatMap(([cause, group]) => (cause === null ? [] : [{ cause, ...sumCalls(group) }]))
}

/** Cached tokens at the rate of fresh ones, less what they were billed; null where one of the two is not known. */
function savedUsd({ usd, terms }: WeighedCall): number | null {
  const cached = termOf(terms, 'cached')
  if (usd === null || cached === undefined) return null
  if (cached.tokens === 0) return 0
  const freshRate = termOf(terms, 'input')?.usdPerMillion ?? null
  if (freshRate === null || cached.usdPerMillion === null) return null
  return Math.round(cached.tokens * (freshRate - cached.usdPerMillion) * 1e5) / UNITS_PER_USD
}

function termOf(terms: readonly CostTerm[], kind: CostTerm['kind']): CostTerm | undefined {
  return terms.find((term) => term.kind === kind)
}
