import type { UsageRow } from '@gemini-dash/api'
import { expect, test } from 'vitest'
import { addDays } from '../../lib/dates.ts'
import { shortestRange } from './usage-range.tsx'

const TODAY = '2027-01-25'
const now = new Date(`${TODAY}T12:00:00Z`)
const rowsOf = (...days: string[]) => days.map((key): Pick<UsageRow, 'key'> => ({ key }))

test.each([
  [0, '7d'],
  [6, '7d'],
  [7, '30d'],
  [29, '30d'],
  [30, '90d'],
  [89, '90d'],
  [90, '365d'],
  [364, '365d'],
  [365, 'all'],
  [4000, 'all'],
  // a fast clock
  [-3, '7d'],
])('T12: where something was recorded %d days ago, the usage opens on %s', (ago, range) => {
  const last = addDays(TODAY, -ago)
  expect(shortestRange(rowsOf('2010-01-01', last, 'unknown'), now)).toBe(range)
})

test('T12: where nothing was, or nothing with a date, it opens on all of it', () => {
  expect(shortestRange([], now)).toBe('all')
  expect(shortestRange(rowsOf('unknown'), now)).toBe('all')
})
