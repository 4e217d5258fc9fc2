import type { Message, Superseded, Turn } from 'gemini-sessions'

/** What stands above a message and belongs to nobody: headers, seams, pauses. */
export type Lead =
  | {
      kind: 'compressed'
      key: string
      inputBefore: number | null
      inputAfter: number | null
      part: number | null
    }
  | { kind: 'part'; key: string; part: number; reason: 'compress' | 'resume' | 'start' }
  | { kind: 'pause'; key: string; from: string; to: string; isNewDay: boolean }
  | { kind: 'turn'; key: string; turn: Turn }

/** One line of the virtual list. `key` is unique and stable, so that measured heights and focus survive changes. */
export type Row =
  | { kind: 'unloaded'; key: string; offset: number; count: number }
  | { kind: 'fold'; key: string; lead: Lead[]; fold: Fold }
  | { kind: 'message'; key: string; lead: Lead[]; message: Message; offset: number; isLastOfTurn: boolean }

/** Superseded messages that stand together, with one cause. */
export interface Fold {
  cause: Superseded
  messages: { message: Message; offset: number }[]
  /** The turns that begin in it. */
  turns: Turn[]
  isOpen: boolean
}
