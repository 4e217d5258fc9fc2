import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Get } from '../oracle/answers.ts'

export interface Start {
  /** `cli.js` of the build to run. */
  program: string
  home: string
  /** null: no cache. */
  cache: string | null
  /** Its data folder: servers that should find each other share it. */
  data: string
  env?: Record<string, string>
  /** Shell commands to run before the program. */
  before?: string
}

export interface Server {
  pid: number
  port: number
  get: Get
  stderr: () => string
  isRunning: () => boolean
  whenReady: () => Promise<void>
  /** Sends SIGTERM or another signal, and waits for the process to end. */
  end: (signal?: NodeJS.Signals) => Promise<Ended>
  ended: Promise<Ended>
}

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
}

/** Data folder of the first server for each Gemini folder: session keys are user data, not cache. */
const dataByHome = new Map<string, string>()

/** Lets a server without a cache resolve session links like the previous one. */
export function copyKeys(home: string, data: string): void {
  mkdirSync(data, { recursive: true, mode: 0o700 })
  for (const name of ['keys.jsonl', 'keys.jsonl.copy']) {
    const record = join(dataByHome.get(home) ?? data, name)
    if (existsSync(record) && record !== join(data, name)) copyFileSync(record, join(data, name))
  }
}

/** Running servers, by their data folders. */
const running = new Map<() => void, string>()

const START_MS = 60_000
const ANSWER_MS = 60_000
const POLL_MS = 50

/** Arguments for the Gemini folder and the program's own folders. */
function placesOf({ home, cache, data }: Start): string[] {
  const kept = cache === null ? ['--no-cache'] : ['--cache-dir', cache]
  return ['--home', home, ...kept, '--data-dir', data]
}

/** The built program in a separate process, without this machine's settings. */
function spawnProgram(start: Start, args: string[]) {
  const command = [process.execPath, start.program, ...args, ...placesOf(start)]
  return spawn('bash', ['-c', `${start.before ?? ''}\nexec "$@"`, 'bash', ...command], {
    env: { PATH: process.env.PATH, CI: 'true', ...start.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Resolves when it listens. Throws its output if it exits instead. */
export async function startServer(start: Start): Promise<Server> {
  const child = spawnProgram(start, ['serve', '--json', '--no-open', '--no-token', '--port', '0'])
  if (!dataByHome.has(start.home)) dataByHome.set(start.home, start.data)
  const killChild = () => void child.kill('SIGKILL')
  running.set(killChild, start.data)
  // Before its data folder is removed.
  process.prependOnceListener('exit', killChild)
  let stderr = ''
  child.stderr.on('data', (piece) => {
    stderr += piece
  })
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    process.off('exit', killChild)
    running.delete(killChild)
    return { code, signal }
  })
  const lines = createInterface(child.stdout)
  const line = await Promise.race([
    once(lines, 'line', { signal: AbortSignal.timeout(START_MS) }).then(([text]) => String(text)),
    ended.then(() => null),
  ]).catch((error) => {
    killChild()
    throw new Error(`the server said nothing for ${START_MS / 1000} s: ${error.message} ${stderr}`)
  })
  if (line === null) throw new Error(`the server ended before it listened: ${stderr}`)
  const { port, pid }: { port: number; pid: number } = JSON.parse(line)

  const get: Get = async (path) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch((error) => {
      throw new Error(`${path}: ${error.cause?.code ?? error.message}; stderr: ${stderr}`)
    })
    const body = await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body.slice(0, 300)}`)
    return JSON.parse(body)
  }
  const isReady = async () => (await get<{ index: { state: string } }>('/api/health')).index.state === 'ready'
  return {
    pid,
    port,
    get,
    stderr: () => stderr,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    whenReady: async () => {
      const untilMs = performance.now() + START_MS
      while (!(await isReady())) {
        if (performance.now() > untilMs)
          throw new Error(`not everything is indexed after ${START_MS / 1000} s`)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
    },
    end: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
    ended,
  }
}

/** Kills servers of a part that failed before ending them. */
export function killServersBelow(folder: string): void {
  for (const [kill, data] of running) if (data.startsWith(folder)) kill()
}

/** Runs a command to its end. */
export async function runCommand(start: Start, args: string[]) {
  const child = spawnProgram(start, args)
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (piece) => {
    stdout += piece
  })
  child.stderr.on('data', (piece) => {
    stderr += piece
  })
  const [code, signal] = await once(child, 'close')
  return { code: code as number | null, signal: signal as NodeJS.Signals | null, stdout, stderr }
}

export function foldersIn(folder: string): { home: string; cache: string; data: string } {
  return { home: join(folder, '.gemini'), cache: join(folder, 'cache'), data: join(folder, 'data') }
}
