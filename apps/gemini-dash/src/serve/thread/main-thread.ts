import { parentPort, workerData } from 'node:worker_threads'
import type { Terminal } from '../../terminal/terminal.ts'
import type { ServeMessage, ServeThreadData } from './serve-message.ts'

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
