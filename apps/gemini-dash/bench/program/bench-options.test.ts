import { expect, test } from 'vitest'
import { BENCHMARKS, readBenchOptions } from './bench-options.ts'
import { readByteSize } from './read-byte-size.ts'

test('without arguments everything runs on a small home', () => {
  expect(readBenchOptions([])).toMatchObject({
    sessions: 200,
    bytes: 200e6,
    runs: 3,
    only: BENCHMARKS.filter((name) => name !== 'hostile'),
  })
})

test('what is asked for is taken, in the order in which benchmarks run', () => {
  expect(
    readBenchOptions(['--bytes', '1GB', '--sessions=1000', '--runs', '7', '--only', 'index, list', '--json']),
  ).toMatchObject({ bytes: 1e9, sessions: 1000, runs: 7, only: ['list', 'index'], format: 'json' })
})

test('homes and Nodes may be several', () => {
  const asked = ['--generated', 'a', '--generated', 'b', '--node', 'newer', '--markdown']
  expect(readBenchOptions(asked)).toMatchObject({
    generated: ['a', 'b'],
    nodes: ['newer'],
    format: 'markdown',
  })
})

test.each([
  [['--runs', '0'], '--runs wants a whole number above 0, not "0".'],
  [['--bytes', 'much'], '--bytes wants a size such as 200MB or 1GB, not "much".'],
  [['--only', 'lists'], 'There is no benchmark "lists"; there are list, index,'],
  [['--what'], "Unknown option '--what'"],
])('%j is refused with a reason', (args, reason) => {
  expect(() => readBenchOptions(args)).toThrow(reason)
})

test.each([
  ['5000', 5_000],
  ['200MB', 200_000_000],
  ['1.5 GB', 1_500_000_000],
  ['64kb', 64_000],
])('%s are %d bytes', (text, bytes) => {
  expect(readByteSize('--bytes', text)).toBe(bytes)
})

test.each(['', '0', '-5', '10TB', 'MB', '1,5GB'])('"%s" is no size', (text) => {
  expect(() => readByteSize('--bytes', text)).toThrow('--bytes')
})
