import { parentPort, workerData } from 'node:worker_threads'
import { startHeartbeat } from '../store/reader/heartbeat.ts'
import type { Terminal } from '../terminal/cli-error.ts'
import type { Flags } from '../terminal/flags.ts'

/** The main thread, which performs tasks for the serving thread; see `serveInThread`. */
function mainThread() {
  if (parentPort === null) throw new Error('The dashboard is served by a thread of its own only.')
  return parentPort
}

const tell = (message: ServeMessage) => mainThread().postMessage(message)

/** The terminal, which only the main thread can access. */
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

/** From now on the main thread notices when this thread's event loop stalls. */
export function beginToBeat(): void {
  const { heartbeat }: ServeThreadData = workerData
  startHeartbeat(heartbeat)
}

/** What a previous thread served until it hung; null if there was none. */
export function leftServer(): LeftServer | null {
  const { left }: ServeThreadData = workerData
  return left
}

/** Reports the port it listens on: a replacement thread will listen there, too. */
export function tellServing(port: number): void {
  tell({ kind: 'serving', port })
}

/** Reports a sign-in, so that a replacement thread accepts it, too. */
export function tellSignIn(signIn: KeptSignIn): void {
  tell({ kind: 'signed-in', signIn })
}

/** Resolves when the program is told to stop. */
export function stopOrder(): Promise<void> {
  return new Promise((resolve) => void mainThread().once('message', () => resolve()))
}

/** Removes this file however the program ends. */
export function removeAtEnd(file: string): void {
  tell({ kind: 'remove-at-end', file })
}

/** Ends the program with this code, after all messages sent before. */
export function endProgram(code: number): void {
  tell({ kind: 'end', code })
}

/** A sign-in that is kept only in memory, with its expiry; null: it is void. */
export interface KeptSignIn {
  /** One of the three kinds. */
  of: string
  /** SHA-256 of the secret. */
  name: string
  expiresAt: number | null
}

/** What a thread that hung leaves to its replacement. */
export interface LeftServer {
  port: number
  signIns: KeptSignIn[]
}

/** What the main thread passes to the serving thread. */
export interface ServeThreadData {
  flags: Flags
  positionals: string[]
  /** A thread's own streams do not have these. */
  columns: number | null
  isColorful: boolean
  /** Shared with the main thread; indexes: `Heartbeat`. */
  heartbeat: Int32Array
  /** null if there was no previous thread. */
  left: LeftServer | null
}

/** Messages from the serving thread to the main thread. In the other direction, any message means stop. */
export type ServeMessage =
  | { kind: 'write'; text: string | Uint8Array }
  | { kind: 'note'; line: string }
  | { kind: 'progress'; line: string }
  | { kind: 'clear-progress' }
  | { kind: 'remove-at-end'; file: string }
  /** It is listening. */
  | { kind: 'serving'; port: number }
  | { kind: 'signed-in'; signIn: KeptSignIn }
  | { kind: 'end'; code: number }
