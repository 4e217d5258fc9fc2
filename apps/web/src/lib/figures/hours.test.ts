import { expect, test } from 'vitest'
import { clockChoice, formatClock } from './format.ts'
import { describeHour, describeHourKey, hourKey } from './hours.ts'

test('an hour of the week is called alike by its name and its place', () => {
  expect(describeHourKey(hourKey(6, '23'))).toBe(describeHour(6, '23'))
  expect(describeHourKey('7-23')).toBe('Sun, 23:00 to 00:00')
})

test.each(['0-10', '8-10', '1-24', '1-9', 'monday', ''])('%j is no hour of the week', (key) => {
  expect(describeHourKey(key)).toBeUndefined()
})

test('hours are written as on the clock that the reader chose', () => {
  clockChoice.set('12')
  expect([describeHour(0, '00'), describeHour(0, '11'), describeHour(6, '23')]).toEqual([
    'Mon, 12 am to 1 am',
    'Mon, 11 am to 12 pm',
    'Sun, 11 pm to 12 am',
  ])
  expect(['08:05', '12:00', '00:30', '23:59'].map((time) => formatClock(`2026-11-21T${time}:00`))).toEqual([
    '8:05 am',
    '12:00 pm',
    '12:30 am',
    '11:59 pm',
  ])
  clockChoice.set('24')
})
