import { afterEach, expect, test, vi } from 'vitest'
import { describeDays } from './list-actions.tsx'

// the current year is omitted
vi.setSystemTime('2026-12-06T12:00:00.000Z')
afterEach(() => vi.useRealTimers())

test('days are named as a person would, the last one included', () => {
  expect(describeDays({})).toBeUndefined()
  expect(describeDays({ from: '2026-11-21', to: '2026-11-22' })).toBe('Nov 21')
  expect(describeDays({ from: '2026-11-28', to: '2026-12-05' })).toBe('Nov 28 to Dec 4')
  expect(describeDays({ from: '2026-11-28' })).toBe('from Nov 28')
  expect(describeDays({ to: '2026-12-01' })).toBe('until Nov 30')
})
