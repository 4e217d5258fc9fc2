import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Health } from '@gemini-dash/api'
import { questionPath } from '@gemini-dash/api'

export interface RunningServer {
  pid: number
  port: number
  /** The answer of a path, read and parsed. */
  get: <Answer>(path: string) => Promise<Answer>
  /** The answer as a stream. */
  open: (path: string) => Promise<IncomingMessage>
  whenReady: () => Promise<void>
  /** The event loop delay from now until `stop`, in milliseconds, p99. */
  watchLoop: () => { stop: () => Promise<number> }
  stop: () => Promise<void>
}

const KILL_AFTER_MS = 5_000
const READY_POLL_MS = 20
const LOOP_DELAY = fileURLToPath(new URL('./loop-delay.cjs', import.meta.url))

/** The built program in its own process, on the loopback interface, without any settings of this machine. */
export async function startServer(start: {
  /** The Node.js that runs it. */
  executable: string
  program: string
  home: string
  /** For its index and its own data. */
  folder: string
  /** Whether `watchLoop` will be called; preparing for it slows down the start. */
  isLoopWatched?: boolean
  env?: Record<string, string>
}): Promise<RunningServer> {
  const { executable, program, home, folder, isLoopWatched = false } = start
  const places = ['--home', home, '--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
  const preload = isLoopWatched ? ['--require', LOOP_DELAY] : []
  const args = [...preload, program, 'serve', '--json', '--no-open', '--no-token', '--port', '0', ...places]
  const child = spawn(executable, args, {
    env: { PATH: process.env.PATH, CI: 'true', ...start.env },
    stdio: ['ignore', 'pipe', 'pipe', ...(isLoopWatched ? (['ipc'] as const) : [])],
  })
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('The program has no output that could be read.')
  let complaints = ''
  stderr.on('data', (piece) => {
    complaints += piece
  })
  const killChild = (): boolean => child.kill('SIGKILL')
  // Before other exit handlers remove the folder that it writes to.
  process.prependOnceListener('exit', killChild)
  const ended = once(child, 'close').then(() => process.off('exit', killChild))
  const line = await Promise.race([once(createInterface(stdout), 'line'), ended.then(() => null)])
  if (line === null) throw new Error(`The program ended before it listened: ${complaints}`)
  const { port, pid }: { port: number; pid: number } = JSON.parse(String(line[0]))
  const agent = new Agent({ keepAlive: true })

  const open = (path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, agent }, resolve).once('error', reject).end()
    })
  const get = async <Answer>(path: string): Promise<Answer> => {
    const answer = await open(path)
    const pieces: Buffer[] = []
    for await (const piece of answer) pieces.push(piece)
    const text = Buffer.concat(pieces).toString()
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`)
    return JSON.parse(text)
  }
  const whenReady = async (): Promise<void> => {
    while ((await get<Health>(questionPath('health'))).index.state !== 'ready') await sleep(READY_POLL_MS)
  }
  const watchLoop: RunningServer['watchLoop'] = () => {
    child.send('start')
    const stopWatching = async (): Promise<number> => {
      child.send('stop')
      const answer = await once(child, 'message')
      return Number(answer[0])
    }
    return { stop: stopWatching }
  }
  const stop = async (): Promise<void> => {
    agent.destroy()
    const killing = setTimeout(killChild, KILL_AFTER_MS)
    child.kill('SIGTERM')
    await ended
    clearTimeout(killing)
  }
  return { pid, port, get, open, whenReady, watchLoop, stop }
}
