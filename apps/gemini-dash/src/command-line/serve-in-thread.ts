import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { programFiles } from '../environment/own-folder.ts'
import type { KeptSignIn, LeftServer, ServeMessage, ServeThreadData } from '../serve/thread.ts'
import { newHeartbeat } from '../store/reader/heartbeat.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { CommandInput, RunCommand } from '../terminal/commands.ts'
import { watchHeartbeat } from './hang-watch.ts'

/**
 * Stopping the program takes at most 500 ms, even if something is still being closed: this much for closing, the rest for threads to leave.
 */
const CLOSE_DEADLINE_MS = 300
/** After this time a process whose threads have not left is killed. */
const END_DEADLINE_MS = 490
/** The same limits for closing and for all of it, used when other programs leave the threads no CPU. */
const STARVED_CLOSE_DEADLINE_MS = 2_000
const STARVED_END_DEADLINE_MS = 3_000
const LOOK_AGAIN_MS = 50
/** Time that threads need to leave after V8 interrupts them; a second Ctrl+C does not grant it. */
const LEAVE_DEADLINE_MS = 190
/** After this time the terminal reports that a thread hangs in a call that cannot be interrupted. */
const TELL_AFTER_MS = 2_000

/** When the first signal arrived, by `performance.now()`; null if none did. */
let stoppedAtMs: number | null = null
/** CPU time of each thread at that moment. */
let workAtStop: ReadonlyMap<string, ThreadWork> = new Map()

/** Files and folders to remove when the program ends, for whatever reason. */
const leftFiles = new Set<string>()

/**
 * Serves in a separate thread. The main thread handles signals, so that the program ends in time however busy the other one is
 * (docs/decisions/threads.md), and replaces the serving thread when it hangs (docs/decisions/durations.md).
 */
export const serveInThread: RunCommand = async (input) => {
  process.on('exit', removeLeftFiles)
  const served = new ServedProgram(input)
  hearSignals(served)
  await served.run()
}

/** The first Ctrl+C closes everything, with a short time limit; a second one ends the process at once. */
function hearSignals(served: ServedProgram): void {
  const hear = (signal: NodeJS.Signals) => {
    if (stoppedAtMs !== null && signal === 'SIGINT') served.endNow()
    if (stoppedAtMs !== null) return
    stoppedAtMs = performance.now()
    workAtStop = workOfThreads()
    afterDeadline(CLOSE_DEADLINE_MS, STARVED_CLOSE_DEADLINE_MS, () => served.endWithout())
    served.stop()
  }
  // Windows has SIGBREAK (Ctrl+Break), and sends SIGHUP when the window is closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const) process.on(signal, hear)
}

function msSinceStop(): number {
  return stoppedAtMs === null ? 0 : performance.now() - stoppedAtMs
}

/** Acts this long after the signal; later, up to `starvedMs`, while other programs leave no CPU to the threads that are waited for. */
function afterDeadline(deadlineMs: number, starvedMs: number, act: () => void): void {
  const look = () => {
    if (msSinceStop() < starvedMs && areThreadsStarved()) setTimeout(look, LOOK_AGAIN_MS)
    else act()
  }
  // closing may have taken longer than that: threads still get their time to leave
  setTimeout(look, Math.max(LEAVE_DEADLINE_MS, deadlineMs - msSinceStop()))
}

function removeLeftFiles(): void {
  for (const file of leftFiles) rmSync(file, { force: true, recursive: true })
}

function killItself(): void {
  removeLeftFiles()
  process.kill(process.pid, 'SIGKILL')
}

/** A thread that hangs in a call has used at least this share of one processor since the stop. */
const HUNG_SHARE = 0.9

/** Whether threads that still have to leave are starved of CPU by other programs: then none of ours hangs. Known only on Linux. */
function areThreadsStarved(): boolean {
  const wanting = [...workOfThreads()].filter(
    ([thread, { state }]) => state === 'R' && thread !== `${process.pid}`,
  )
  const most = HUNG_SHARE * msSinceStop()
  return (
    wanting.length > 0 && wanting.every(([thread, { ms }]) => ms - (workAtStop.get(thread)?.ms ?? 0) < most)
  )
}

/** The serving thread, and its replacement after it hung. */
class ServedProgram {
  readonly #input: CommandInput
  #thread: Worker | null = null
  #written = Promise.resolve()
  /** Port it listens on; null if it does not listen yet. */
  #port: number | null = null
  /** Sign-ins that are stored nowhere else, by kind and name. */
  readonly #signIns = new Map<string, KeptSignIn>()

  constructor(input: CommandInput) {
    this.#input = input
  }

