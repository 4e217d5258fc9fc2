import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HomeManifest } from '../../../fixtures/large/home-manifest.ts'
import { writeLargeHome } from '../../../fixtures/large/large-home.ts'
import { benchAppend } from './bench-append.ts'
import { benchIdle } from './bench-idle.ts'
import { benchIndex } from './bench-index.ts'
import { benchLargeSession } from './bench-large-session.ts'
import { benchList } from './bench-list.ts'
import { BENCH_HELP, type BenchmarkName, type BenchOptions, readBenchOptions } from './bench-options.ts'
import { benchQuery } from './bench-query.ts'
import { benchUsage } from './bench-usage.ts'
import type { Figure } from './figure.ts'
import { describeMachine } from './machine.ts'
import { printFigures } from './print-figures.ts'
import { spreadOf } from './spread.ts'
import type { Workbench } from './workbench.ts'

const PROGRAM = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const WORK: Record<BenchmarkName, (bench: Workbench) => Promise<Figure[]>> = {
  list: benchList,
  index: benchIndex,
  query: benchQuery,
  usage: benchUsage,
  append: benchAppend,
  'large-session': benchLargeSession,
  idle: benchIdle,
}

// npm run bench: the built program as its users have it, on a home whose content is known.
const options = optionsOrEnd()
const machine = describeMachine()
const folder = mkdtempSync(join(tmpdir(), 'gemini-dash-bench-'))
// Also when it is interrupted; servers end in the same moment.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const bench = openWorkbench(options)
const figures: Figure[] = []
for (const name of options.only) {
  process.stderr.write(`${name} ...\n`)
  figures.push(...(await WORK[name](bench)))
}
process.stdout.write(options.isJson ? asJson() : printFigures(machine, describeHome(), figures))
process.exitCode = figures.some(({ problems }) => problems.length > 0) ? 1 : 0

function optionsOrEnd(): BenchOptions {
  if (process.argv.includes('--help')) end(0, BENCH_HELP)
  try {
    return readBenchOptions(process.argv.slice(2))
  } catch (error) {
    return end(2, `${error instanceof Error ? error.message : error}\n${BENCH_HELP}`)
  }
}

function end(code: number, words: string): never {
  process.stderr.write(words)
  process.exit(code)
}

function openWorkbench(from: BenchOptions): Workbench {
  const program = from.program ?? PROGRAM
  if (!existsSync(program)) end(2, `There is no ${program}; npm run build makes one.\n`)
  const place = from.generated ?? folder
  return {
    options: from,
    program,
    manifest: from.generated === null ? generate(from) : readManifest(from.generated),
    home: join(place, 'home', '.gemini'),
    folder,
    keptIndex: join(folder, 'kept-index'),
  }
}

function generate({ sessions, bytes, seed }: BenchOptions): HomeManifest {
  process.stderr.write('generating a home ...\n')
  return writeLargeHome({ sessions, bytes, seed, out: folder })
}

function readManifest(generated: string): HomeManifest {
  const path = join(generated, 'manifest.json')
  if (!existsSync(path)) end(2, `There is no ${path}; fixtures/generate-home.ts --out writes it.\n`)
  return JSON.parse(readFileSync(path, 'utf8'))
}

function describeHome(): string {
  const { sessions, subagents, bytes, messages, supersededMessages, seed } = bench.manifest
  return `${sessions} sessions and ${subagents} of sub-agents, ${(bytes / 1e6).toFixed(0)} MB, ${messages + supersededMessages} messages, seed ${seed}`
}

function asJson(): string {
  const { needles, countedQueries, ...home } = bench.manifest
  const measured = figures.map(({ values, comparisons = [], ...figure }) => ({
    ...figure,
    ...spreadOf(values),
    comparisons: comparisons.map(({ tool, values: times }) => ({ tool, ...spreadOf(times ?? []) })),
  }))
  return `${JSON.stringify({ machine, home, figures: measured }, null, 2)}\n`
}
