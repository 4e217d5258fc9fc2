import { NO_USAGE, type SessionSummary } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { toFigureRows } from './compare.tsx'

/** Without sub-agents, so that the totals are its own, unless overridden by `withSubagents`. */
function side({ withSubagents, ...change }: Partial<SessionSummary>): SessionSummary {
  const own = {
    usage: { ...NO_USAGE, input: 1_000, cached: 500, total: 1_100, calls: 2 },
    cost: { usd: 1, unpricedCalls: 0 },
    ...change,
  }
  return {
    withSubagents: withSubagents ?? { ...own, toolCalls: null, failures: null },
    subagentKeys: [] as string[],
    counts: null,
    recorded: { turns: 3, toolCalls: 0 },
    startTime: '2026-11-21T10:00:00.000Z',
    endTime: '2026-11-21T10:05:00.000Z',
    ...own,
  } as SessionSummary
}

const rowsOf = (a: SessionSummary, b: SessionSummary) =>
  new Map(toFigureRows({ a, b }).map(({ label, ...row }) => [label, row]))

test('a difference has its sign, rates are told in points', () => {
  const usage = { ...NO_USAGE, input: 2_000, cached: 500, total: 2_500, calls: 5 }
  const rows = rowsOf(side({}), side({ usage, cost: { usd: 0.75, unpricedCalls: 0 } }))
  expect(rows.get('Requests')).toEqual({ a: '2', b: '5', difference: '+3' })
  expect(rows.get('Cached of input')).toEqual({ a: '50%', b: '25%', difference: '−25 points' })
  expect(rows.get('Cost')).toEqual({ a: '$1.00', b: '$0.750', difference: '−$0.250' })
  expect(rows.get('Turns')?.difference).toBe('same')
})

test('what is not known is a dash, and no difference', () => {
  const rows = rowsOf(side({ cost: { usd: null, unpricedCalls: 4 } }), side({ usage: null }))
  expect(rows.get('Cost')).toEqual({ a: '-', b: '$1.00', difference: null })
  expect(rows.get('Requests of unknown price')).toEqual({ a: '4', b: '0', difference: '−4' })
  expect(rows.get('Tokens')?.b).toBe('-')
})

test('T3, T5: figures include sub-agents, whose cost is shown where either has some', () => {
  expect(rowsOf(side({}), side({})).has('Cost of sub-agents')).toBe(false)
  const parent = side({
    subagentKeys: ['x'],
    withSubagents: {
      usage: { ...NO_USAGE, total: 3_000 },
      cost: { usd: 1.5, unpricedCalls: 0 },
      toolCalls: 7,
      failures: { tools: 2, refused: 1, unanswered: 0 },
    },
  })
  const rows = rowsOf(parent, side({}))
  expect(rows.get('Cost of sub-agents')).toEqual({
    a: '$0.500',
    b: '$0.00',
    difference: '−$0.500',
  })
  const said = ['Tokens', 'Cost', 'Tool calls', 'Failed tool calls', 'Refused requests']
  expect(said.map((label) => rows.get(label)?.a)).toEqual(['3k', '$1.50', '7', '2', '1'])
})
