import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { inject } from 'vitest'

export interface Finished {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface RunningProgram {
  child: ChildProcess
  /** Everything printed so far, on both streams. */
  printed: () => string
  /** Resolves with the first line on stdout. */
  firstLine: Promise<string>
  finished: Promise<Finished>
}

/** The environment of a program started by a test: no settings of this machine, and the home of the test file. */
export function programEnvironment(env: Record<string, string> = {}): Record<string, string> {
  const { PATH = '', HOME = '', USERPROFILE = '', TZ = 'UTC' } = process.env
  return { PATH, HOME, USERPROFILE, TZ, CI: 'true', ...env }
}

/** The built command line in its own process. `before`: a command that runs it. */
export function startProgram(
  args: string[],
  env: Record<string, string> = {},
  program = inject('program'),
  before: string[] = [],
): RunningProgram {
  const [command = process.execPath, ...first] = [...before, process.execPath]
  const child = spawn(command, [...first, join(program, 'cli.js'), ...args], {
    env: programEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // a multi-byte character may arrive in two chunks
  child.stdout.setEncoding('utf8')
  child.stderr.setEncoding('utf8')
  let stdout = ''
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk
      if (stdout.includes('\n')) resolve(stdout.slice(0, stdout.indexOf('\n')))
    })
    child.once('close', () => reject(new Error(`It ended without a line: ${stderr}`)))
  })
  firstLine.catch(() => undefined)
  const finished = once(child, 'close').then(([code, signal]) => ({ code, signal, stdout, stderr }))
  return { child, printed: () => stdout + stderr, firstLine, finished }
}

export function runProgram(
  args: string[],
  env: Record<string, string> = {},
  program?: string,
): Promise<Finished> {
  return startProgram(args, env, program).finished
}
