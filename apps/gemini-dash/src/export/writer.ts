import type { Depth, LeavingAgent } from '@gemini-dash/api'
import type { Segment, SessionSummary, Turn } from 'gemini-sessions'
import type { CutMessage } from './choose-messages.ts'

/** What is known of a session before its messages. */
export interface ExportHead {
  session: SessionSummary
  segments: readonly Segment[]
  turns: readonly Turn[]
  depth: Depth
  /** Of this program. */
  version: string
  /** Whose clocks are shown. */
  zone: string
  /** SHA-256 of each of its files, as hexadecimal digits, in their order. */
  fileHashes: readonly string[]
  isRedacted: boolean
}

/** Writes a session piece by piece, so that it need never be held as a whole. */
export interface Writer {
  head: (of: ExportHead) => string
  /** `place`: how many messages were written before; `agents`: the conversations below its calls, by key. */
  message: (
    told: CutMessage,
    place: number,
    agents: ReadonlyMap<string, LeavingAgent>,
    of: ExportHead,
  ) => string
  tail: (of: ExportHead) => string
}
