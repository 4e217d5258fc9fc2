import type { ContextXray, Message } from 'gemini-sessions'
import { expect, it } from 'vitest'
import { makeMessage } from '../../../../fixtures/message.ts'
import { explainWhy } from './explain-why.ts'

const call = (key: string, input: number, fields: Partial<Message> = {}): Message =>
  makeMessage({
    key,
    timestamp: '2026-11-20T10:00:00.000Z',
    model: 'gemini-2.5-pro',
    usage: { input, cached: 0, output: 100, thoughts: 0, tool: 0, total: 0, calls: 1, callsWithoutTokens: 0 },
    ...fields,
  })

/** The results in each call, after those that it began with; in one context. */
function xrayOf(calls: readonly Message[], results: readonly number[]): ContextXray {
  const placed = calls.map((message, index) => ({
    messageKey: message.key,
    offset: index,
    turn: index + 1,
    superseded: message.superseded,
    isAgent: false,
    input: message.usage?.input ?? 0,
    cached: message.usage?.cached ?? 0,
    before: index === 0 ? null : index - 1,
    resent: 0,
    inputUsd: null,
    savedUsd: null,
    tokens: [(message.usage?.input ?? 0) - (results[index] ?? 0), results[index] ?? 0],
    scale: 1,
    grew: null,
  }))
  return {
    blocks: [
      { kind: 'prompt', name: '' },
      { kind: 'tool-result', name: 'read_file' },
    ],
    calls: placed,
    totals: {
      input: 0,
      cached: 0,
      resent: 0,
      cost: { usd: null, unpricedCalls: 0 },
      saved: { usd: null, unpricedCalls: 0 },
    },
    items: [
      {
        messageKey: 'a',
        offset: 0,
        turn: 1,
        call: 0,
        kind: 'tool-result',
        name: 'read_file',
        label: 'src/price.js',
        tokens: 1_000,
        sent: 3,
        sentTokens: 3_000,
        resentUsd: null,
      },
    ],
    compressions: [],
  }
}

const why = (calls: Message[], results: number[]) => explainWhy(calls, xrayOf(calls, results))
const kinds = (calls: Message[], results: number[]) =>
  why(calls, results).items.map(({ kind, usd }) => [kind, usd])

// gemini-2.5-pro: $1.25 in, $0.125 cached, $10 out per million; above 200,000: $2.50, $0.25, $15
it('C8: takes each dollar to one place, and says where in sentences that lead there', () => {
  const calls = [
    call('a', 10_000),
    call('b', 20_000, { superseded: 'rewound' }),
    call('c', 300_000),
    call('d', 4_000, { usage: { ...NO, input: 4_000, output: 100, thoughts: 50 } }),
  ]
  const { total, items } = why(calls, [0, 1_000, 0, 3_000])
  // 13,500 + 26,000 + 751,500 + 6,500 millionths of a dollar
  expect(total).toBe(0.7975)
  expect(items.map(({ kind, usd, messageKeys }) => [kind, usd, messageKeys])).toEqual([
    ['superseded', 0.026, ['b']],
    ['tier', 0.3755, ['c']],
    ['thoughts', 0.0005, ['d']],
    ['rest', 0.3955, []],
  ])
  expect(items.map(({ text }) => text)).toEqual([
    'Taken back with /rewind, but billed: 1 call in turn 2.',
    'Above 200,000 tokens, at the higher rate: call 3 in turn 3 sent 300,000.',
    'Thoughts: 50 tokens in 1 answer.',
    'The rest: each prompt, file and result once, the CLI’s own instructions with each call, and 400 tokens of answers.',
  ])
})

const NO = { input: 0, cached: 0, output: 0, thoughts: 0, tool: 0, total: 0, calls: 1, callsWithoutTokens: 0 }

it('C8: results that the call before held too are sent again, with their share of the cache', () => {
  const cached = call('c', 10_000, { usage: { ...NO, input: 10_000, cached: 5_000 } })
  // of 10,000 tokens 2,000 and 1,000 were there before: at $1.25, and at half of that rate and half of $0.125
  const calls = [call('a', 10_000), call('b', 10_000), cached]
  const { items } = why(calls, [2_000, 3_000, 1_000])
  expect(items[0]).toEqual({
    kind: 'resent',
    usd: 0.0031875,
    text: 'Results sent again: what tools answered went along with 2 later calls. The largest: read_file src/price.js in turn 1, about 1,000 tokens, sent 2 more times.',
    messageKeys: ['a'],
  })
})

it('counts what was compacted as used, and nothing of what has no price', () => {
  expect(kinds([call('a', 1_000, { superseded: 'compacted' })], [0])).toEqual([['rest', 0.00225]])
  expect(why([call('a', 1_000, { model: 'secret-model' })], [0])).toEqual({ total: null, items: [] })
})
