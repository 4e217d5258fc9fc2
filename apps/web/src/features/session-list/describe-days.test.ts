import { expect, test } from 'vitest'
import { describeDays } from './list-actions.tsx'

test('days are named as a person would, the last one included', () => {
  const year = new Date().getFullYear()
  expect(describeDays({})).toBeUndefined()
  expect(describeDays({ from: `${year}-11-21`, to: `${year}-11-22` })).toBe('Nov 21')
  expect(describeDays({ from: `${year}-11-28`, to: `${year}-12-05` })).toBe('Nov 28 to Dec 4')
  expect(describeDays({ from: `${year}-11-28` })).toBe('from Nov 28')
  expect(describeDays({ to: `${year}-12-01` })).toBe('until Nov 30')
})
