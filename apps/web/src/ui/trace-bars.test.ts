import { expect, test } from 'vitest'
import { TRACE_HEIGHT, traceBars } from './figures.tsx'

const point = (tokens: number, calls: number, failures: number) => ({
  tokens,
  calls,
  failures,
  failed: failures > 0,
})

test('C5: a trace is as red as its session: 22 of 706 failed calls in 16 of 28 bars are a foot of one px each', () => {
  const points = Array.from({ length: 28 }, (_, at) => point(100_000, 25, at < 6 ? 2 : at < 16 ? 1 : 0))
  const bars = traceBars(points)
  expect(bars.filter(({ failedHeight }) => failedHeight > 0)).toHaveLength(16)
  const red = bars.reduce((sum, { failedHeight }) => sum + failedHeight, 0)
  const all = bars.reduce((sum, { height }) => sum + height, 0)
  expect(red).toBe(16)
  expect(red / all).toBeLessThan(0.05)
})

test('C5: a bar is red to its top only where every call of it failed', () => {
  const heights = (calls: number, failures: number) => traceBars([point(160_000, calls, failures)])[0]
  const height = TRACE_HEIGHT - 1
  expect(heights(1, 1)).toEqual({ x: 0, height, failedHeight: height })
  expect(heights(2, 1)).toEqual({ x: 0, height, failedHeight: 9 })
  expect(heights(100, 99)).toEqual({ x: 0, height, failedHeight: height - 1 })
  expect(heights(4, 0)?.failedHeight).toBe(0)
})

test('C14: a short session has bars, no dots, and more tokens are never a lower bar', () => {
  const heights = traceBars(
    [0, 900, 2_300, 4_000, 20_000, 160_000, 2_000_000].map((tokens) => point(tokens, 1, 0)),
  )
  expect(heights.map(({ height }) => height)).toEqual([4, 4, 6, 8, 12, 17, 17])
})
