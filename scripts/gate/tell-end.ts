import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../steps/workspace.mjs'
import type { RunStep } from './checks.ts'
import { reportFolder } from './run-suite.ts'
import type { Suites } from './run-suites.ts'
import type { Failure } from './test-events.ts'

export interface End {
  /** Before the tests. */
  steps: RunStep[]
  /** Not where a step before them failed. */
  suites?: Suites
  /** How many tests only `npm run test:all` runs. */
  leftOut?: number
  /** After the tests. */
  stepsAfter?: RunStep[]
}

const FULL_TEXTS = join(reportFolder, 'failures.txt')
const MOST_LINES = 60
const LINE_LENGTH = 200
/** Of a message, and of what was expected and received. */
const LINES_OF_ERROR = 3
const LINES_OF_TOOL = 10
const NOTHING: Suites = { steps: [], tests: new Map(), failures: [], passedLater: [] }

/** Prints the end, writes down all that it cuts, and sets the exit code. */
export function tellEnd(end: End): void {
  const { suites = NOTHING } = end
  const tools = failedTools(end)
  const texts = [
    ...tools.map(({ name, output }) => `== ${name}\n${output}`),
    ...[...suites.failures, ...suites.passedLater].map(wholeText),
  ]
  mkdirSync(reportFolder, { recursive: true })
  writeFileSync(FULL_TEXTS, texts.join('\n\n'))
  process.stdout.write(`\n${linesOfEnd(end).join('\n')}\n`)
  process.exitCode = tools.length + suites.failures.length > 0 ? 1 : 0
}

/** What failed and why, what passed on the second try, the seconds of each step, and the counts: 60 lines at most. */
export function linesOfEnd(end: End): string[] {
  const { steps, suites = NOTHING, leftOut = 0, stepsAfter = [] } = end
  const told = [...failedTools(end).map(linesOfTool), ...suites.failures.map(linesOfFailure)]
  const states = [...suites.tests.values()].map(({ state }) => state)
  const count = (wanted: string) => states.filter((state) => state === wanted).length
  const foot = [
    ...linesOfLater(suites.passedLater),
    `Steps: ${[...steps, ...suites.steps, ...stepsAfter].map(textOfStep).join(' · ')}`,
    ...(states.length > 0 ? [`${states.length} of ${states.length + leftOut} tests`] : []),
    ...(count('skipped') > 0
      ? [`${count('skipped')} skipped, as what they need is not on this machine`]
      : []),
    `${count('passed')} passed, ${told.length} failed`,
  ]
  if (told.length === 0) return foot
  const shown = told.slice(0, countThatFit(told, MOST_LINES - foot.length - 2))
  const rest = told.length - shown.length
  const where = relative(root, FULL_TEXTS)
  const more = rest > 0 ? `... and ${rest} more; all in ${where}` : `Whole texts: ${where}`
  return [`Failed: ${told.length}`, ...shown.flat(), more, ...foot]
}

function failedTools({ steps, stepsAfter = [] }: End): RunStep[] {
  return [...steps, ...stepsAfter].filter(({ failed }) => failed > 0)
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
  const lines = output.split('\n').filter((line) => line.trim() !== '')
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

/** The message, then what was expected and received. */
function linesOfError({ errors: [error] }: Failure): string[] {
  const lines = (error?.message ?? '').split('\n').filter((line) => line.trim() !== '')
  const [message = '', ...rest] = lines
  // Playwright says it in the message; Vitest has the lines that differ.
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

/** Runs it alone. */
function commandOf({ kind, file, beginsAt }: Failure): string {
  const place = beginsAt === undefined ? file : `${file}:${beginsAt}`
  if (kind === 'browser') return `npx playwright test ${place}`
  const seed = process.env.TEST_SEED === undefined ? '' : `TEST_SEED=${process.env.TEST_SEED} `
  return `${seed}npx vitest run --project ${kind} ${place}`
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