  /** Handles the threads' messages. @throws the reason why a thread has ended */
  async run(): Promise<never> {
    for (;;) await this.#serveUntilHang()
  }

  stop(): void {
    this.#thread?.postMessage('stop')
  }

  /** `process.exit` waits for threads that are in a long native call; only SIGKILL does not. */
  endWithout(code = 0): void {
    void Promise.resolve(this.#thread?.terminate()).then(() => process.exit(code))
    afterDeadline(END_DEADLINE_MS, STARVED_END_DEADLINE_MS, killItself)
  }

  /** For a user who does not want to wait. */
  endNow(): void {
    this.endWithout()
    setTimeout(killItself, LEAVE_DEADLINE_MS)
  }

  async #serveUntilHang(): Promise<void> {
    const { flags, positionals, terminal } = this.#input
    const { columns, isColorful } = terminal
    const heartbeat = newHeartbeat()
    const workerData: ServeThreadData = {
      ...{ flags, positionals, columns, isColorful },
      heartbeat,
      left: this.#left(),
    }
    const thread = new Worker(programFiles.serveThread, { workerData })
    this.#thread = thread
    let endWatch = () => {}
    try {
      await new Promise<void>((resolve, reject) => {
        endWatch = watchHeartbeat(heartbeat, resolve)
        thread.on('message', (message: ServeMessage) => this.#do(message))
        thread.on('error', (error) => reject(explainEnd(error)))
        thread.on('exit', () => {
          if (stoppedAtMs === null) reject(new Error('The server thread of the dashboard has ended.'))
        })
      })
    } finally {
      endWatch()
    }
    await this.#end(thread)
  }

  /** Afterwards its port is free and its own threads have ended. */
  async #end(thread: Worker): Promise<void> {
    thread.removeAllListeners()
    // Errors while it ends do not matter.
    thread.on('error', () => {})
    const tell = setTimeout(() => {
      this.#input.terminal.note(
        'The dashboard is blocked in a system call that can’t be interrupted. It restarts as soon as the call returns.',
      )
    }, TELL_AFTER_MS)
    await thread.terminate()
    clearTimeout(tell)
    // If the program was told to stop in the meantime, do not start another thread.
    if (stoppedAtMs !== null) await new Promise(() => {})
  }

  #left(): LeftServer | null {
    return this.#port === null ? null : { port: this.#port, signIns: [...this.#signIns.values()] }
  }

  #do(message: ServeMessage): void {
    const { terminal } = this.#input
    switch (message.kind) {
      case 'write':
        this.#written = terminal.write(message.text)
        return
      case 'note':
        terminal.note(message.line)
        return
      case 'progress':
        terminal.progress(message.line)
        return
      case 'clear-progress':
        terminal.clearProgress()
        return
      case 'remove-at-end':
        leftFiles.add(message.file)
        return
      case 'serving':
        this.#port = message.port
        return
      case 'signed-in': {
        const { of, name, expiresAt } = message.signIn
        if (expiresAt === null) this.#signIns.delete(`${of} ${name}`)
        else this.#signIns.set(`${of} ${name}`, message.signIn)
        return
      }
      case 'end':
        void this.#written.then(() =>
          stoppedAtMs !== null ? this.endWithout(message.code) : process.exit(message.code),
        )
    }
  }
}

function explainEnd(error: Error): Error {
  if (!('code' in error) || error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  return new CliError(
    1,
    'The dashboard stopped: it needed more memory than Node.js allows.',
    'To allow more, set NODE_OPTIONS=--max-old-space-size=8192 (in megabytes).',
  )
}

/** Clock ticks per second on Linux (USER_HZ), the same on every current system. */
const TICKS_A_SECOND = 100

interface ThreadWork {
  /** R: running or runnable. */
  state: string
  /** CPU time used. */
  ms: number
}

/** All threads of this process by their system id; empty if the system does not report them. */
function workOfThreads(): ReadonlyMap<string, ThreadWork> {
  try {
    const threads = readdirSync('/proc/self/task').flatMap((thread) => {
      const work = workOfThread(thread)
      return work === null ? [] : [[thread, work] as const]
    })
    return new Map(threads)
  } catch {
    return new Map()
  }
}

/** null if it has ended or the system does not report it. */
function workOfThread(thread: string): ThreadWork | null {
  try {
    // after the name, which may contain spaces: state, ten numbers, then user and system time
    const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ticks = Number(fields[11]) + Number(fields[12])
    return Number.isFinite(ticks) ? { state: fields[0] ?? '', ms: (ticks * 1_000) / TICKS_A_SECOND } : null
  } catch {
    return null
  }
}
