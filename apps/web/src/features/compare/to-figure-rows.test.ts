import type { ComparedSession, Comparison } from '@gemini-dash/api'
import { NO_USAGE } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { toFigureRows } from './to-figure-rows.ts'

type Session = ComparedSession['session']

function side(change: Partial<Session>): ComparedSession {
  const session = {
    usage: { ...NO_USAGE, input: 1_000, cached: 500, total: 1_100, calls: 2 },
    cost: { usd: 1, unpricedCalls: 0 },
    withSubagents: { usage: NO_USAGE, cost: { usd: 1, unpricedCalls: 0 } },
    subagentKeys: [] as string[],
    counts: null,
    startTime: '2026-11-21T10:00:00.000Z',
    endTime: '2026-11-21T10:05:00.000Z',
    ...change,
  }
  return { session: session as Session, turns: 3, lastAnswer: null }
}

const rowsOf = (a: ComparedSession, b: ComparedSession) => {
  const comparison: Comparison = { a, b, turns: [], tools: [], files: [] }
  return new Map(toFigureRows(comparison).map(({ label, ...row }) => [label, row]))
}

test('a difference has its sign, rates are told in points', () => {
  const usage = { ...NO_USAGE, input: 2_000, cached: 500, total: 2_500, calls: 5 }
  const rows = rowsOf(side({}), side({ usage, cost: { usd: 0.75, unpricedCalls: 0 } }))
  expect(rows.get('Model calls')).toEqual({ a: '2', b: '5', difference: '+3' })
  expect(rows.get('Cached of input')).toEqual({ a: '50 %', b: '25 %', difference: '−25 points' })
  expect(rows.get('Cost')).toEqual({ a: '$1.00', b: '$0.750', difference: '−$0.250' })
  expect(rows.get('Turns')?.difference).toBe('same')
})

test('what is not known is a dash, and no difference', () => {
  const rows = rowsOf(side({ cost: { usd: null, unpricedCalls: 4 } }), side({ usage: null }))
  expect(rows.get('Cost')).toEqual({ a: '-', b: '$1.00', difference: null })
  expect(rows.get('Calls of unknown price')).toEqual({ a: '4', b: '0', difference: '−4' })
  expect(rows.get('Tokens')?.b).toBe('-')
})

test('sub-agents are told where either has some', () => {
  expect(rowsOf(side({}), side({})).has('Cost of sub-agents')).toBe(false)
  const parent = side({
    subagentKeys: ['x'],
    withSubagents: { usage: NO_USAGE, cost: { usd: 1.5, unpricedCalls: 0 } },
  })
  expect(rowsOf(parent, side({})).get('Cost of sub-agents')).toEqual({
    a: '$0.500',
    b: '$0.00',
    difference: '−$0.500',
  })
})
