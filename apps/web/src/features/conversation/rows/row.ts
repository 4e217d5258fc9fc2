import type { SideBranch } from '@gemini-dash/api'
import type { Compression, Message, Segment, Superseded, Turn } from 'gemini-sessions'

/** What rows are made of. */
export interface RowSource {
  total: number
  pageSize: number
  /** Loaded messages by page index; a missing page is drawn as one placeholder. */
  pages: ReadonlyMap<number, readonly Message[]>
  /** Under a filter: places in the whole session of the messages of each page. */
  positions: ReadonlyMap<number, readonly number[]> | null
  /** About how many lines the messages from a place on take; null where nothing is known of them. */
  linesOf: (at: number, count: number) => number | null
  turns: readonly Turn[]
  segments: readonly Segment[]
  compressions: readonly Compression[]
  /** Keys drawn unfolded in a buried session. */
  drawnKeys: readonly string[] | null
  /** Keys of the messages with which a later run went on. */
  resumedKeys: readonly string[]
  /** What the CLI holds no more, by place in the whole session. */
  branches: readonly SideBranch[]
  /** Until when the reader had seen it before, in ms; null: they had not. */
  seenUntilMs: number | null
  /** It is being written: what has no answer may yet get one. */
  isLive: boolean
  /** Of the messages with these keys, which are folded for this cause. */
  isFoldOpen: (messageKeys: readonly string[], cause: FoldCause) => boolean
}

/** What stands above a message and belongs to nobody: headers, seams, pauses. */
export type Lead =
  | {
      kind: 'compressed'
      key: string
      inputBefore: number | null
      inputAfter: number | null
      part: number | null
      /** Path of the file that it goes on in; '' where it is the same. */
      file: string
    }
  | { kind: 'part'; key: string; part: number; reason: 'compress' | 'resume' | 'start'; file: string }
  | { kind: 'resumed'; key: string }
  | { kind: 'pause'; key: string; from: string; to: string; isNewDay: boolean }
  | { kind: 'new'; key: string }
  | { kind: 'turn'; key: string; turn: Turn }

/**
 * One line of the virtual list. `offset` is the place in the whole session, `at` the place in the list that is read,
 * which a filter makes shorter. `key` is unique and stable, so that measured heights and focus survive changes.
 */
export type Row =
  | { kind: 'unloaded'; key: string; offset: number; at: number; count: number; lines: number | null }
  | { kind: 'fold'; key: string; lead: Lead[]; fold: Fold }
  | {
      kind: 'message'
      key: string
      lead: Lead[]
      message: Message
      offset: number
      at: number
      /** Drawn below the line of an open branch. */
      isInBranch: boolean
      isLastOfTurn: boolean
      /** By the person; what the CLI dropped because its request failed is none. */
      isTakenBack: boolean
      /** Its turn ends here, and its request failed. */
      ending: Ending | null
    }

/** Why a turn has no answer, or not all of one. */
export interface Ending {
  text: string
  /** Key of the message that tells: a notice, or the prompt where nothing followed it. */
  recordKey: string
}

/** `agent`: the messages of a sub-agent, which versions up to 0.30 wrote into the file of its parent. */
export type FoldCause = Superseded | 'agent'

/** Messages that stand together and are folded for one cause. */
export interface Fold {
  cause: FoldCause
  /** What is known of all of it; null for a sub-agent. */
  branch: SideBranch | null
  /** Place of its first message in the list that is read. */
  at: number
  /** Those that are loaded. */
  messages: FoldedMessage[]
  isOpen: boolean
}

export interface FoldedMessage {
  message: Message
  offset: number
  at: number
}
