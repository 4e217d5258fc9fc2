import { join } from 'node:path'
import { root, stampFolder } from '../steps/workspace.mjs'
import type { RunStep } from './checks.ts'
import { countStates, type Results } from './print-end.ts'
import { runSuite, type SuiteOptions, type SuiteRun } from './run-suite.ts'
import { deservesSecondTry, mergeTries } from './second-try.ts'
import type { Failure, SuiteKind, TestRun } from './test-events.ts'

/** The program without page and samples, built by `runBuild`. */
export const programOfTests = join(stampFolder, 'program')

/** `SuiteOptions` without the arguments. */
type RunnerOptions = Omit<SuiteOptions, 'args'> & { isGate?: boolean }

/** For `npm run test:all`: all files, no second try. */
export async function runAllUnitTests(env: Record<string, string>): Promise<Results> {
  return toResults(await runUnitTestsAndComponents({ env }))
}

export async function runAllBrowserTests(): Promise<Results> {
  return toResults([await runPlaywright({ name: 'browser', kind: 'browser' }, [])])
}

/** Selected unit tests out of all. */
export async function runUnitTests(files: string[]): Promise<Results> {
  return toResults([await runVitest({ name: 'unit', kind: 'unit' }, files)])
}

/** For `npm test`: without the files in left-out.json, in one zone, with a second try for failures. */
export async function runGateTests(deadlineMs: number): Promise<Results & Pick<TestRun, 'tests'>> {
  const options = { env: { TZ: 'UTC' }, isGate: true, deadlineMs }
  const playwright = (name: string, ...more: string[]) =>
    runPlaywright({ name, kind: 'browser', ...options }, more)
  const runs = [...(await runUnitTestsAndComponents(options)), await playwright('browser')]
  const first = together(runs)
  if (!deservesSecondTry(first.failures)) return { ...first, ...toResults(runs) }

  const again: SuiteRun[] = []
  for (const kind of ['unit', 'page'] as const) {
    const files = filesOf(first.failures, kind)
    if (files.length > 0)
      again.push(await runVitest({ name: `${kind} again`, kind, ...options }, ['--maxWorkers=1', ...files]))
  }
  if (filesOf(first.failures, 'browser').length > 0)
    again.push(await playwright('browser again', '--last-failed', '--workers=1'))
  const tries = mergeTries(first, together(again))
  return { ...tries, steps: [...runs, ...again].map(toStep), counts: countStates(tries.tests) }
}

/**
 * Unit tests in two processes and component tests in a third, in parallel, as each waits half of the time. They share one build of the
 * program.
 */
function runUnitTestsAndComponents(options: Omit<RunnerOptions, 'name' | 'kind'>): Promise<SuiteRun[]> {
  const vitest = (name: string, kind: SuiteKind, ...more: string[]) => {
    const env = { ...options.env, PROGRAM_FOLDER: programOfTests }
    return runVitest({ name, kind, ...options, env }, more)
  }
  return Promise.all([
    vitest('unit 1', 'unit', '--shard=1/2', '--maxWorkers=1'),
    vitest('unit 2', 'unit', '--shard=2/2', '--maxWorkers=1'),
    vitest('components', 'page'),
  ])
}

function runVitest({ isGate, ...options }: RunnerOptions, more: string[]): Promise<SuiteRun> {
  const config = isGate ? 'scripts/gate/vitest.config.ts' : 'vitest.config.ts'
  const own = ['--config', config, '--root', root, reporter('vitest'), '--project', options.kind]
  // in production mode React renders later than the tests expect
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

function toResults(runs: readonly SuiteRun[]): Results {
  const { tests, failures } = together(runs)
  return { steps: runs.map(toStep), counts: countStates(tests), failures, passedLater: [] }
}

function toStep({ name, seconds, failures }: SuiteRun): RunStep {
  return { name, seconds, failed: failures.length }
}

function filesOf(failures: readonly Failure[], kind: SuiteKind): string[] {
  return [...new Set(failures.filter((failure) => failure.kind === kind).map(({ file }) => file))]
}
