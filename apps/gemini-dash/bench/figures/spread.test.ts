import { expect, test } from 'vitest'
import { spreadOf } from './spread.ts'

test('percentiles are values that were measured, whatever their order', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(spreadOf(values)).toEqual({ median: 50, p95: 95, p99: 99, lowest: 1, highest: 100, runs: 100 })
})

test('few values have the highest as their percentiles', () => {
  expect(spreadOf([3, 1, 2])).toEqual({ median: 2, p95: 3, p99: 3, lowest: 1, highest: 3, runs: 3 })
  expect(spreadOf([7])).toMatchObject({ median: 7, p95: 7, lowest: 7, highest: 7, runs: 1 })
})

test('numbers are ordered as numbers', () => {
  expect(spreadOf([10, 9, 100])?.median).toBe(10)
})

test('nothing measured is no figure', () => {
  expect(spreadOf([])).toBeNull()
})
