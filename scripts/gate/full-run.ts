import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root, stampFolder } from '../steps/workspace.mjs'
import type { Results } from './print-end.ts'

/** The random choices of an `npm run test:all` run. */
export interface Drawn {
  /** For all random inputs and the order of files. */
  seed: number
  /** Time zone of the tests. */
  zone: string
}

/** A line of the log: one step of a run. */
export interface FullRunRecord extends Drawn {
  /** ISO 8601. */
  endedAt: string
  /** Abbreviated, with a "+" if there were uncommitted changes. */
  commit: string
  step: string
  results: Results
}

/** Zones with early, late and half-hour offsets, and different dates of daylight saving. */
const ZONES = [
  'UTC',
  'America/Los_Angeles',
  'America/St_Johns',
  'Europe/Vienna',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
]

export function drawInputs(seed = Date.now() % 1_000_000): Drawn {
  return { seed, zone: ZONES[seed % ZONES.length] ?? 'UTC' }
}

/** The log is stored in the Git folder: outside the working tree, and as long as the clone exists. */
export function logPath(): string {
  const folder = git('rev-parse', '--git-common-dir')
  return join(folder === null ? stampFolder : resolve(root, folder), 'test-all.jsonl')
}

export function commitOfTree(): string {
  const commit = git('rev-parse', '--short', 'HEAD') ?? 'no commit'
  return git('status', '--porcelain') ? `${commit}+` : commit
}

export function readLog(path: string): FullRunRecord[] {
  if (!existsSync(path)) return []
  // the last line of an aborted run may be incomplete
  return readFileSync(path, 'utf8').split('\n').flatMap(parseLine)
}

function parseLine(line: string): FullRunRecord[] {
  try {
    return line === '' ? [] : [JSON.parse(line)]
  } catch {
    return []
  }
}

export function addToLog(path: string, record: FullRunRecord): void {
  // terminates an incomplete line
  appendFileSync(path, `\n${JSON.stringify(record)}\n`)
}

/**
 * The random choices of the last run, and its newest results of each step before `from`, except the build: this tree may have none, or
 * that of another commit. Throws if there is no such step, or if an earlier one has no result.
 */
export function goOnFrom(log: readonly FullRunRecord[], steps: readonly string[], from: string) {
  const place = steps.indexOf(from)
  if (place === -1) throw new Error(`--from ${from}: there is no such step. Steps: ${steps.join(', ')}.`)
  const last = log.at(-1)
  if (last === undefined) throw new Error(`--from ${from}: there is no run to go on with.`)
  const { seed, zone } = last
  const done = steps.slice(0, place).flatMap((step) => {
    const record = log.findLast((each) => each.seed === seed && each.step === step)
    if (record === undefined) throw new Error(`--from ${from}: the last run did not end "${step}".`)
    return step === 'build' ? [] : [record]
  })
  return { seed, zone, done }
}

function git(...args: string[]): string | null {
  try {
    const output = execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return output.trim()
  } catch {
    return null
  }
}
