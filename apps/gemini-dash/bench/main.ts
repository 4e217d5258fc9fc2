import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HomeManifest } from '../../../fixtures/large/home-manifest.ts'
import { writeLargeHome } from '../../../fixtures/large/large-home.ts'
import { judgeFigure } from './figures/judge-figure.ts'
import type { Measurement } from './figures/measurement.ts'
import { printFigures } from './figures/print-figures.ts'
import { printMarkdown } from './figures/print-markdown.ts'
import { readManifest } from './figures/read-manifest.ts'
import { spreadOf } from './figures/spread.ts'
import { BENCH_HELP, type BenchOptions, readBenchOptions } from './program/bench-options.ts'
import { describeMachine, type Machine } from './program/machine.ts'
import { findRuntime } from './program/runtime.ts'
import { runBenchmarks } from './run-benchmarks.ts'

const PROGRAM = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const PRINT = { text: printFigures, markdown: printMarkdown, json: printJson }

// npm run bench: the built program as users run it, on homes with known content.
if (process.argv.includes('--help')) end(0, BENCH_HELP)
const options = orEnd(() => readBenchOptions(process.argv.slice(2)), BENCH_HELP)
const program = options.program ?? PROGRAM
if (!existsSync(program)) end(2, `There is no ${program}; npm run build makes one.\n`)
const runtimes = orEnd(() => [process.execPath, ...options.nodes].map(findRuntime))
const machine = describeMachine()
const folder = mkdtempSync(join(tmpdir(), 'gemini-dash-bench-'))
// Also on interruption; servers end at the same moment.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const homes = orEnd(() => openHomes(options))
const measurements: Measurement[] = []
for (const [index, { home, manifest }] of homes.entries())
  for (const runtime of runtimes) {
    const figures = await runBenchmarks({
      options,
      program,
      runtime,
      manifest,
      home,
      isFurther: index > 0,
      folder,
      keptIndex: mkdtempSync(join(folder, 'kept-index-')),
    })
    measurements.push({ runtime, manifest, figures })
  }
process.stdout.write(PRINT[options.format](machine, measurements))
const hasProblems = measurements.some(({ figures }) => figures.some(({ problems }) => problems.length > 0))
process.exitCode = hasProblems ? 1 : 0

function openHomes({
  generated,
  sessions,
  bytes,
  seed,
}: BenchOptions): { home: string; manifest: HomeManifest }[] {
  if (generated.length > 0)
    return generated.map((place) => ({ home: homeIn(place), manifest: readManifest(place) }))
  process.stderr.write('generating a home ...\n')
  return [{ home: homeIn(folder), manifest: writeLargeHome({ sessions, bytes, seed, out: folder }) }]
}

function homeIn(place: string): string {
  return join(place, 'home', '.gemini')
}

function orEnd<Result>(work: () => Result, help = ''): Result {
  try {
    return work()
  } catch (error) {
    return end(2, `${error instanceof Error ? error.message : error}\n${help}`)
  }
}

function end(code: number, words: string): never {
  process.stderr.write(words)
  process.exit(code)
}

function printJson(machine: Machine, measurements: readonly Measurement[]): string {
  const measured = measurements.map(({ runtime, manifest, figures }) => {
    const { needles, countedQueries, ...home } = manifest
    const { version, driver } = runtime
    return {
      node: version,
      driver,
      home,
      figures: figures.map((figure) => {
        const { values, comparisons = [], ...rest } = figure
        return {
          ...rest,
          ...spreadOf(values),
          verdict: judgeFigure(figure),
          comparisons: comparisons.map(({ tool, values: times }) => ({ tool, ...spreadOf(times ?? []) })),
        }
      }),
    }
  })
  return `${JSON.stringify({ machine, measured }, null, 2)}\n`
}
