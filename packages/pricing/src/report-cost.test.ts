import type { Message } from 'gemini-sessions'
import { expect, it } from 'vitest'
import { makeMessage } from '../../../fixtures/message.ts'
import { reportCost } from './cost.ts'

const call = (key: string, input: number, cached: number, fields: Partial<Message> = {}): Message =>
  makeMessage({
    key,
    timestamp: '2026-11-20T10:00:00.000Z',
    model: 'gemini-2.5-pro',
    source: { file: 'tmp/shop/chats/session-1.jsonl', line: 3 },
    usage: {
      input,
      cached,
      output: 10,
      thoughts: 0,
      tool: 0,
      total: input + 10,
      calls: 1,
      callsWithoutTokens: 0,
    },
    ...fields,
  })

it('groups calls by the tier that each call itself reached', () => {
  const { rates } = reportCost([call('a', 200_000, 0), call('b', 200_001, 0), call('c', 1_000, 0)])
  expect(
    rates.map(({ aboveInputTokens, upToInputTokens, calls }) => [aboveInputTokens, upToInputTokens, calls]),
  ).toEqual([
    [200_000, null, 1],
    [0, 200_000, 2],
  ])
})

it('tells what the cache saved: cached tokens at the rate of fresh ones, less what they were billed', () => {
  expect(reportCost([call('a', 1_000, 800)]).savedByCache.usd).toBe(0.0009)
})

it('counts and names what was taken back, and leaves copies out', () => {
  const { superseded, usage } = reportCost([
    call('a', 1_000, 0),
    call('b', 2_000, 0, { superseded: 'rewound' }),
    call('c', 2_000, 0, { copyOf: 'b' }),
  ])
  expect(superseded).toMatchObject([
    { cause: 'rewound', usage: { calls: 1, input: 2_000 }, cost: { usd: 0.0026 } },
  ])
  expect(usage.calls).toBe(2)
})

it('says why calls have no price', () => {
  const { unknown } = reportCost([
    call('a', 10, 0),
    call('c', 10, 0, { model: 'acme-1' }),
    call('d', 0, 0, { usage: null }),
  ])
  expect(unknown).toEqual([
    { reason: 'unknown-model', model: 'acme-1', calls: 1 },
    { reason: 'no-tokens', model: 'gemini-2.5-pro', calls: 1 },
  ])
})
