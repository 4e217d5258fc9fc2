import type { Flags } from '../../terminal/flags.ts'

/** What the main thread hands to the thread that serves. */
export interface ServeThreadData {
  flags: Flags
  positionals: string[]
  /** A thread's own streams do not know these. */
  columns: number | null
  isColorful: boolean
  /** Shared with the main thread; its places: `Heart`. */
  heart: Int32Array
  /** Where a thread before this one listened, until it hung; null: there was none. */
  portBefore: number | null
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
  | { kind: 'end'; code: number }
