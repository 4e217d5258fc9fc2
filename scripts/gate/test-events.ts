import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { relative } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../steps/workspace.mjs'

/** Which runner, and which of Vitest's projects. */
export type SuiteKind = 'unit' | 'page' | 'browser'

interface Place {
  /** Absolute while it is recorded. */
  file: string
  line?: number | undefined
  /** Titles from the outermost `describe` to the test; none where the file itself is meant. */
  names: string[]
}

interface TestError {
  message: string
  /** Of what was expected and received. */
  diff: string
  stack: string
}

export type TestState = 'passed' | 'failed' | 'skipped'

/** What a run of Vitest or Playwright reports, in order. */
export type TestEvent =
  | { type: 'planned'; files: string[] }
  | ({ type: 'began' } & Place)
  | ({ type: 'ended'; state: TestState; errors: TestError[] } & Place)
  /** Of a hook, of a file that cannot be loaded, or of nothing that is known. */
  | ({ type: 'broken'; errors: TestError[] } & Place)
  | { type: 'file ended'; file: string; notRun: number; ms: number }
  | { type: 'finished' }

export interface Failure extends Place {
  /** Path in the repository; '' where no file is to blame. */
  file: string
  /** Where it failed, or else where the test begins. */
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
  /** False where the runner did not come to its end. */
  isFinished: boolean
}

const NOT_RUN = 'The run ended before this file.'
/** Where a runner died, one sentence tells of more files than these. */
const MOST_NOT_RUN = 5

/**
 * Adds a line of JSON to the file that TEST_EVENTS names. A run that hangs or dies leaves what it has told so far, so nothing depends
 * on a report at its end.
 */
export function recordEvent(event: TestEvent): void {
  appendFileSync(process.env.TEST_EVENTS ?? '', `${JSON.stringify(event)}\n`)
}

/** Reads a file of events while it grows: each call gives those that were added since. */
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
    // the last line may still be written
    unended = lines.pop() ?? ''
    return lines.map((line) => JSON.parse(line))
  }
}

/** What came of a run, whether it ended or was ended. */
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
    // Vitest sends events in batches, so the end of a test may come before its beginning
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

/** A failure of no file. */
export function blameless(message: string): Failure {
  return { file: '', names: [], isTest: false, errors: said(message) }
}

/** Of one test among all. */
export function idOf({ file, names }: Pick<Place, 'file' | 'names'>): string {
  return [file, ...names].join(' › ')
}

/** Two tests of a file may have the same names. */
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

/** The line of the file of tests at which it failed. */
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
