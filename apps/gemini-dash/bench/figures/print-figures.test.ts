import { expect, test } from 'vitest'
import { startManifest } from '../../../../fixtures/large/home-manifest.ts'
import type { Figure } from './figure.ts'
import { printFigures } from './print-figures.ts'

const MACHINE = {
  processor: 'Some Processor',
  threads: 2,
  memoryGigabytes: 8,
  system: 'linux',
  loadAverage: 0.25,
}
const RUNTIME = { executable: 'node', version: '20.20.2', driver: 'node-sqlite3-wasm' }
const figure = (over: Partial<Figure>): Figure => ({
  benchmark: 'query',
  name: 'substring',
  unit: 'ms',
  values: [4, 2, 3],
  problems: [],
  ...over,
})
const print = (...figures: Figure[]) =>
  printFigures(MACHINE, [{ runtime: RUNTIME, manifest: startManifest(7), figures }])

test('the machine, the driver and the home stand above the figures', () => {
  const text = print()
  expect(text).toContain('Some Processor, 2 threads, 8 GB; linux; load 0.3')
  expect(text).toContain('Node 20.20.2, node-sqlite3-wasm\n0 sessions')
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

test('a target stands below its figure, with whether it is reached', () => {
  const target = { must: 4, wanted: 2, of: 'p95' } as const
  expect(print(figure({ target }))).toContain('must reached: p95, must 4, wanted 2 ms')
  expect(print(figure({ target: { must: 1, wanted: null, of: 'median' } }))).toContain(
    'must missed: median, must 1 ms',
  )
})
