import { join } from 'node:path'
import { root, stampFolder } from '../steps/workspace.mjs'
import type { RunStep } from './checks.ts'
import { runSuite, type SuiteOptions, type SuiteRun } from './run-suite.ts'
import { deservesSecondTry, mergeTries, type Tries } from './second-try.ts'
import type { Failure, SuiteKind, TestRun } from './test-events.ts'

export interface Suites extends Tries {
  steps: RunStep[]
}

/** The program without page and samples, which `runBuild` makes. */
export const programOfTests = join(stampFolder, 'program')

/** How one suite is run: what `SuiteOptions` has, but for the arguments. */
type RunnerOptions = Omit<SuiteOptions, 'args'> & { isGate?: boolean }

/**
 * Runs unit tests in two processes and components of the page in a third, side by side, as each of them waits half of the time;
 * then the browser tests. The first three share one build of the program. `isGate`: without the files of left-out.json, in one
 * zone, and with a second try for what failed.
 */
export async function runSuites({
  isGate,
  deadlineMs,
}: Pick<RunnerOptions, 'isGate' | 'deadlineMs'>): Promise<Suites> {
  const env = { PROGRAM_FOLDER: programOfTests, ...(isGate && { TZ: 'UTC' }) }
  const options = { env, isGate, deadlineMs }
  const vitest = (name: string, kind: SuiteKind, ...more: string[]) =>
    runVitest({ name, kind, ...options }, more)
  const playwright = (name: string, ...more: string[]) =>
    runPlaywright({ name, kind: 'browser', ...options }, more)

  const runs = await Promise.all([
    vitest('unit 1', 'unit', '--shard=1/2', '--maxWorkers=1'),
    vitest('unit 2', 'unit', '--shard=2/2', '--maxWorkers=1'),
    vitest('components', 'page'),
  ])
  runs.push(await playwright('browser'))
  const first = together(runs)
  if (!isGate || !deservesSecondTry(first.failures))
    return { steps: runs.map(toStep), ...first, passedLater: [] }

  const again: SuiteRun[] = []
  for (const kind of ['unit', 'page'] as const) {
    const files = filesOf(first.failures, kind)
    if (files.length > 0) again.push(await vitest(`${kind} again`, kind, '--maxWorkers=1', ...files))
  }
  if (filesOf(first.failures, 'browser').length > 0)
    again.push(await playwright('browser again', '--last-failed', '--workers=1'))
  return { steps: [...runs, ...again].map(toStep), ...mergeTries(first, together(again)) }
}

/** Some unit tests, of all there are. */
export async function runUnitTests(files: string[]): Promise<Suites> {
  const run = await runVitest({ name: 'unit', kind: 'unit' }, files)
  return { steps: [toStep(run)], ...together([run]), passedLater: [] }
}

function runVitest({ isGate, ...options }: RunnerOptions, more: string[]): Promise<SuiteRun> {
  const config = isGate ? 'scripts/gate/vitest.config.ts' : 'vitest.config.ts'
  const own = ['--config', config, '--root', root, reporter('vitest'), '--project', options.kind]
  // with production's, React draws later than its tests expect
  const env = { ...options.env, NODE_ENV: 'test' }
  return runSuite({ ...options, env, args: ['vitest/vitest.mjs', 'run', ...own, ...more] })
}

function runPlaywright({ isGate, ...options }: RunnerOptions, more: string[]): Promise<SuiteRun> {
  const config = isGate ? 'scripts/gate/playwright.config.ts' : 'playwright.config.ts'
  const own = ['--config', config, reporter('playwright')]
  return runSuite({ ...options, args: ['@playwright/test/cli.js', 'test', ...own, ...more] })
}

function reporter(name: string): string {
  return `--reporter=${join(root, 'scripts', 'gate', `${name}-reporter.ts`)}`
}

function together(runs: readonly SuiteRun[]): Omit<TestRun, 'isFinished'> {
  return {
    tests: new Map(runs.flatMap(({ tests }) => [...tests])),
    failures: runs.flatMap(({ failures }) => failures),
  }
}

function toStep({ name, seconds, failures }: SuiteRun): RunStep {
  return { name, seconds, failed: failures.length }
}

function filesOf(failures: readonly Failure[], kind: SuiteKind): string[] {
  return [...new Set(failures.filter((failure) => failure.kind === kind).map(({ file }) => file))]
}
