import { expect, test } from 'vitest'
import { describeDays } from './describe-days.ts'

test('days are named as a person would, the last one included', () => {
  const year = new Date().getFullYear()
  expect(describeDays({})).toBeUndefined()
  expect(describeDays({ from: `${year}-11-21`, to: `${year}-11-22` })).toBe('21 Nov')
  expect(describeDays({ from: `${year}-11-28`, to: `${year}-12-05` })).toBe('28 Nov to 4 Dec')
  expect(describeDays({ from: `${year}-11-28` })).toBe('from 28 Nov')
  expect(describeDays({ to: `${year}-12-01` })).toBe('until 30 Nov')
})
