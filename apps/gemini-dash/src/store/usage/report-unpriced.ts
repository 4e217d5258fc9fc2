import type { Doctor } from '@gemini-dash/api'
import type { UsageSource } from './usage-source.ts'

type Unpriced = Doctor['unpriced'][number]

/** Models without a price, and what of their calls is missing in sums of costs; the most tokens first. */
export function reportUnpriced(slices: readonly UsageSource[]): Unpriced[] {
  const models = new Map<string | null, Unpriced>()
  for (const { model, usage, cost } of slices.flatMap(({ buckets }) => buckets)) {
    if (cost.unpricedCalls === 0) continue
    const sum = models.get(model) ?? { model, calls: 0, tokens: 0 }
    models.set(model, sum)
    sum.calls += cost.unpricedCalls
    // calls of one model within a quarter of an hour have a price all or none
    if (cost.usd === null) sum.tokens += usage.total
  }
  return [...models.values()].sort(
    (a, b) => b.tokens - a.tokens || b.calls - a.calls || ((a.model ?? '') < (b.model ?? '') ? -1 : 1),
  )
}
