import type { CallPoint } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { columnCalls, stepCalls } from './column-calls.ts'

const point = (offset: number, fields: Partial<CallPoint> = {}): CallPoint => ({
  messageKey: `m${offset}`,
  offset,
  turn: 1,
  timestamp: '2026-03-01T10:00:00.000Z',
  model: 'gemini-2.5-pro',
  usage: {
    input: 100 + offset,
    cached: 0,
    output: 1,
    thoughts: 0,
    tool: 0,
    total: 0,
    calls: 1,
    callsWithoutTokens: 0,
  },
  cost: { usd: 0.1, unpricedCalls: 0 },
  superseded: null,
  failed: false,
  ...fields,
})

const calls = [
  point(0),
  point(1),
  point(2, { failed: true, superseded: 'rewound' }),
  point(3, { usage: null, cost: null, superseded: 'rewound' }),
  point(4, { cost: { usd: 0.1 + 0.2, unpricedCalls: 0 } }),
]

test('steps tell of several calls what none of them may hide', () => {
  const steps = stepCalls(calls, undefined, 3)
  expect(steps).toMatchObject({
    messageKeys: ['m1', 'm2', 'm4'],
    failed: [1],
    superseded: [[1, 'rewound']],
    steps: { size: 2, calls: 5, failedCalls: 1, usd: [0.2, 0.1, 0.3], contextNow: 104 },
  })
})

test('few calls are a step each', () => {
  const { steps, ...columns } = stepCalls(calls, undefined, 100)
  expect(columns).toEqual(columnCalls(calls, undefined))
  expect(steps).toMatchObject({ size: 1, calls: 5, usd: columns.usd })
})
