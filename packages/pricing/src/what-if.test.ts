import { whatIfSchema } from '@gemini-dash/api'
import { NO_USAGE } from 'gemini-sessions'
import { describe, expect, it } from 'vitest'
import type { PricedCall } from './cost.ts'
import { mergeWhatIfs, whatIf } from './cost.ts'
import { LIST_PRICES } from './price-overrides.ts'

const timestamp = '2026-11-01T10:00:00.000Z'
const call = (model: string, tokens: Partial<typeof NO_USAGE>): PricedCall => ({
  model,
  usage: { ...NO_USAGE, ...tokens, calls: 1 },
  timestamp,
})

// 2.5-pro: 1.25 in, 0.125 cached, 10 out per million up to 200,000 tokens; 2.5, 0.25 and 15 above
const small = call('gemini-2.5-pro', { input: 100_000, cached: 60_000, output: 1_000 })
const large = call('gemini-2.5-pro', { input: 300_000, cached: 200_000, output: 2_000, thoughts: 1_000 })
const asItWas =
  (40_000 * 1.25 + 60_000 * 0.125 + 1_000 * 10 + 100_000 * 2.5 + 200_000 * 0.25 + 3_000 * 15) / 1e6

describe('what if', () => {
  it('there were no cache: all input is fresh, at the same tiers', () => {
    const { cost, withoutCache } = whatIf([small, large])
    expect(cost.usd).toBeCloseTo(asItWas, 12)
    expect(withoutCache.cachedTokens).toBe(260_000)
    expect(withoutCache.cost.usd).toBeCloseTo(
      (100_000 * 1.25 + 1_000 * 10 + 300_000 * 2.5 + 3_000 * 15) / 1e6,
      12,
    )
  })

  it('no call had gone over the line: the same tokens at the lowest tier', () => {
    const { atLowestTier } = whatIf([small, large])
    expect(atLowestTier).toMatchObject({ calls: 1, aboveInputTokens: 200_000 })
    expect(atLowestTier.cost.usd).toBeCloseTo((140_000 * 1.25 + 260_000 * 0.125 + 4_000 * 10) / 1e6, 12)
    expect(whatIf([small]).atLowestTier).toMatchObject({ calls: 0, aboveInputTokens: null })
  })

  it('another model had answered: by its own rates and tiers, the cheapest first', () => {
    const { onModels } = whatIf([small, large])
    // 2.5-flash: 0.3 in, 0.03 cached, 2.5 out per million, one tier
    const flash = onModels.find(({ model }) => model === 'gemini-2.5-flash')
    expect(flash?.cost.usd).toBeCloseTo((140_000 * 0.3 + 260_000 * 0.03 + 4_000 * 2.5) / 1e6, 12)
    expect(onModels.find(({ model }) => model === 'gemini-2.5-pro')).toMatchObject({ wasUsed: true })
    const costs = onModels.map(({ cost }) => cost.usd ?? Number.NaN)
    expect(costs).toEqual([...costs].sort((a, b) => a - b))
    expect(onModels.every(({ model }) => /^gemini-/.test(model) && !/image|tts|embed|live/.test(model))).toBe(
      true,
    )
  })

  it('keeps unknown prices unknown and counted, and prices them where another model is asked for', () => {
    const own = call('my-own-model', { input: 1_000 })
    const result = whatIfSchema.parse(
      whatIf([small, own, { model: 'gemini-2.5-pro', usage: null, timestamp }]),
    )
    expect(result.calls).toBe(2)
    expect(result.cost.unpricedCalls).toBe(1)
    expect(result.withoutCache.cost.unpricedCalls).toBe(1)
    expect(result.onModels.every(({ cost }) => cost.unpricedCalls === 0)).toBe(true)
  })

  it('asks models that only the user has a price for, too', () => {
    const models = { mine: { inputPerMillion: 1, outputPerMillion: 1 } }
    const { onModels } = whatIf([small], { ...LIST_PRICES, models })
    expect(onModels.find(({ model }) => model === 'mine')?.cost).toEqual({ usd: 0.101, unpricedCalls: 0 })
  })

  it('of several sessions is the sum of theirs', () => {
    const own = call('my-own-model', { input: 1_000 })
    // before its first day, the user's model has no price: all calls of that session are unpriced on it
    const models = { mine: { inputPerMillion: 1, outputPerMillion: 1, from: '2026-11-01' } }
    const prices = { ...LIST_PRICES, models }
    const early = { ...small, timestamp: '2026-10-31T10:00:00.000Z' }
    const parts = [[small], [large, own], [early, early], []]
    const merged = mergeWhatIfs(parts.map((calls) => whatIf(calls, prices)))
    expect(merged).toEqual(whatIf(parts.flat(), prices))
    expect(merged.onModels.find(({ model }) => model === 'mine')?.cost.unpricedCalls).toBe(2)
  })

  it('says nothing in money to whoever is on a plan', () => {
    const { cost, onModels } = whatIf([small], { ...LIST_PRICES, plan: 'nothing' })
    expect(cost).toEqual({ usd: null, unpricedCalls: 1 })
    expect(onModels).toEqual([])
  })
})
