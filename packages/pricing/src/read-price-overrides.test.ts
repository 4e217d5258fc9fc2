import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LIST_PRICES } from './price-overrides.ts'
import { pricesStamp } from './prices-stamp.ts'
import { readPriceOverrides } from './read-price-overrides.ts'

const rates = { inputPerMillion: 1.25, outputPerMillion: 10 }
const read = (content: object) => readPriceOverrides(JSON.stringify(content))

describe('prices.json', () => {
  it('may say everything', () => {
    const content = {
      version: 1,
      aliases: { 'my-proxy-model': 'gemini-2.5-pro' },
      models: {
        mine: {
          ...rates,
          cachedPerMillion: 0.125,
          tiers: [{ aboveInputTokens: 200_000, inputPerMillion: 2.5, outputPerMillion: 15 }],
          from: '2026-01-31',
        },
      },
      plan: 'nothing',
    }
    expect(read(content)).toEqual({ prices: content, problem: null })
  })

  it('may leave out what it does not want to say', () => {
    expect(read({ version: 1 })).toEqual({ prices: LIST_PRICES, problem: null })
  })

  it('may begin with a byte order mark, as editors on Windows write', () => {
    expect(readPriceOverrides('\uFEFF{"version":1}').problem).toBeNull()
  })
})

describe('a wrong prices.json', () => {
  it.each([
    ['', 'it is no JSON: the file is empty'],
    ['{"version":1', 'it is no JSON: it ends too early'],
    ['{"version":1,"plan":"noth', 'it is no JSON: it ends too early'],
    ['{\n  "version": 1,\n  "plan" "nothing"\n}', 'it is no JSON: line 3, column 10'],
    ['{\n  "version": 1,\n  "plan": nothing\n}', 'it is no JSON: line 3, column '],
    ['{\n  "version": 1,\n}', 'it is no JSON: line 3, column 1'],
    ['// my prices\n{}', 'it is no JSON: line 1, column 1'],
    ['{"version": 1}\n}', 'it is no JSON: line 2, column 1'],
    [`{"models": {${'"m": {}, '.repeat(1000)}\n'm': {}}}`, 'it is no JSON: line 2, column 1'],
  ])('says where its JSON breaks: %j', (text, problem) => {
    expect(readPriceOverrides(text)).toEqual({
      prices: LIST_PRICES,
      problem: expect.stringContaining(problem),
    })
  })

  it.each([
    [[], 'the file: is none of { "name": … }'],
    [{}, 'version: is not one of 1'],
    [{ version: 2, prices: [] }, 'it was written for a later version of gemini-dash'],
    [{ version: 1, plan: 'free' }, 'plan: is not one of "list-price", "nothing"'],
    [{ version: 1, alias: {} }, 'the file: Unrecognized key: "alias"'],
    [{ version: 1, aliases: { a: 7 } }, 'aliases.a: is no text'],
    [{ version: 1, models: { 'my-model': {} } }, 'models["my-model"].inputPerMillion: is missing'],
    [
      { version: 1, models: { m: { ...rates, cachePerMillion: 1 } } },
      'models.m: Unrecognized key: "cachePerMillion"',
    ],
    [
      { version: 1, models: { m: { ...rates, inputPerMillion: -1 } } },
      'models.m.inputPerMillion: is less than 0',
    ],
    [
      { version: 1, models: { m: { ...rates, inputPerMillion: '1.25' } } },
      'models.m.inputPerMillion: is no number',
    ],
    [
      { version: 1, models: { m: { ...rates, inputPerMillion: 0.123456 } } },
      'models.m.inputPerMillion: has more than 5 decimals',
    ],
    [
      { version: 1, models: { m: { ...rates, from: '2026-02-30' } } },
      'models.m.from: is no day, which is written as 2026-01-31',
    ],
    [
      { version: 1, models: { m: { ...rates, tiers: [{ aboveInputTokens: 0 }] } } },
      'models.m.tiers[0].aboveInputTokens: ',
    ],
  ])('is taken in no part, and the first wrong place is named: %j', (content, problem) => {
    expect(read(content)).toEqual({ prices: LIST_PRICES, problem: expect.stringContaining(problem) })
  })

  it('says how much more is wrong', () => {
    expect(read({ version: 1, plan: 1, aliases: { a: 1, b: 2 } }).problem).toMatch(/ \(and 2 more\)$/)
  })

  it('never ends the program', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => readPriceOverrides(text).problem !== undefined),
    )
  })
})

describe('the stamp of prices', () => {
  it('changes with what the user says, and only then', () => {
    const own = read({ version: 1, models: { m: rates } }).prices
    expect(pricesStamp(own)).toBe(pricesStamp(read({ models: { m: rates }, version: 1 }).prices))
    expect(pricesStamp(own)).not.toBe(pricesStamp(LIST_PRICES))
    expect(pricesStamp(LIST_PRICES)).toBe(pricesStamp(read({ version: 1 }).prices))
  })
})
