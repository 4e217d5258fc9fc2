import fc from 'fast-check'
import { addCost, NO_COST, NO_USAGE, type TokenUsage } from 'gemini-sessions'
import { describe, expect, it } from 'vitest'
import { priceCall, weighCall } from './cost.ts'
import type { PriceOverrides } from './price-overrides.ts'
import { LIST_PRICES } from './price-overrides.ts'

const timestamp = '2026-11-01T10:00:00.000Z'
const usageOf = (tokens: Partial<TokenUsage>): TokenUsage => {
  const { input, output, thoughts, tool } = { ...NO_USAGE, ...tokens }
  return { ...NO_USAGE, calls: 1, total: input + output + thoughts + tool, ...tokens }
}
const explain = (
  model: string | null,
  tokens: Partial<TokenUsage>,
  prices: Partial<PriceOverrides> = {},
  time: string | null = timestamp,
) => weighCall({ model, usage: usageOf(tokens), timestamp: time }, { ...LIST_PRICES, ...prices })

describe('how a cost came about', () => {
  it('names the model, the price and its list, the tier, and each term', () => {
    expect(
      explain('gemini-2.5-pro', { input: 1000, cached: 400, output: 50, thoughts: 150, tool: 8 }),
    ).toEqual({
      usd: 0.00281,
      reason: null,
      model: { recorded: 'gemini-2.5-pro', priced: 'gemini-2.5-pro' },
      price: {
        source: 'list',
        edition: '@pydantic/genai-prices 0.1.8 of 2026-09-23',
        since: null,
        tiers: [
          { aboveInputTokens: 0, input: 1.25, cached: 0.125, output: 10 },
          { aboveInputTokens: 200_000, input: 2.5, cached: 0.25, output: 15 },
        ],
      },
      tier: { aboveInputTokens: 0, upToInputTokens: 200_000 },
      terms: [
        { kind: 'input', tokens: 600, usdPerMillion: 1.25, usd: 0.00075 },
        { kind: 'cached', tokens: 400, usdPerMillion: 0.125, usd: 0.00005 },
        { kind: 'output', tokens: 50, usdPerMillion: 10, usd: 0.0005 },
        { kind: 'thoughts', tokens: 150, usdPerMillion: 10, usd: 0.0015 },
        { kind: 'tool', tokens: 8, usdPerMillion: 1.25, usd: 0.00001 },
      ],
    })
  })

  it('M6: is not whole where some figures of the call are not known', () => {
    const partly = explain('gemini-2.5-pro', { input: 1000, output: 50, unknownFigures: 1 })
    expect([partly.usd, partly.reason]).toEqual([0.00175, 'unknown-figures'])
    const unknown = explain('gemini-2.5-pro', { unknownFigures: 1 })
    expect([unknown.usd, unknown.reason]).toEqual([null, 'unknown-figures'])
    expect(explain('gemini-99', { input: 1, unknownFigures: 1 }).reason).toBe('unknown-model')
  })

  it('N13: is the least where a model may have drawn: pictures cost more than the text that they are priced as', () => {
    const drawn = explain('gemini-2.5-flash-image-preview', { input: 1000, output: 1290 })
    expect([drawn.usd, drawn.reason]).toEqual([0.003525, 'mixed-output'])
    expect(explain('gemini-2.5-flash-image-preview', { input: 1000 }).reason).toBeNull()
    expect(explain('gemini-2.5-flash', { input: 1000, output: 1290 }).reason).toBeNull()
  })

  it('chooses the higher tier for all tokens from 200,001 input tokens on, cached ones included', () => {
    const below = explain('gemini-2.5-pro', { input: 200_000, cached: 100_000, output: 1 })
    expect(below.tier).toEqual({ aboveInputTokens: 0, upToInputTokens: 200_000 })
    expect(below.terms.map(({ usdPerMillion }) => usdPerMillion)).toEqual([1.25, 0.125, 10, 10, 1.25])
    const above = explain('gemini-2.5-pro', { input: 200_001, cached: 100_000, output: 1 })
    expect(above.tier).toEqual({ aboveInputTokens: 200_000, upToInputTokens: null })
    expect(above.terms.map(({ usdPerMillion }) => usdPerMillion)).toEqual([2.5, 0.25, 15, 15, 2.5])
  })

  it('takes the price of the call’s day', () => {
    // Introductory rates of 3.8-flash end with 2026.
    const last = explain('gemini-3.8-flash', { input: 1_000_000 }, {}, '2026-12-31T23:59:59.999Z')
    expect([last.usd, last.price?.since]).toEqual([0.75, null])
    const first = explain('gemini-3.8-flash', { input: 1_000_000 }, {}, '2027-01-01T00:00:00.000Z')
    expect([first.usd, first.price?.since]).toEqual([1.5, '2027-01-01'])
  })

  it('bills cached tokens as fresh ones where a model has no cache rate', () => {
    const { terms } = explain('gemini-2.0-flash-lite', { input: 100, cached: 40 })
    expect(terms.slice(0, 2).map(({ tokens, usdPerMillion }) => [tokens, usdPerMillion])).toEqual([
      [60, 0.075],
      [40, 0.075],
    ])
  })
})

