import type { Flags } from '../../terminal/flags.ts'

/** What the main thread hands to the thread that serves. */
export interface ServeThreadData {
  flags: Flags
  positionals: string[]
  /** A thread's own streams do not know these. */
  columns: number | null
  isColorful: boolean
}

/** What the thread that serves has the main thread do. Told to stop is it by any message at all. */
export type ServeMessage =
  | { kind: 'write'; text: string | Uint8Array }
  | { kind: 'note'; line: string }
  | { kind: 'progress'; line: string }
  | { kind: 'clear-progress' }
  | { kind: 'remove-at-end'; file: string }
  | { kind: 'end'; code: number }
