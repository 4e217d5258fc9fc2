import { expect, test } from 'vitest'
import type { Figure } from './figure.ts'
import { printFigures } from './print-figures.ts'

const MACHINE = {
  node: '20.20.2',
  driver: 'node-sqlite3-wasm',
  processor: 'Some Processor',
  threads: 2,
  system: 'linux',
  loadAverage: 0.25,
}
const figure = (over: Partial<Figure>): Figure => ({
  benchmark: 'query',
  name: 'substring',
  unit: 'ms',
  values: [4, 2, 3],
  problems: [],
  ...over,
})
const print = (...figures: Figure[]) => printFigures(MACHINE, 'a home', figures)

test('the machine and the driver stand above the figures', () => {
  expect(print()).toContain('Node 20.20.2, node-sqlite3-wasm; Some Processor, 2 threads; linux; load 0.3')
})

test('a figure has its median, its spread and what was checked', () => {
  expect(print(figure({ checked: '3 answers' }))).toMatch(
    /substring +3\.00 ms {2}p95 4\.00, 2\.00 to 4\.00, 3 runs {2}\[3 answers\]/,
  )
})

test('another tool stands below it, as a ratio or as missing', () => {
  const comparisons = [
    { tool: 'grep', values: [1, 2, 1.5] },
    { tool: 'ripgrep', values: null },
  ]
  const text = print(figure({ comparisons }))
  expect(text).toMatch(/grep +1\.50 ms {2}ours takes 2\.00 times as long/)
  expect(text).toMatch(/ripgrep +not on this machine/)
})

test('a rate has no percentiles, and is compared by how fast it is', () => {
  const text = print(figure({ unit: 'MB/s', comparisons: [{ tool: 'jq', values: [6] }] }))
  expect(text).toMatch(/substring +3\.00 MB\/s {2}2\.00 to 4\.00, 3 runs/)
  expect(text).toContain('ours is 0.50 times as fast')
})

test('a figure whose check failed is no figure', () => {
  const text = print(figure({ problems: ['needle: 0 hits, not 1'] }))
  expect(text).toMatch(/substring +FAILED\n {4}needle: 0 hits, not 1/)
  expect(text).not.toContain('3.00 ms')
})

test('figures that fail for the same reason name it once', () => {
  const problems = ['66 sessions, not 67']
  const text = print(figure({ problems }), figure({ problems, name: 'regular expression' }))
  expect(text.match(/FAILED/g)).toHaveLength(2)
  expect(text.match(/66 sessions/g)).toHaveLength(1)
})

test('what the system does not tell is said', () => {
  expect(print(figure({ values: [] }))).toContain('not measured on this system')
})
