import { describe, expect, test } from 'vitest'
import { formatAgo, formatClock, formatDate, formatDateTime, formatDay } from './dates.ts'
import {
  describeCost,
  formatAtMost,
  formatCost,
  formatCount,
  formatDuration,
  formatFineUsd,
  formatModel,
  formatPercent,
  formatPlural,
  formatSize,
  formatTokens,
  formatUsd,
} from './figures.ts'

describe('counts and tokens', () => {
  test('group thousands and agree with their noun', () => {
    expect(formatCount(1030)).toBe('1,030')
    expect(formatPlural(1, 'session')).toBe('1 session')
    expect(formatPlural(0, 'session')).toBe('0 sessions')
    expect(formatPlural(2, 'reply', 'replies')).toBe('2 replies')
  })

  test.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1k'],
    [4_512, '4.5k'],
    [65_100, '65.1k'],
    [99_949, '99.9k'],
    [99_950, '100k'],
    [359_400, '359k'],
    [999_499, '999k'],
    [999_500, '1M'],
    [2_690_000, '2.69M'],
    [38_400_000, '38.4M'],
    [161_000_000, '161M'],
    [999_999_999, '1B'],
    [1_234_000_000, '1.23B'],
    [9_007_199_254_740_991, '9.0e+15'],
  ])('%d tokens are written %s', (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text)
  })

  test.each([
    [0, '0%'],
    [0.0001, '< 0.1%'],
    [0.031, '3.1%'],
    [0.0999, '10%'],
    [0.7149, '71%'],
    [1, '100%'],
  ])('%d is written %s', (ratio, text) => {
    expect(formatPercent(ratio)).toBe(text)
  })

  test.each([
    [0, '0 B'],
    [830, '830 B'],
    [84_000, '84 KB'],
    [2_100_000, '2.1 MB'],
    [999_700, '1 MB'],
    [1_500_000_000, '1.5 GB'],
  ])('%d bytes are written %s', (sizeBytes, text) => {
    expect(formatSize(sizeBytes)).toBe(text)
  })
})

describe('costs', () => {
  test.each([
    [0, '$0.00'],
    [0.0049, '<$0.01'],
    [0.005, '$0.01'],
    [0.214, '$0.21'],
    [1204, '$1,204.00'],
  ])('a list writes %d as %s', (usd, text) => {
    expect(formatUsd(usd)).toBe(text)
  })

  test.each([
    [0.0004, '<$0.001'],
    [0.0193, '$0.019'],
    [0.9996, '$1.00'],
    [12.8, '$12.80'],
  ])('a session writes %d as %s', (usd, text) => {
    expect(formatFineUsd(usd)).toBe(text)
  })

  test('an unknown price is a dash, never zero; a partly known one says that more comes on top', () => {
    expect(formatCost(null)).toBe('-')
    expect(formatCost({ usd: null, unpricedCalls: 3 })).toBe('-')
    expect(formatCost({ usd: 1.456, unpricedCalls: 0 })).toBe('$1.46')
    expect(formatCost({ usd: 1.456, unpricedCalls: 2 })).toBe('$1.46+')
  })

  test('the title tells the exact price and what is missing from it', () => {
    expect(describeCost({ usd: 0.0193, unpricedCalls: 0 })).toBe('$0.019300 at list price')
    expect(describeCost({ usd: null, unpricedCalls: 1 })).toBe('1 call of unknown price')
    expect(describeCost({ usd: 1, unpricedCalls: 2 })).toBe(
      '$1.000000 at list price, and 2 calls of unknown price',
    )
    expect(describeCost(null)).toBe('No cost recorded')
  })
})

describe('durations', () => {
  test.each([
    [0, '0 s'],
    [200, '0.2 s'],
    [9_960, '10 s'],
    [48_000, '48 s'],
    [59_600, '1 min'],
    [108_000, '1 min 48 s'],
    [480_000, '8 min'],
    [3_599_900, '1 h'],
    [7_500_000, '2 h 5 min'],
    [259_200_000, '3 days'],
  ])('%d ms are written %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text)
  })
})

describe('C14: a time that it took at most', () => {
  test.each([
    [0, '< 0.1 s'],
    [40, '< 0.1 s'],
    [99, '< 0.1 s'],
    [100, '≤ 0.1 s'],
    [4_120, '≤ 4.2 s'],
    [34_000, '≤ 34 s'],
    [61_200, '≤ 1 min 2 s'],
  ])('of %d ms is written %s: never less than it was', (durationMs, text) => {
    expect(formatAtMost(durationMs)).toBe(text)
  })
})

describe('times', () => {
  // Local time, so that the tests pass in every zone.
  const now = new Date('2026-11-21T20:45:00')
  const at = (local: string) => new Date(local).toISOString()

  test('a clock has minutes, and seconds where they matter', () => {
    expect(formatClock(at('2026-11-21T09:05:07'))).toBe('09:05')
    expect(formatClock(at('2026-11-21T09:05:07'), 'seconds')).toBe('09:05:07')
  })

  test.each([
    ['2026-11-21T20:44:30', 'now'],
    ['2026-11-21T20:46:00', 'now'],
    ['2026-11-21T20:40:00', '5 min ago'],
    ['2026-11-21T18:40:00', '2 h ago'],
    ['2026-11-20T18:40:00', '1 day ago'],
    ['2026-10-01T12:00:00', 'Oct 1'],
    ['2025-10-01T12:00:00', 'Oct 1, 2025'],
  ])('%s was %s', (local, text) => {
    expect(formatAgo(at(local), now)).toBe(text)
  })

  test('a date names the year only where it is not this one', () => {
    expect(formatDate(at('2026-11-20T12:00:00'), now)).toBe('Nov 20')
    expect(formatDate(at('2025-11-20T12:00:00'), now)).toBe('Nov 20, 2025')
    expect(formatDateTime(at('2026-11-21T20:30:00'), now)).toBe('today, 20:30')
    expect(formatDateTime(at('2026-11-20T22:41:00'), now)).toBe('Nov 20, 22:41')
  })

  test.each([
    ['2026-11-21', 'Today'],
    ['2026-11-20', 'Yesterday'],
    ['2026-11-19', 'Thursday, Nov 19'],
    ['2025-11-19', 'Wednesday, Nov 19, 2025'],
    ['unknown', 'No date'],
  ])('the day %s is headed %s', (day, text) => {
    expect(formatDay(day, now)).toBe(text)
  })

  test('yesterday is the calendar day before, also on the first of a month', () => {
    expect(formatDay('2026-10-31', new Date('2026-11-01T00:30:00'))).toBe('Yesterday')
  })
})

describe('models', () => {
  test.each([
    ['gemini-2.5-pro', '2.5-pro'],
    ['models/gemini-2.5-flash', '2.5-flash'],
    ['gemini-3-pro-preview', '3-pro'],
    ['gemini-2.5-pro-preview-06-05', '2.5-pro'],
    ['gemini-exp-1206', 'exp-1206'],
    ['auto', 'auto'],
  ])('%s is called %s', (name, text) => {
    expect(formatModel(name)).toBe(text)
  })
})