describe('a cost that is not known', () => {
  it.each([
    ['no tokens', weighCall({ model: 'gemini-2.5-pro', usage: null, timestamp }), 'no-tokens'],
    ['tokens that are all 0', explain('gemini-2.5-pro', {}), 'no-tokens'],
    ['only a total', explain('gemini-2.5-pro', { total: 9 }), 'no-breakdown'],
    ['a negative figure', explain('gemini-2.5-pro', { input: -1 }), 'bad-numbers'],
    ['half a token', explain('gemini-2.5-pro', { output: 0.5 }), 'bad-numbers'],
    ['no number', explain('gemini-2.5-pro', { cached: Number.NaN }), 'bad-numbers'],
    ['more than can be counted', explain('gemini-2.5-pro', { input: 1e300 }), 'bad-numbers'],
    ['a time that is none', explain('gemini-2.5-pro', { input: 1 }, {}, 'yesterday'), 'bad-time'],
    ['a day that is none', explain('gemini-2.5-pro', { input: 1 }, {}, '2026-13-41T00:00:00Z'), 'bad-time'],
    ['no model', explain(null, { input: 1 }), 'no-model'],
    ['an empty model', explain(' ', { input: 1 }), 'no-model'],
    ['a router', explain('auto-gemini-2.5', { input: 1 }), 'routing-name'],
    ['an unknown model', explain('my-own-model', { input: 1 }), 'unknown-model'],
    ['a name with power over objects', explain('__proto__', { input: 1 }), 'unknown-model'],
    ['a model without a price', explain('gemma-3-27b-it', { input: 1 }), 'unpriced-model'],
    [
      'output of an embedding model',
      explain('gemini-embedding-001', { input: 1, output: 1 }),
      'unpriced-model',
    ],
    ['a plan', explain('gemini-2.5-pro', { input: 1 }, { plan: 'nothing' }), 'plan'],
  ])('has its reason: %s', (_, { usd, reason }, expected) => {
    expect({ usd, reason }).toEqual({ usd: null, reason: expected })
  })

  it('never throws, is null exactly where it has a reason, and fits its schema, whatever is recorded', () => {
    const figure = fc.oneof(fc.nat(300_000), fc.double(), fc.integer())
    const usage = fc.record({
      input: figure,
      cached: figure,
      output: figure,
      thoughts: figure,
      tool: figure,
      total: figure,
    })
    const model = fc.oneof(fc.string(), fc.constantFrom('gemini-2.5-pro', 'gemma-3', 'auto', null))
    const time = fc.oneof(fc.string(), fc.constantFrom(timestamp, null))
    fc.assert(
      fc.property(usage, model, time, (tokens, name, at) => {
        const explained = explain(name, tokens, {}, at)
        expect(explained.usd === null).toBe(explained.reason !== null)
      }),
    )
  })

  it('still shows the terms that have no rate', () => {
    const { terms } = explain('my-own-model', { input: 10, cached: 4, output: 2 })
    expect(terms.map(({ tokens, usd }) => [tokens, usd])).toEqual([
      [6, null],
      [4, null],
      [2, null],
      [0, null],
      [0, null],
    ])
  })
})

