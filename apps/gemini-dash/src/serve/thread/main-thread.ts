import { readlinkSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { Terminal } from '../../terminal/terminal.ts'
import { Heart, type ServeMessage, type ServeThreadData } from './serve-message.ts'

/** What the main thread does for the thread that serves; see `serveInThread`. */
function mainThread() {
  if (parentPort === null) throw new Error('The dashboard is served by a thread of its own only.')
  return parentPort
}

const tell = (message: ServeMessage) => mainThread().postMessage(message)

/** The terminal, which the main thread alone can reach. */
export function openDistantTerminal(): Terminal {
  const { columns, isColorful }: ServeThreadData = workerData
  return {
    write: async (text) => tell({ kind: 'write', text }),
    note: (line) => tell({ kind: 'note', line }),
    progress: (line) => tell({ kind: 'progress', line }),
    clearProgress: () => tell({ kind: 'clear-progress' }),
    columns,
    isColorful,
  }
}

const BEAT_MS = 250

/** From now on the main thread notices when the loop of this thread does not turn. */
export function beginToBeat(): void {
  const { heart }: ServeThreadData = workerData
  Atomics.store(heart, Heart.thread, threadNumber())
  setInterval(() => Atomics.add(heart, Heart.beats, 1), BEAT_MS).unref()
}

function threadNumber(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || 0
  } catch {
    return 0
  }
}

/** Where a thread before this one listened, until it hung; null: there was none. */
export function portBefore(): number | null {
  const { portBefore }: ServeThreadData = workerData
  return portBefore
}

/** Who comes after this thread listens there. */
export function tellServing(port: number): void {
  tell({ kind: 'serving', port })
}

/** Resolves when the program is told to stop. */
export function stopOrder(): Promise<void> {
  return new Promise((resolve) => void mainThread().once('message', () => resolve()))
}

/** However the program ends, this file goes with it. */
export function removeAtEnd(file: string): void {
  tell({ kind: 'remove-at-end', file })
}

/** Ends the program with this code, after everything that was told before. */
export function endProgram(code: number): void {
  tell({ kind: 'end', code })
}
