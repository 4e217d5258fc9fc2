import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { relative } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../steps/workspace.mjs'

/** The runner, or the Vitest project. */
export type SuiteKind = 'unit' | 'page' | 'browser'

interface Place {
  /** Absolute in events. */
  file: string
  line?: number | undefined
  /** Titles from the outermost `describe` to the test; empty for the file itself. */
  names: string[]
}

interface TestError {
  message: string
  /** Diff of expected and received. */
  diff: string
  stack: string
}

export type TestState = 'passed' | 'failed' | 'skipped'

/** Events of a Vitest or Playwright run, in order. */
export type TestEvent =
  | { type: 'planned'; files: string[] }
  | ({ type: 'began' } & Place)
  | ({ type: 'ended'; state: TestState; errors: TestError[] } & Place)
  /** An error in a hook, a file that cannot be loaded, or an unknown place. */
  | ({ type: 'broken'; errors: TestError[] } & Place)
  | { type: 'file ended'; file: string; notRun: number; ms: number }
  | { type: 'finished' }

export interface Failure extends Place {
  /** Path in the repository; '' if no file is to blame. */
  file: string
  /** Where it failed, else where the test starts. */
  line?: number | undefined
  beginsAt?: number | undefined
  kind?: SuiteKind
  isTest: boolean
  errors: TestError[]
}

export interface TestRun {
  /** By `idOf`. */
  tests: Map<string, { file: string; names: string[]; state: TestState }>
  failures: Failure[]
  /** False if the runner did not finish. */
  isFinished: boolean
}

const NOT_RUN = 'The run ended before this file.'
/** If a runner died, more files than this are combined into one sentence. */
const MOST_NOT_RUN = 5

/**
 * Appends a JSON line to the file in TEST_EVENTS. The events of a run that hangs or dies are kept, so nothing depends on a final report.
 */
export function recordEvent(event: TestEvent): void {
  appendFileSync(process.env.TEST_EVENTS ?? '', `${JSON.stringify(event)}\n`)
}

/** Reads a growing file of events: each call returns the new ones. */
export function readTestEvents(path: string): () => TestEvent[] {
  const decoder = new StringDecoder('utf8')
  let position = 0
  let unended = ''
  return () => {
    const file = openSync(path, 'a+')
    const bytes = Buffer.alloc(fstatSync(file).size - position)
    position += readSync(file, bytes, 0, bytes.length, position)
    closeSync(file)
    const lines = (unended + decoder.write(bytes)).split('\n')
    // the last line may be incomplete
    unended = lines.pop() ?? ''
    return lines.map((line) => JSON.parse(line))
  }
}

/** Results of a run, finished or aborted. */
export function toTestRun(events: readonly TestEvent[]): TestRun {
  const tests: TestRun['tests'] = new Map()
  const underWay = new Map<string, Place>()
  const hasEnded = new Set<string>()
  const notEnded = new Set<string>()
  const failures: Failure[] = []
  const isBroken = (file: string) => failures.some((failure) => failure.file === file)
  for (const event of events) {
    if (event.type === 'planned') for (const file of event.files) notEnded.add(inRepository(file))
    if (!('file' in event)) continue
    const place = { names: [], ...event, file: inRepository(event.file) }
    const id = idOf(place)
    // Vitest sends events in batches, so a test's end may arrive before its start
    if (event.type === 'began' && !hasEnded.has(id)) underWay.set(id, place)
    if (event.type === 'ended') {
      underWay.delete(id)
      hasEnded.add(id)
      tests.set(unusedId(tests, id), { file: place.file, names: event.names, state: event.state })
      if (event.state === 'failed') failures.push(toFailure(place, true, event.errors))
    }
    if (event.type === 'broken') failures.push(toFailure(place, false, event.errors))
    if (event.type === 'file ended') {
      notEnded.delete(place.file)
      if (event.notRun > 0 && !isBroken(place.file))
        failures.push(toFailure(place, false, said(`${event.notRun} of its tests did not run.`)))
    }
  }
  for (const place of underWay.values())
    failures.push(toFailure(place, true, said('It had not ended when its run was ended.')))
  const left = [...notEnded].filter((file) => !isBroken(file))
  if (left.length > MOST_NOT_RUN)
    failures.push(blameless(`The run ended before ${left.length} files, the first of them ${left[0]}.`))
  else for (const file of left) failures.push(toFailure({ file, names: [] }, false, said(NOT_RUN)))
  return { tests, failures, isFinished: events.some(({ type }) => type === 'finished') }
}

/** A failure without a file. */
export function blameless(message: string): Failure {
  return { file: '', names: [], isTest: false, errors: said(message) }
}

/** Unique id of a test. */
export function idOf({ file, names }: Pick<Place, 'file' | 'names'>): string {
  return [file, ...names].join(' › ')
}

/** Two tests of a file may have the same name. */
function unusedId(tests: TestRun['tests'], id: string): string {
  return tests.has(id) ? unusedId(tests, `${id} again`) : id
}

function toFailure({ file, line, names }: Place, isTest: boolean, errors: TestError[]): Failure {
  const clean = errors.map(({ message, diff, stack }) => ({
    message: stripVTControlCharacters(message),
    diff: stripVTControlCharacters(diff),
    stack: stripVTControlCharacters(stack),
  }))
  return { file, line: lineOf(file, clean) ?? line, beginsAt: line, names, isTest, errors: clean }
}

/** The line in the test file at which it failed. */
function lineOf(file: string, [error]: TestError[]): number | undefined {
  const after = file === '' ? undefined : error?.stack.split(`${file}:`)[1]
  const line = Number.parseInt(after ?? '', 10)
  return Number.isNaN(line) ? undefined : line
}

function said(message: string): TestError[] {
  return [{ message, diff: '', stack: '' }]
}

function inRepository(path: string): string {
  return path === '' ? '' : relative(root, path).replaceAll('\\', '/')
}
