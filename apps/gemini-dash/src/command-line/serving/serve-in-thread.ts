import { rmSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { programFiles } from '../../environment/program-files.ts'
import type { ServeMessage, ServeThreadData } from '../../serve/thread/serve-message.ts'
import { CliError } from '../../terminal/cli-error.ts'
import type { CommandInput, RunCommand } from '../../terminal/commands.ts'
import { watchHeart } from './hang-watch.ts'

/** Who stops the program waits 500 ms at most, whatever is still being closed: so long for closing, and the rest to leave. */
const CLOSE_DEADLINE_MS = 300
/** So long a thread that was told to end may take to leave what V8 interrupts. */
const LEAVE_DEADLINE_MS = 190

let isStopping = false

/** Files that go with the program, however it ends. */
const leftFiles = new Set<string>()

/**
 * Serves in a thread of its own. This one hears signals, so that the program ends in time however busy the other is
 * (docs/decisions/ending-in-time.md), and replaces the other when it hangs (docs/decisions/durations.md).
 */
export const serveInThread: RunCommand = async (input) => {
  process.on('exit', removeLeftFiles)
  const served = new ServedProgram(input)
  hearSignals(served)
  for (;;) await served.untilHang()
}

/** The first one has everything closed, which is not waited for long; a second Ctrl+C ends the process at once. */
function hearSignals(served: ServedProgram): void {
  const hear = (signal: NodeJS.Signals) => {
    if (isStopping && signal === 'SIGINT') served.endWithout()
    if (isStopping) return
    isStopping = true
    setTimeout(() => served.endWithout(), CLOSE_DEADLINE_MS)
    served.stop()
  }
  // Windows has SIGBREAK (Ctrl+Break), and SIGHUP when the window is closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const) process.on(signal, hear)
}

function removeLeftFiles(): void {
  for (const file of leftFiles) rmSync(file, { force: true })
  leftFiles.clear()
}

/** The thread that serves, and after it hung the next one. */
class ServedProgram {
  readonly #input: CommandInput
  #thread: Worker | null = null
  #written = Promise.resolve()
  /** Where it listens; null: it does not yet. */
  #port: number | null = null

  constructor(input: CommandInput) {
    this.#input = input
  }

  stop(): void {
    this.#thread?.postMessage('stop')
  }

  /** `process.exit` waits for threads in the middle of one long native call; only a signal that nothing can hold does not. */
  endWithout(code = 0): void {
    void this.#thread?.terminate().then(() => process.exit(code))
    setTimeout(() => {
      removeLeftFiles()
      process.kill(process.pid, 'SIGKILL')
    }, LEAVE_DEADLINE_MS)
  }

  /** Does what a thread asks for until it hangs; then its port is free, and its own threads have ended. */
  async untilHang(): Promise<void> {
    const { flags, positionals, terminal } = this.#input
    const { columns, isColorful } = terminal
    const heart = new Int32Array(new SharedArrayBuffer(8))
    const workerData: ServeThreadData = {
      ...{ flags, positionals, columns, isColorful, heart },
      portBefore: this.#port,
    }
    const thread = new Worker(programFiles.serveThread, { workerData })
    this.#thread = thread
    await new Promise<void>((resolve, reject) => {
      const endWatch = watchHeart(heart, resolve)
      thread.on('message', (message: ServeMessage) => this.#do(message))
      thread.on('error', (error) => reject(explainEnd(error)))
      thread.on('exit', () => {
        endWatch()
        if (!isStopping) reject(new Error('The thread that serves the dashboard has ended.'))
      })
    })
    thread.removeAllListeners()
    // What it still has to say of its end concerns nobody.
    thread.on('error', () => {})
    terminal.note('The dashboard stopped responding and was restarted.')
    await thread.terminate()
    // Who is told to stop meanwhile ends without another thread.
    if (isStopping) await new Promise(() => {})
    removeLeftFiles()
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
      case 'end':
        void this.#written.then(() =>
          isStopping ? this.endWithout(message.code) : process.exit(message.code),
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
