import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../steps/workspace.mjs'
import type { RunStep } from './checks.ts'
import { reportFolder } from './run-suite.ts'
import type { Failure, TestRun } from './test-events.ts'

/** Results of a run, or of some of its steps. */
export interface Results {
  /** In display order. */
  steps: RunStep[]
  counts: Counts
  failures: Failure[]
  /** Failed the first time, passed the second. */
  passedLater: Failure[]
}

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

interface EndOptions {
  /** Number of tests that only `npm run test:all` runs. */
  leftOut?: number
  /** The caller's own lines, before the counts. */
  remarks?: string[]
}

const FULL_TEXTS = join(reportFolder, 'failures.txt')
const MOST_LINES = 60
const LINE_LENGTH = 200
/** Lines of a message, and of the expected and received values. */
const LINES_OF_ERROR = 3
const LINES_OF_TOOL = 10

/** Merges results in order. */
export function mergeResults(all: readonly Partial<Results>[]): Results {
  const sum = (state: keyof Counts) => all.reduce((total, { counts }) => total + (counts?.[state] ?? 0), 0)
  return {
    steps: all.flatMap(({ steps = [] }) => steps),
    counts: { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') },
    failures: all.flatMap(({ failures = [] }) => failures),
    passedLater: all.flatMap(({ passedLater = [] }) => passedLater),
  }
}

export function countStates(tests: TestRun['tests']): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { state } of tests.values()) counts[state] += 1
  return counts
}

/** Prints the summary, writes truncated output to files, and sets the exit code. */
export function printEnd(results: Results, options: EndOptions = {}): void {
  const tools = failedTools(results)
  const texts = [
    ...tools.map(({ name, output }) => `== ${name}\n${output}`),
    ...[...results.failures, ...results.passedLater].map(wholeText),
  ]
  mkdirSync(reportFolder, { recursive: true })
  writeFileSync(FULL_TEXTS, texts.join('\n\n'))
  process.stdout.write(`\n${linesOfEnd(results, options).join('\n')}\n`)
  process.exitCode = tools.length + results.failures.length > 0 ? 1 : 0
}

/** Failures with reasons, tests that passed on the second try, the duration of each step, and the counts: at most 60 lines. */
export function linesOfEnd(results: Results, { leftOut = 0, remarks = [] }: EndOptions = {}): string[] {
  const { steps, counts, failures, passedLater } = results
  const listed = [...failedTools(results).map(linesOfTool), ...failures.map(linesOfFailure)]
  const ran = counts.passed + counts.failed + counts.skipped
  const foot = [
    ...linesOfLater(passedLater),
    `Steps: ${steps.map(textOfStep).join(' · ')}`,
    ...remarks,
    ...(ran > 0 ? [`${ran} of ${ran + leftOut} tests`] : []),
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped, as what they need is not on this machine`] : []),
    `${counts.passed} passed, ${listed.length} failed`,
  ]
  if (listed.length === 0) return foot
  const shown = listed.slice(0, countThatFit(listed, MOST_LINES - foot.length - 2))
  const rest = listed.length - shown.length
  const where = relative(root, FULL_TEXTS)
  const more = rest > 0 ? `... and ${rest} more; all in ${where}` : `Whole texts: ${where}`
  return [`Failed: ${listed.length}`, ...shown.flat(), more, ...foot]
}

/** Failures of suites are listed individually. */
function failedTools({ steps }: Pick<Results, 'steps'>): RunStep[] {
  return steps.filter(({ output }) => output !== undefined)
}

function countThatFit(groups: readonly string[][], room: number): number {
  let used = 0
  const tooMuch = groups.findIndex((lines) => {
    used += lines.length
    return used > room
  })
  return tooMuch === -1 ? groups.length : tooMuch
}

function textOfStep({ name, seconds, failed }: RunStep): string {
  return `${name} ${seconds} s ${failed > 0 ? `${failed} failed` : 'ok'}`
}

function linesOfTool({ name, output = '' }: RunStep): string[] {
  const all = output.split('\n').filter((line) => line.trim() !== '')
  // the fault kit lists its parts in sequence
  const lines = all.slice(
    Math.max(
      0,
      all.findIndex((line) => line.includes('FAILED')),
    ),
  )
  return [`${name}:`, ...lines.slice(0, LINES_OF_TOOL).map((line) => `   ${line}`)].map(cut)
}

function linesOfFailure(failure: Failure, place: number): string[] {
  const title = failure.names.join(' › ')
  return [
    `${place + 1}  ${placeOf(failure)}`,
    ...(title === '' ? [] : [`   ${title}`]),
    ...linesOfError(failure).map((line) => `   ${line}`),
    ...(failure.file === '' ? [] : [`   again: ${commandOf(failure)}`]),
  ].map(cut)
}

function linesOfLater(failures: readonly Failure[]): string[] {
  if (failures.length === 0) return []
  const lines = failures.flatMap((failure) => [
    `   ${[placeOf(failure), ...failure.names].join(' › ')}`,
    `      first: ${linesOfError(failure)[0] ?? ''}`,
  ])
  return [`Passed on the second try: ${failures.length}`, ...lines.map(cut)]
}

function placeOf({ file, line }: Failure): string {
  if (file === '') return 'no test'
  return line === undefined ? file : `${file}:${line}`
}

/** The message, then the expected and received values. */
function linesOfError({ errors: [error] }: Failure): string[] {
  const lines = (error?.message ?? '').split('\n').filter((line) => line.trim() !== '')
  const [message = '', ...rest] = lines
  // Playwright includes them in the message; Vitest has a diff.
  const said = rest.filter((line) => /^\s*(?:Expected|Received)\b/.test(line))
  const differing = (error?.diff ?? '').split('\n')
  const expected = differing.find((line) => /^- (?!Expected)/.test(line))
  const received = differing.find((line) => /^\+ (?!Received)/.test(line))
  const differences = [
    expected && `expected: ${expected.slice(1).trim()}`,
    received && `received: ${received.slice(1).trim()}`,
  ].flatMap((line) => line || [])
  const more = [said, differences, rest].find((each) => each.length > 0) ?? []
  return [message, ...more].slice(0, LINES_OF_ERROR).map((line) => line.trim())
}

/** The command that runs only this test. */
function commandOf({ kind, file, beginsAt }: Failure): string {
  const place = beginsAt === undefined ? file : `${file}:${beginsAt}`
  if (kind === 'browser') return `${givenInputs()}npx playwright test ${place}`
  return `${givenInputs()}npx vitest run --project ${kind} ${place}`
}

/** The random choices of an `npm run test:all` run, as environment variables. */
function givenInputs(): string {
  const { TEST_SEED, TZ } = process.env
  return TEST_SEED === undefined ? '' : `${TZ === undefined ? '' : `TZ=${TZ} `}TEST_SEED=${TEST_SEED} `
}

function wholeText(failure: Failure): string {
  const texts = failure.errors.map(({ message, diff, stack }) =>
    [message, diff, stack].filter((text) => text !== '').join('\n'),
  )
  return [`== ${[placeOf(failure), ...failure.names].join(' › ')}`, ...texts].join('\n')
}

function cut(line: string): string {
  return line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line
}
