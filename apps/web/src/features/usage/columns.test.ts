import type { UsageRow } from '@gemini-dash/api'
import { expect, test } from 'vitest'
import { labelStep, toColumns } from './columns.tsx'
import { unitOf, unitsFor } from './usage-range.tsx'

const row = (key: string, sessions: number): UsageRow => ({
  key,
  label: key,
  usage: null,
  cost: null,
  calls: 0,
  sessions,
})

test('every period has a column, with what the API says of it', () => {
  const days = toColumns(
    [row('2026-11-20', 3)],
    { first: '2026-11-18', last: '2026-11-21' },
    'day',
    'sessions',
  )
  expect(days.map(({ start, value }) => [start, value])).toEqual([
    ['2026-11-18', 0],
    ['2026-11-19', 0],
    ['2026-11-20', 3],
    ['2026-11-21', 0],
  ])
  const range = { first: '2026-10-29', last: '2026-11-21' }
  const weeks = toColumns([row('2026-11-09', 2), row('unknown', 9)], range, 'week', 'sessions')
  expect(weeks.map(({ start, value }) => [start, value])).toEqual([
    ['2026-10-26', 0],
    ['2026-11-02', 0],
    ['2026-11-09', 2],
    ['2026-11-16', 0],
  ])
  const months = toColumns([row('2026-11', 5)], range, 'month', 'sessions')
  expect(months.map(({ start, value }) => [start, value])).toEqual([
    ['2026-10-01', 0],
    ['2026-11-01', 5],
  ])
})

test('a range begins with columns that can be told apart, and offers no others', () => {
  const last = '2026-11-21'
  expect(unitOf({ first: '2026-10-23', last })).toBe('day')
  expect(unitOf({ first: '2026-08-24', last })).toBe('week')
  expect(unitOf({ first: '2025-11-22', last })).toBe('month')
  expect(unitsFor({ first: '2025-11-22', last })).toEqual(['day', 'week', 'month'])
  expect(unitsFor({ first: '2010-01-01', last })).toEqual(['month'])
})

test('P6: each of seven days has its date where there is room, and else every second or third', () => {
  expect(labelStep('day', 150, 7)).toBe(1)
  expect(labelStep('day', 40, 7)).toBe(2)
  expect(labelStep('day', 35, 30)).toBe(7)
  expect(labelStep('day', 6, 90)).toBe(14)
  expect(labelStep('month', 20, 12)).toBe(3)
})
