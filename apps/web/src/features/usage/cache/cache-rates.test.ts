import type { UsageRow } from '@gemini-dash/api'
import { NO_COST, NO_USAGE } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { lastDays } from '../../../lib/figures/day-range.ts'
import { toCacheRates, unbrokenRuns } from './cache-rates.ts'

const row = (key: string, input: number, cached: number): UsageRow => ({
  key,
  label: key,
  usage: { ...NO_USAGE, input, cached, total: input },
  cost: NO_COST,
  calls: 1,
  sessions: 1,
})

test('a day without input is a gap, one without cached input is 0 %', () => {
  const { points } = toCacheRates(
    [row('2026-11-18', 100, 0), row('2026-11-20', 200, 50)],
    ['2026-11-18', '2026-11-19', '2026-11-20'],
  )
  expect(points.map(({ rate }) => rate)).toEqual([0, null, 0.25])
  expect(unbrokenRuns(points).map((run) => run.map(({ start }) => start))).toEqual([
    ['2026-11-18'],
    ['2026-11-20'],
  ])
})

test('a week weighs its days by their tokens', () => {
  const days = lastDays(200, new Date(2026, 10, 21))
  const { unit, points } = toCacheRates([row('2026-11-16', 900, 0), row('2026-11-21', 100, 100)], days)
  expect(unit).toBe('week')
  expect(points.at(-1)).toEqual({ start: '2026-11-16', input: 1_000, cached: 100, rate: 0.1 })
})
