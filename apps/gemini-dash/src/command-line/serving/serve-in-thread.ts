import { rmSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { programFiles } from '../../environment/program-files.ts'
import type { ServeMessage, ServeThreadData } from '../../serve/thread/serve-message.ts'
import { CliError } from '../../terminal/cli-error.ts'
import type { RunCommand } from '../../terminal/commands.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** Who stops the program waits 500 ms at most, whatever is still being closed: so long for closing, and the rest to leave. */
const CLOSE_DEADLINE_MS = 300
/** So long a thread that was told to end may take to leave what V8 interrupts. */
const LEAVE_DEADLINE_MS = 190

let isStopping = false

/** Files that go with the program, however it ends. */
const leftFiles = new Set<string>()

/**
 * Serves in a thread of its own. This one does nothing but hear signals, so that the program ends in time however busy
 * the other is; docs/decisions/ending-in-time.md.
 */
export const serveInThread: RunCommand = async ({ flags, positionals, terminal }) => {
  const { columns, isColorful } = terminal
  const workerData: ServeThreadData = { flags, positionals, columns, isColorful }
  const thread = new Worker(programFiles.serveThread, { workerData })
  hearSignals(thread)
  await endOf(thread, terminal)
}

/** The first one has everything closed, which is not waited for long; a second Ctrl+C ends the process at once. */
function hearSignals(thread: Worker): void {
  const hear = (signal: NodeJS.Signals) => {
    if (isStopping && signal === 'SIGINT') endWithout(thread)
    if (isStopping) return
    isStopping = true
    setTimeout(() => endWithout(thread), CLOSE_DEADLINE_MS)
    thread.postMessage('stop')
  }
  // Windows has SIGBREAK (Ctrl+Break), and SIGHUP when the window is closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const) process.on(signal, hear)
}

/** `process.exit` waits for threads in the middle of one long native call; only a signal that nothing can hold does not. */
function endWithout(thread: Worker, code = 0): void {
  void thread.terminate().then(() => process.exit(code))
  setTimeout(() => {
    removeLeftFiles()
    process.kill(process.pid, 'SIGKILL')
  }, LEAVE_DEADLINE_MS)
}

function removeLeftFiles(): void {
  for (const file of leftFiles) rmSync(file, { force: true })
}

/** Does what the thread asks for until it has ended. */
function endOf(thread: Worker, terminal: Terminal): Promise<void> {
  let written = Promise.resolve()
  process.on('exit', removeLeftFiles)
  return new Promise((_, reject) => {
    thread.on('message', (message: ServeMessage) => {
      switch (message.kind) {
        case 'write':
          written = terminal.write(message.text)
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
        case 'end':
          void written.then(() =>
            isStopping ? endWithout(thread, message.code) : process.exit(message.code),
          )
      }
    })
    thread.on('error', (error) => reject(explainEnd(error)))
    thread.on('exit', () => {
      if (!isStopping) reject(new Error('The thread that serves the dashboard has ended.'))
    })
  })
}

function explainEnd(error: Error): Error {
  if (!('code' in error) || error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  return new CliError(
    1,
    'The dashboard needed more memory than Node.js gives it, and ended.',
    'More is given with NODE_OPTIONS=--max-old-space-size=8192 (in megabytes).',
  )
}
