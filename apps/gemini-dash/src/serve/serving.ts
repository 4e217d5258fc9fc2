import type { GeminiHome } from 'gemini-sessions/node'
import type { Access } from '../access/access.ts'
import type { Flags } from '../terminal/flags.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** What one run of `serve` works with. */
export interface Serving {
  flags: Flags
  terminal: Terminal
  homes: GeminiHome[]
  /** null with `--no-cache`. */
  dataFolder: string | null
  /** Why there is none although there should be; null: there is one, or none is wanted. */
  whyNotKept: string | null
  /** null with `--no-token`. */
  access: Access | null
}
