import { NO_USAGE } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { formatColumnCost, formatShortDuration, formatUsage, recordedTokens } from './figures.ts'

test('what is not known is a dash, never 0', () => {
  expect(formatUsage(null)).toBe('-')
  expect(formatUsage({ ...NO_USAGE, calls: 2, callsWithoutTokens: 2 })).toBe('-')
  expect(formatColumnCost({ usd: null, unpricedCalls: 3 })).toBe('-')
})

test('a copy counts 0 tokens, as other sessions count its calls; calls without tokens count none that is known', () => {
  expect([recordedTokens(NO_USAGE), formatUsage(NO_USAGE)]).toEqual([0, '0'])
  expect(recordedTokens({ ...NO_USAGE, calls: 2, callsWithoutTokens: 2 })).toBeNull()
})

test('small amounts keep their digits, and unpriced calls are told', () => {
  expect(formatColumnCost({ usd: 0.00123, unpricedCalls: 0 })).toBe('$0.0012')
  expect(formatColumnCost({ usd: 12.345, unpricedCalls: 2 })).toBe('$12.35+')
  expect(formatUsage({ ...NO_USAGE, calls: 1, total: 123_456 })).toBe('123k')
})

test('lengths fit a column, and never say more minutes than the long form', () => {
  const second = 1_000
  const lengths = [0.4, 52, 59.6, 400, 3_599, 3_600, 10_020, 172_800].map((seconds) => seconds * second)
  expect(lengths.map(formatShortDuration)).toEqual([
    '0 s',
    '52 s',
    '1 min',
    '6 min',
    '59 min',
    '1 h',
    '2 h 47',
    '2 days',
  ])
})
