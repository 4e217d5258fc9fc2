import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, nextMonth, weekdayOf } from './dates.ts'

const aDay = fc
  .date({ min: new Date('1971-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

test('a day later is another day, and back again the same', () => {
  fc.assert(
    fc.property(aDay, fc.integer({ min: -1_000, max: 1_000 }), (day, count) => {
      expect(addDays(addDays(day, count), -count)).toBe(day)
      expect(addDays(day, 1) > day).toBe(true)
      expect(weekdayOf(addDays(day, 7))).toBe(weekdayOf(day))
    }),
  )
})

test('months end where they end', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
  expect(addDays('2025-12-31', 1)).toBe('2026-01-01')
  expect(nextMonth('2025-01-31')).toBe('2025-02-01')
  expect(nextMonth('2025-12-05')).toBe('2026-01-01')
})

test('weeks begin on Monday', () => {
  expect(weekdayOf('2026-11-23')).toBe(0)
  expect(weekdayOf('2026-11-22')).toBe(6)
})
