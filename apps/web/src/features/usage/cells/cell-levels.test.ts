import { expect, test } from 'vitest'
import { levelLimits, levelOf } from './cell-levels.ts'

test('nothing is no mark, something always is one, the highest is the largest', () => {
  expect([levelOf(0, 10), levelOf(0.0001, 10), levelOf(10, 10), levelOf(0, 0)]).toEqual([0, 1, 5, 0])
})

test('the scale says what the marks stand for', () => {
  for (const { level, most } of levelLimits(7.3)) {
    expect(levelOf(most, 7.3)).toBe(level)
    if (level < 5) expect(levelOf(most * 1.01, 7.3)).toBe(level + 1)
  }
})
