import { expect, test } from 'vitest'
import { linesOfJson, openLevels } from './lazy-blocks.tsx'

test('a value takes as many lines as its tree has, a large one no more than what of it is open', () => {
  const lines = (value: unknown) => linesOfJson(value, openLevels(value))
  expect(['word', null, {}, []].map(lines)).toEqual([1, 1, 1, 1])
  expect(lines({ one: 1, two: { three: [3, 4] } })).toBe(9)
  expect(lines('x'.repeat(150))).toBe(3)
  const large = { list: [Array.from({ length: 1_000 }, () => 'entry')] }
  expect([openLevels(large), lines(large)]).toEqual([2, 5])
})
