import fc from 'fast-check'
import type { Message } from 'gemini-sessions'
import { expect, it } from 'vitest'
import { costFigures, priceCall, weighCalls } from './cost.ts'

const call = (model: string, input: number, cached: number): Message => ({
  key: 'a',
  id: 'a',
  type: 'gemini',
  origin: 'model',
  timestamp: '2026-11-20T10:00:00.000Z',
  model,
  content: [],
  attachments: [],
  thoughts: [],
  toolCalls: [],
  usage: {
    input,
    cached,
    output: 7,
    thoughts: 0,
    tool: 0,
    total: input + 7,
    calls: 1,
    callsWithoutTokens: 0,
  },
  cost: null,
  superseded: null,
  copyOf: null,
  agentKey: null,
  segment: 0,
  source: { file: 'tmp/shop/chats/session-1.jsonl', line: 3 },
})

it('what the cache saved is what the same call costs without it, less what it costs', () => {
  const models = fc.constantFrom('gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-3-pro-preview')
  const tokens = fc.nat({ max: 2_000_000 })
  fc.assert(
    fc.property(models, tokens, tokens, (model, input, cached) => {
      const { savedByCache } = costFigures(weighCalls([call(model, input, cached)]))
      const [fresh, billed] = [call(model, input, 0), call(model, input, cached)].map((one) => priceCall(one))
      const units = Math.round(((fresh ?? Number.NaN) - (billed ?? Number.NaN)) * 1e11)
      expect(savedByCache).toEqual({ usd: units / 1e11, unpricedCalls: 0 })
    }),
  )
})

it('a call of a model without a price counts as unknown, one without tokens not at all', () => {
  const calls = weighCalls([call('acme-1', 10, 5), { ...call('acme-1', 0, 0), usage: null }])
  expect(costFigures(calls).savedByCache).toEqual({ usd: null, unpricedCalls: 1 })
})