describe('what the user says of prices', () => {
  const models = { 'my-model': { inputPerMillion: 2, outputPerMillion: 4 } }

  it('gives a name the price of a model in the list', () => {
    const explained = explain(
      'My-Proxy/pro',
      { input: 1_000_000 },
      { aliases: { 'my-proxy/pro': 'gemini-2.5-flash' } },
    )
    expect(explained.usd).toBe(0.3)
    expect(explained.model).toEqual({
      recorded: 'My-Proxy/pro',
      priced: 'gemini-2.5-flash',
    })
  })

  it('gives a model a price of its own, also by an alias; cached tokens without a rate cost what fresh ones do', () => {
    for (const name of ['my-model', 'other']) {
      const explained = explain(
        name,
        { input: 1_000_000, cached: 500_000 },
        { models, aliases: { other: 'my-model' } },
      )
      expect(explained.usd).toBe(2)
      expect(explained.model).toEqual({ recorded: name, priced: 'my-model' })
      expect(explained.price).toMatchObject({ source: 'user', edition: 'prices.json', since: null })
    }
  })

  it('goes before the list, from its day on', () => {
    const own = { 'gemini-2.5-pro': { inputPerMillion: 1, outputPerMillion: 1, from: '2026-11-01' } }
    const usd = (time: string) =>
      explain('models/gemini-2.5-pro', { input: 1_000_000 }, { models: own }, time).usd
    expect(usd('2026-10-31T23:59:59Z')).toBe(2.5)
    expect(usd('2026-11-01T00:00:00Z')).toBe(1)
  })

  it('has tiers where it says so, in any order', () => {
    const tiers = [
      { aboveInputTokens: 100, inputPerMillion: 30, outputPerMillion: 40 },
      { aboveInputTokens: 10, inputPerMillion: 3, cachedPerMillion: 1, outputPerMillion: 4 },
    ]
    const own = { m: { inputPerMillion: 1, outputPerMillion: 2, tiers } }
    const rates = (input: number) =>
      explain('m', { input, output: 1 }, { models: own })
        .terms.slice(0, 3)
        .map((term) => term.usdPerMillion)
    expect([rates(10), rates(11), rates(100), rates(101)]).toEqual([
      [1, 1, 2],
      [3, 1, 4],
      [3, 1, 4],
      [30, 30, 40],
    ])
  })

  it('may price what the list has no price for', () => {
    const own = { 'gemma-3-27b-it': { inputPerMillion: 0, outputPerMillion: 0 } }
    expect(explain('gemma-3-27b-it', { input: 5 }, { models: own })).toMatchObject({ usd: 0, reason: null })
  })
})

describe('sums', () => {
  const figure = fc.nat(1_048_576)
  const anyCall = fc.record({
    model: fc.constantFrom(
      'gemini-2.5-pro',
      'gemini-2.5-flash-lite',
      'gemini-3-pro-preview',
      'gemini-1.5-flash',
      'odd',
    ),
    usage: fc
      .record({ input: figure, cached: figure, output: figure, thoughts: figure, tool: figure })
      .map(usageOf),
    timestamp: fc.constant(timestamp),
  })
  const odd = { inputPerMillion: 0.01875, cachedPerMillion: 0.00001, outputPerMillion: 17.33333 }
  const prices: PriceOverrides = { ...LIST_PRICES, models: { odd } }

  it('of the terms of a call are its cost, to the last digit of the true sum', () => {
    fc.assert(
      fc.property(anyCall, (call) => {
        const { terms } = weighCall(call, prices)
        expect(priceCall(call, prices)).toBe(Number(trueUnits(terms)) / 1e11)
      }),
    )
  })

  it('of many calls are exact, in whatever order and groups they are added', () => {
    fc.assert(
      fc.property(fc.array(anyCall, { minLength: 1, maxLength: 400 }), fc.nat(), (calls, seed) => {
        const costs = calls.map((call) => ({ usd: priceCall(call, prices), unpricedCalls: 0 }))
        const units = calls.reduce((sum, call) => sum + trueUnits(weighCall(call, prices).terms), 0n)
        const cut = seed % (costs.length + 1)
        const groups = [costs.slice(cut).reverse(), costs.slice(0, cut)]
        const sums = groups.map((group) => group.reduce(addCost, NO_COST)).reduce(addCost, NO_COST)
        expect(sums.usd).toBe(Number(units) / 1e11)
        expect(costs.reduce(addCost, NO_COST).usd).toBe(Number(units) / 1e11)
      }),
    )
  })

  it('of a hundred thousand calls do not drift', () => {
    const usd = priceCall({ model: 'odd', usage: usageOf({ input: 7, cached: 3 }), timestamp }, prices)
    let sum = NO_COST
    for (let call = 0; call < 100_000; call++) sum = addCost(sum, { usd, unpricedCalls: 0 })
    // 4 × 0.01875 + 3 × 0.00001 = 0.07503 per million; × 100,000 calls
    expect(sum.usd).toBe(0.007503)
  })

  /** Tokens times the decimal digits of the rate, in units of 10⁻¹¹ USD, without floating point. */
  function trueUnits(terms: readonly { tokens: number; usdPerMillion: number | null }[]): bigint {
    return terms.reduce((sum, { tokens, usdPerMillion }) => {
      const [whole = '0', decimals = ''] = (usdPerMillion ?? 0).toFixed(5).split('.')
      return sum + BigInt(tokens) * BigInt(whole + decimals)
    }, 0n)
  }
})
