import { expect, test } from 'vitest'
import { startManifest } from '../../../../fixtures/large/home-manifest.ts'
import type { Figure } from './figure.ts'
import { printMarkdown } from './print-markdown.ts'

const MACHINE = { processor: 'P', threads: 2, memoryGigabytes: 8, system: 'linux', loadAverage: 0 }
const FIGURE: Figure = {
  benchmark: 'query',
  name: 'substring',
  unit: 'ms',
  values: [40],
  target: { must: 50, wanted: 15, of: 'p95' },
  comparisons: [{ tool: 'ripgrep', values: [80] }],
  problems: [],
}

test('a home is a table with a column for each Node, what was reached, and what other tools did', () => {
  const manifest = startManifest(7)
  const runtime = (version: string) => ({ executable: 'node', version, driver: 'some driver' })
  const lines = printMarkdown(MACHINE, [
    { runtime: runtime('20'), manifest, figures: [FIGURE] },
    { runtime: runtime('24'), manifest, figures: [{ ...FIGURE, values: [8] }] },
  ]).split('\n')
  expect(lines[0]).toContain('P, 2 threads, 8 GB; linux')
  expect(lines[2]).toContain('seed 7')
  expect(lines.slice(4, 7)).toEqual([
    '|  | must / wanted | Node 20, some driver | Node 24, some driver | other tools, same run |',
    '| --- | ---: | ---: | ---: | --- |',
    '| substring | p95 50 / 15 ms | 40.0, p95 40.0 ms (must reached) | 8.00, p95 8.00 ms (wanted reached) | ripgrep: 80.0 and 80.0 ms, ours 0.50 and 0.10 times that |',
  ])
})

test('a wrong answer and what could not be measured are no figures', () => {
  const text = printMarkdown(MACHINE, [
    {
      runtime: { executable: 'node', version: '20', driver: 'some driver' },
      manifest: startManifest(7),
      figures: [
        { ...FIGURE, problems: ['0 hits, not 1'] },
        { ...FIGURE, name: 'memory', values: [] },
      ],
    },
  ])
  expect(text).toContain('| FAILED |')
  expect(text).toContain('| not measured |')
})
