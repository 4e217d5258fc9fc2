import { expect, test } from 'vitest'
import { endOfMonth, PERIODS, periodOf } from './times.ts'

const periodsOf = (time: string, zone = 'UTC') =>
  PERIODS.map((period) => periodOf(Date.parse(time), period, zone))

test('a week begins on Monday, also over the turn of a year, and before 1970', () => {
  expect(periodsOf('2026-11-23T00:00:00Z')).toEqual(['2026-11-23', '2026-11-23', '2026-11'])
  expect(periodsOf('2026-11-29T23:59:59Z')).toEqual(['2026-11-29', '2026-11-23', '2026-11'])
  expect(periodsOf('2027-01-01T12:00:00Z')).toEqual(['2027-01-01', '2026-12-28', '2027-01'])
  expect(periodsOf('1969-12-31T12:00:00Z')).toEqual(['1969-12-31', '1969-12-29', '1969-12'])
})

test('days, weeks and months are those of the zone, also when its clocks change', () => {
  expect(periodsOf('2026-11-30T23:30:00Z', 'Europe/Vienna')).toEqual(['2026-12-01', '2026-11-30', '2026-12'])
  expect(periodsOf('2026-11-30T02:00:00Z', 'America/New_York')).toEqual([
    '2026-11-29',
    '2026-11-23',
    '2026-11',
  ])
  expect(periodsOf('2026-03-29T21:59:59Z', 'Europe/Vienna')).toEqual(['2026-03-29', '2026-03-23', '2026-03'])
  expect(periodsOf('2026-03-29T22:00:00Z', 'Europe/Vienna')).toEqual(['2026-03-30', '2026-03-30', '2026-03'])
})

test('what has no time is in none', () => {
  expect(PERIODS.map((period) => periodOf(Number.NaN, period, 'UTC'))).toEqual(Array(3).fill('unknown'))
})

test('a month ends where the next one begins', () => {
  expect(['2026-11', '2026-12', '2028-02'].map(endOfMonth)).toEqual([
    '2026-12-01',
    '2027-01-01',
    '2028-03-01',
  ])
})
