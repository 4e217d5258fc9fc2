import { expect, test } from 'vitest'
import { describeHour, describeHourKey, hourKey } from './figures.ts'

test('an hour of the week is called alike by its name and its place', () => {
  expect(describeHourKey(hourKey(6, '23'))).toBe(describeHour(6, '23'))
  expect(describeHourKey('7-23')).toBe('Sun, 23:00 to 00:00')
})

test.each(['0-10', '8-10', '1-24', '1-9', 'monday', ''])('%j is no hour of the week', (key) => {
  expect(describeHourKey(key)).toBeUndefined()
})
