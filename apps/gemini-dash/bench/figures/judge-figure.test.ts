import { expect, test } from 'vitest'
import type { Figure } from './figure.ts'
import { judgeFigure } from './judge-figure.ts'

const shared: Figure = { benchmark: 'index', name: 'a figure', unit: 'ms', values: [], problems: [] }

test('times are judged by the percentile that the target names', () => {
  const target = { must: 50, wanted: 15, of: 'p95' } as const
  const judge = (...values: number[]) => judgeFigure({ ...shared, values, target })
  expect(judge(1, 2, 51)).toBe('must missed')
  expect(judge(1, 2, 50)).toBe('must reached')
  expect(judge(1, 2, 15)).toBe('wanted reached')
  expect(judge()).toBeNull()
})

test('of rates more is better', () => {
  const target = { must: 80, wanted: 160, of: 'median' } as const
  const judge = (value: number) => judgeFigure({ ...shared, unit: 'MB/s', values: [value], target })
  expect([79, 80, 160].map(judge)).toEqual(['must missed', 'must reached', 'wanted reached'])
})

test('what is wrong reaches nothing, however fast it was', () => {
  const target = { must: 50, wanted: null, of: 'median' } as const
  expect(judgeFigure({ ...shared, values: [1], target })).toBe('must reached')
  expect(judgeFigure({ ...shared, values: [1], target, problems: ['0 hits, not 1'] })).toBe('must missed')
  expect(judgeFigure({ ...shared, values: [1] })).toBeNull()
})
