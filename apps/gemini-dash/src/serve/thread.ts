import { readlinkSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { Terminal } from '../terminal/cli-error.ts'
import type { Flags } from '../terminal/flags.ts'

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

/** From now on the main thread notices when the loop of this thread stands still. */
export function beginToBeat(): void {
  const { heart }: ServeThreadData = workerData
  Atomics.store(heart, Heart.thread, threadNumber())
  setInterval(() => Atomics.add(heart, Heart.beats, 1), BEAT_MS).unref()
}

/** Of this thread in the system; 0 where it is not known. */
function threadNumber(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || 0
  } catch {
    return 0
  }
}

/** What a thread before this one served, until it hung; null: there was none. */
export function leftServer(): LeftServer | null {
  const { left }: ServeThreadData = workerData
  return left
}

/** It is listened on this port: who comes after this thread listens there. */
export function tellServing(port: number): void {
  tell({ kind: 'serving', port })
}

/** Who comes after this thread lets the same people in. */
export function tellSignIn(signIn: KeptSignIn): void {
  tell({ kind: 'signed-in', signIn })
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

/** A name of a sign-in that is kept in memory alone, and its end of life; null: it is void. */
export interface KeptSignIn {
  /** Which of the three kinds. */
  of: string
  /** SHA-256 of the secret. */
  name: string
  expiresAt: number | null
}

/** What a thread that hung leaves to the next one. */
export interface LeftServer {
  port: number
  signIns: KeptSignIn[]
}

/** What the main thread hands to the thread that serves. */
export interface ServeThreadData {
  flags: Flags
  positionals: string[]
  /** A thread's own streams do not know these. */
  columns: number | null
  isColorful: boolean
  /** Shared with the main thread; its places: `Heart`. */
  heart: Int32Array
  /** null: nobody served before. */
  left: LeftServer | null
}

export const Heart = {
  /** Counts while the loop of the thread turns. */
  beats: 0,
  /** The thread's number in the system; 0: not known. */
  thread: 1,
} as const

/** What the thread that serves has the main thread do. Told to stop is it by any message at all. */
export type ServeMessage =
  | { kind: 'write'; text: string | Uint8Array }
  | { kind: 'note'; line: string }
  | { kind: 'progress'; line: string }
  | { kind: 'clear-progress' }
  | { kind: 'remove-at-end'; file: string }
  /** It listens. */
  | { kind: 'serving'; port: number }
  | { kind: 'signed-in'; signIn: KeptSignIn }
  | { kind: 'end'; code: number }
