import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, stampFolder } from '../steps/workspace.mjs'
import {
  blameless,
  readTestEvents,
  type SuiteKind,
  type TestEvent,
  type TestRun,
  toTestRun,
} from './test-events.ts'

export interface SuiteOptions {
  /** Name of the step and its log. */
  name: string
  kind: SuiteKind
  /** Arguments for Node: a file below node_modules, and its own arguments. */
  args: string[]
  env?: Record<string, string>
  /** Wall-clock time at which the run is aborted. */
  deadlineMs?: number
  /** Maximum time without a finished test. */
  idleMs?: number
}

export interface SuiteRun extends TestRun {
  name: string
  kind: SuiteKind
  seconds: number
}

/** Logs and events of the last run, in more detail than the summary. */
export const reportFolder = join(stampFolder, 'tests')

/** No test takes this long: one that has not finished by then hangs. */
const IDLE_MS = 600_000
const LOOK_EVERY_MS = 500
/** Time for a runner to end its workers and browsers. */
const GRACE_MS = 15_000
const LOG_LINES = 8
const INTERRUPTS = ['SIGINT', 'SIGTERM'] as const

const running = new Set<ChildProcess>()

/** Runs Vitest or Playwright. Prints finished files and failed tests to stderr as they occur. */
export async function runSuite(options: SuiteOptions): Promise<SuiteRun> {
  const { name, kind, deadlineMs = Number.POSITIVE_INFINITY, idleMs = IDLE_MS } = options
  const file = join(reportFolder, name.replaceAll(' ', '-'))
  const events = `${file}.jsonl`
  const log = `${file}.log`
  mkdirSync(reportFolder, { recursive: true })
  rmSync(events, { force: true })
  const nextEvents = readTestEvents(events)
  const all: TestEvent[] = []
  const startedAt = Date.now()
  let lastEndedAt = startedAt
  const { child, ended } = start(options, events, log)

  let why: string | null = null
  const look = () => {
    for (const event of nextEvents()) {
      if (event.type === 'ended') lastEndedAt = Date.now()
      printEvent(name, event)
      all.push(event)
    }
    if (why !== null) return
    if (Date.now() > deadlineMs) why = 'the time of the whole run was over.'
    else if (Date.now() - lastEndedAt > idleMs) why = `no test had ended for ${Math.round(idleMs / 1000)} s.`
    else return
    endGroup(child, 'SIGINT')
    setTimeout(() => endGroup(child, 'SIGKILL'), GRACE_MS).unref()
  }
  const looking = setInterval(look, LOOK_EVERY_MS)
  const exitCode = await ended
  clearInterval(looking)
  look()
  // leftover processes would disturb the next step
  endGroup(child, 'SIGKILL')

  const run = toTestRun(all)
  if (why !== null) run.failures.unshift(blameless(`${name}: ${why}`))
  else if (run.failures.length === 0 && (exitCode !== 0 || !run.isFinished))
    run.failures.push(blameless(`${name} ended with exit code ${exitCode}:\n${endOf(log)}`))
  for (const failure of run.failures) failure.kind = kind
  return { ...run, name, kind, seconds: Math.round((Date.now() - startedAt) / 1000) }
}

function start({ args: [entry = '', ...args], env }: SuiteOptions, events: string, log: string) {
  const output = openSync(log, 'w')
  const child = spawn(process.execPath, [join(root, 'node_modules', entry), ...args], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', ...env, TEST_EVENTS: events },
    stdio: ['ignore', output, output],
    // a process group, so that all descendants can be ended with it
    detached: process.platform !== 'win32',
  })
  closeSync(output)
  if (running.size === 0) for (const signal of INTERRUPTS) process.on(signal, endAll)
  running.add(child)
  const ended = new Promise<number>((resolve) => {
    child.on('error', () => resolve(127))
    child.on('exit', (code) => resolve(code ?? 1))
  }).finally(() => {
    running.delete(child)
    if (running.size === 0) for (const signal of INTERRUPTS) process.off(signal, endAll)
  })
  return { child, ended }
}

/** The process group does not receive interrupts sent to this process. */
function endAll(): void {
  for (const child of running) endGroup(child, 'SIGKILL')
  process.exit(130)
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // already ended
  }
}

function printEvent(step: string, event: TestEvent): void {
  if (event.type === 'file ended')
    process.stderr.write(`${step}: ${relative(root, event.file)} ${(event.ms / 1000).toFixed(1)} s\n`)
  const hasFailed = event.type === 'broken' || (event.type === 'ended' && event.state === 'failed')
  if (hasFailed)
    process.stderr.write(`${step}: FAILED ${[relative(root, event.file), ...event.names].join(' › ')}\n`)
}

function endOf(log: string): string {
  return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LOG_LINES).join('\n')
}
