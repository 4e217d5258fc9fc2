import { afterEach, expect, test, vi } from 'vitest'
import { describeDays } from './describe-days.ts'

// the year is left out where it is this one
vi.setSystemTime('2026-12-06T12:00:00.000Z')
afterEach(() => vi.useRealTimers())

test('days are named as a person would, the last one included', () => {
  expect(describeDays({})).toBeUndefined()
  expect(describeDays({ from: `2026-11-21`, to: `2026-11-22` })).toBe('21 Nov')
  expect(describeDays({ from: `2026-11-28`, to: `2026-12-05` })).toBe('28 Nov to 4 Dec')
  expect(describeDays({ from: `2026-11-28` })).toBe('from 28 Nov')
  expect(describeDays({ to: `2026-12-01` })).toBe('until 30 Nov')
})
