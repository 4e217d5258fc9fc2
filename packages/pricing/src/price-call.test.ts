import { type Message, NO_USAGE, priceMessages } from 'gemini-sessions'
import { describe, expect, it } from 'vitest'
import { priceCall, pricerOf } from './cost.ts'
import { LIST_PRICES } from './price-overrides.ts'

const timestamp = '2026-11-01T10:00:00.000Z'
const price = (model: string | null, tokens: Partial<typeof NO_USAGE>) =>
  priceCall({ model, usage: { ...NO_USAGE, ...tokens }, timestamp })

describe('the list price of one call', () => {
  it('takes cached tokens out of the input and bills thoughts as output', () => {
    // 2.5-pro: 1.25 in, 0.125 cached, 10 out per million: 600·1.25 + 400·0.125 + (50 + 150)·10 = 2800
    expect(price('gemini-2.5-pro', { input: 1000, cached: 400, output: 50, thoughts: 150 })).toBeCloseTo(
      2800 / 1e6,
      12,
    )
  })

  it('N13: of a model that draws is counted as unpriced in sums, unless the user has set a price for it', () => {
    const usage = { ...NO_USAGE, calls: 1, input: 1000, output: 1290, total: 2290 }
    const model = 'gemini-3-pro-image-preview'
    const message = { model, usage, timestamp, copyOf: null } as Partial<Message> as Message
    const own = { ...LIST_PRICES, models: { [model]: { inputPerMillion: 2, outputPerMillion: 120 } } }
    const costs = [LIST_PRICES, own].map((prices) => priceMessages([message], pricerOf(prices))[0]?.cost)
    expect(costs.map((cost) => cost?.unpricedCalls)).toEqual([1, 0])
  })

  it('bills tool-use tokens at the input rate', () => {
    expect(price('gemini-2.5-flash', { tool: 1000 })).toBeCloseTo(300 / 1e6, 12)
  })

  it('bills the whole call at the higher rate from 200,001 input tokens on', () => {
    expect(price('gemini-2.5-pro', { input: 200_000, output: 1 })).toBeCloseTo(
      (200_000 * 1.25 + 10) / 1e6,
      12,
    )
    expect(price('gemini-2.5-pro', { input: 200_001, output: 1 })).toBeCloseTo((200_001 * 2.5 + 15) / 1e6, 12)
  })

  it('chooses the tier by input alone, not by tool tokens', () => {
    expect(price('gemini-2.5-pro', { input: 200_000, tool: 10 })).toBeCloseTo((200_010 * 1.25) / 1e6, 12)
  })

  it('knows models with their API prefix and tuned variants', () => {
    expect(price('models/gemini-2.5-pro', { output: 1 })).toBeCloseTo(10 / 1e6, 12)
    expect(price('gemini-3.1-pro-preview-customtools', { output: 1 })).toBeCloseTo(12 / 1e6, 12)
  })

  it('is unknown, never 0, for unknown models, models without a price and calls without a model', () => {
    expect(price('my-own-model', { input: 10 })).toBeNull()
    expect(price('gemma-3-27b-it', { input: 10 })).toBeNull()
    expect(price('', { input: 10 })).toBeNull()
    expect(price(null, { input: 10 })).toBeNull()
  })

  it('survives more cached than input tokens, a bad time and an absurd model name', () => {
    expect(price('gemini-2.5-pro', { input: 10, cached: 20 })).toBeCloseTo((10 * 0.125) / 1e6, 12)
    expect(
      priceCall({ model: 'gemini-2.5-pro', usage: { ...NO_USAGE, input: 1 }, timestamp: 'yesterday' }),
    ).toBeNull()
    expect(price('__proto__', { input: 10 })).toBeNull()
  })
})
