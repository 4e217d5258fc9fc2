import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { programFiles } from '../environment/own-folder.ts'
import type { KeptSignIn, LeftServer, ServeMessage, ServeThreadData } from '../serve/thread.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { CommandInput, RunCommand } from '../terminal/commands.ts'
import { watchHeart } from './hang-watch.ts'

/** Who stops the program waits 500 ms at most, whatever is still being closed: so long for closing, and the rest to leave. */
const CLOSE_DEADLINE_MS = 300
/** After so long a process whose threads have not left ends by force. */
const END_DEADLINE_MS = 490
/** Where others leave no processor to the threads, closing and all together may take so long. */
const STARVED_CLOSE_DEADLINE_MS = 2_000
const STARVED_END_DEADLINE_MS = 3_000
const LOOK_AGAIN_MS = 50
/** Threads need so long to leave what V8 interrupts; a second Ctrl+C gives them no more. */
const LEAVE_DEADLINE_MS = 190
/** After so long the terminal says that a thread hangs in a call that nothing can interrupt. */
const TELL_AFTER_MS = 2_000

/** When the first signal came, by `performance.now()`; null: none did. */
let stoppedAtMs: number | null = null
/** Processor time of each thread then. */
let workAtStop: ReadonlyMap<string, ThreadWork> = new Map()

/** Files and folders that go with the program, however it ends. */
const leftFiles = new Set<string>()

/**
 * Serves in a thread of its own. This one hears signals, so that the program ends in time however busy the other is
 * (docs/decisions/threads.md), and replaces the other when it hangs (docs/decisions/durations.md).
 */
export const serveInThread: RunCommand = async (input) => {
  process.on('exit', removeLeftFiles)
  const served = new ServedProgram(input)
  hearSignals(served)
  await served.run()
}

/** The first one has everything closed, which is not waited for long; a second Ctrl+C ends the process at once. */
function hearSignals(served: ServedProgram): void {
  const hear = (signal: NodeJS.Signals) => {
    if (stoppedAtMs !== null && signal === 'SIGINT') served.endNow()
    if (stoppedAtMs !== null) return
    stoppedAtMs = performance.now()
    workAtStop = workOfThreads()
    afterDeadline(CLOSE_DEADLINE_MS, STARVED_CLOSE_DEADLINE_MS, () => served.endWithout())
    served.stop()
  }
  // Windows has SIGBREAK (Ctrl+Break), and SIGHUP when the window is closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const) process.on(signal, hear)
}

function msSinceStop(): number {
  return stoppedAtMs === null ? 0 : performance.now() - stoppedAtMs
}

/** So long after the signal; later, up to `starvedMs`, as long as other programs leave no processor to what is to be waited for. */
function afterDeadline(deadlineMs: number, starvedMs: number, act: () => void): void {
  const look = () => {
    if (msSinceStop() < starvedMs && areThreadsStarved()) setTimeout(look, LOOK_AGAIN_MS)
    else act()
  }
  // closing may have been waited for beyond it: threads are left their time to leave all the same
  setTimeout(look, Math.max(LEAVE_DEADLINE_MS, deadlineMs - msSinceStop()))
}

function removeLeftFiles(): void {
  for (const file of leftFiles) rmSync(file, { force: true, recursive: true })
}

function killItself(): void {
  removeLeftFiles()
  process.kill(process.pid, 'SIGKILL')
}

/** Of the time since the stop a thread that hangs in a call has had this share of one processor, or more. */
const HUNG_SHARE = 0.9

/**
 * Whether threads that still have to leave want a processor and get none, because others have it: no thread of ours hangs then.
 * Known on Linux alone.
 */
function areThreadsStarved(): boolean {
  const wanting = [...workOfThreads()].filter(
    ([thread, { state }]) => state === 'R' && thread !== `${process.pid}`,
  )
  const most = HUNG_SHARE * msSinceStop()
  return (
    wanting.length > 0 && wanting.every(([thread, { ms }]) => ms - (workAtStop.get(thread)?.ms ?? 0) < most)
  )
}

/** The thread that serves, and after it hung the next one. */
class ServedProgram {
  readonly #input: CommandInput
  #thread: Worker | null = null
  #written = Promise.resolve()
  /** Where it listens; null: it does not yet. */
  #port: number | null = null
  /** Sign-ins that are kept nowhere else, by kind and name. */
  readonly #signIns = new Map<string, KeptSignIn>()

  constructor(input: CommandInput) {
    this.#input = input
  }

  /** Does what the threads ask for. @throws why one has ended */
  async run(): Promise<never> {
    for (;;) await this.#serveUntilHang()
  }

  stop(): void {
    this.#thread?.postMessage('stop')
  }

  /** `process.exit` waits for threads in the middle of one long native call; only a signal that nothing can hold does not. */
  endWithout(code = 0): void {
    void Promise.resolve(this.#thread?.terminate()).then(() => process.exit(code))
    afterDeadline(END_DEADLINE_MS, STARVED_END_DEADLINE_MS, killItself)
  }

  /** For who does not want to wait. */
  endNow(): void {
    this.endWithout()
    setTimeout(killItself, LEAVE_DEADLINE_MS)
  }

  async #serveUntilHang(): Promise<void> {
    const { flags, positionals, terminal } = this.#input
    const { columns, isColorful } = terminal
    const heart = new Int32Array(new SharedArrayBuffer(8))
    const workerData: ServeThreadData = {
      ...{ flags, positionals, columns, isColorful },
      heart,
      left: this.#left(),
    }
    const thread = new Worker(programFiles.serveThread, { workerData })
    this.#thread = thread
    let endWatch = () => {}
    try {
      await new Promise<void>((resolve, reject) => {
        endWatch = watchHeart(heart, resolve)
        thread.on('message', (message: ServeMessage) => this.#do(message))
        thread.on('error', (error) => reject(explainEnd(error)))
        thread.on('exit', () => {
          if (stoppedAtMs === null) reject(new Error('The thread that serves the dashboard has ended.'))
        })
      })
    } finally {
      endWatch()
    }
    await this.#end(thread)
  }

  /** Its port is free afterwards, and its own threads have ended. */
  async #end(thread: Worker): Promise<void> {
    thread.removeAllListeners()
    // What it still has to say of its end concerns nobody.
    thread.on('error', () => {})
    const tell = setTimeout(() => {
      this.#input.terminal.note(
        'The dashboard hangs in a call of the system that cannot be interrupted; it is started again as soon as that ends.',
      )
    }, TELL_AFTER_MS)
    await thread.terminate()
    clearTimeout(tell)
    // Whoever was told to stop meanwhile ends without another thread.
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
    'The dashboard needed more memory than Node.js gives it, and ended.',
    'More is given with NODE_OPTIONS=--max-old-space-size=8192 (in megabytes).',
  )
}

/** Ticks a second in which Linux counts, on every system of today. */
const TICKS_A_SECOND = 100

interface ThreadWork {
  /** R: it runs, or wants to. */
  state: string
  /** Processor time so far. */
  ms: number
}

/** Of all threads of this process, by their numbers in the system; none where it does not tell. */
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

/** null: it has ended, or the system does not tell. */
function workOfThread(thread: string): ThreadWork | null {
  try {
    // behind the name, which may hold blanks: state, ten numbers, then user and system time
    const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ticks = Number(fields[11]) + Number(fields[12])
    return Number.isFinite(ticks) ? { state: fields[0] ?? '', ms: (ticks * 1_000) / TICKS_A_SECOND } : null
  } catch {
    return null
  }
}
