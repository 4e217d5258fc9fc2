import type { SideBranch } from '@gemini-dash/api'
import type { Compression, Cost, Message, Segment, Superseded, Turn } from 'gemini-sessions'
import { formatPlural } from '../../lib/figures.ts'

/** Input for building rows. */
export interface RowSource {
  total: number
  pageSize: number
  /** Loaded messages by page index; a missing page is drawn as one placeholder. */
  pages: ReadonlyMap<number, readonly Message[]>
  /** Under a filter: positions of each page's messages in the whole session. */
  positions: ReadonlyMap<number, readonly number[]> | null
  /** Estimated number of lines of `count` messages from an offset on; null if unknown. */
  linesOf: (at: number, count: number) => number | null
  turns: readonly Turn[]
  segments: readonly Segment[]
  compressions: readonly Compression[]
  /** Keys drawn unfolded in a buried session. */
  drawnKeys: readonly string[] | null
  /** Keys of the messages at which a later run resumed. */
  resumedKeys: readonly string[]
  /** Branches the CLI dropped, by position in the whole session. */
  branches: readonly SideBranch[]
  /** When the reader last saw the session, in ms; null if never. */
  seenUntilMs: number | null
  /** The session is being written: missing answers may still arrive. */
  isLive: boolean
  /** For messages with these keys, folded for this cause. */
  isFoldOpen: (messageKeys: readonly string[], cause: FoldCause) => boolean
}

/** What is drawn above a message but belongs to none: headers, seams, pauses. */
export type Divider =
  | {
      kind: 'compressed'
      key: string
      inputBefore: number | null
      inputAfter: number | null
      part: number | null
      /** Path of the file where it continues; '' if unchanged. */
      file: string
    }
  | { kind: 'part'; key: string; part: number; reason: 'compress' | 'resume' | 'start'; file: string }
  | { kind: 'resumed'; key: string }
  | { kind: 'pause'; key: string; from: string; to: string; isNewDay: boolean }
  | { kind: 'new'; key: string }
  | { kind: 'turn'; key: string; turn: Turn }

/**
 * One row of the virtual list. `offset` is the position in the whole session, `at` the position in the filtered list. `key` is unique and
 * stable, so that measured heights and focus survive changes.
 */
export type Row =
  | { kind: 'unloaded'; key: string; offset: number; at: number; count: number; lines: number | null }
  | { kind: 'fold'; key: string; dividers: Divider[]; fold: Fold }
  | {
      kind: 'message'
      key: string
      dividers: Divider[]
      message: Message
      offset: number
      at: number
      /** Drawn below the line of an open branch. */
      isInBranch: boolean
      isLastOfTurn: boolean
      /** Undone by the user; a turn that the CLI dropped after a failed request does not count. */
      isTakenBack: boolean
      /** Set on the last message of a turn whose request failed. */
      ending: Ending | null
      /** Set if it is part of a run; null: it has its own card. */
      run: RunPlace | null
    }

/** Consecutive messages that only call tools, after one that ends with tool calls: all of these share a card. */
export interface RunPlace {
  at: 'first' | 'middle' | 'last'
  messages: readonly Message[]
}

/** Why a turn has no complete answer. */
export interface Ending {
  text: string
  /** Key of the record with the reason: a notice, or the prompt if nothing followed it. */
  recordKey: string
}

/** `agent`: messages of a sub-agent, which versions up to 0.30 wrote into the file of its parent. */
export type FoldCause = Superseded | 'agent'

/** Consecutive messages folded for one cause. */
export interface Fold {
  cause: FoldCause
  /** The whole branch; null for a sub-agent. */
  branch: SideBranch | null
  /** Position of its first message in the filtered list. */
  at: number
  /** The loaded messages. */
  messages: FoldedMessage[]
  isOpen: boolean
}

export interface FoldedMessage {
  message: Message
  offset: number
  at: number
}

export type ConversationMessageRow = Extract<Row, { kind: 'message' }>

const WORDS: Record<Superseded, string> = {
  rewound: 'rewound',
  compacted: 'compressed',
  aborted: 'unanswered',
  replaced: 'replaced',
}

const OVERWRITTEN = 'overwritten in the file'

/** Whether all messages come from archived versions of an overwritten file. */
function isOverwritten(messages: Fold['messages']): boolean {
  return messages.length > 0 && messages.every(({ message }) => /\.kept-\d+$/.test(message.source.file))
}

/** `Turn 2 (rewound)`, `Turns 1 to 5 (compressed)`, `4 messages (replaced)`, `Sub-agent`. */
export function foldHeadline({ cause, branch, messages }: Fold): string {
  if (cause === 'agent') return 'Sub-agent'
  const word = isOverwritten(messages) ? OVERWRITTEN : WORDS[cause]
  const turns = branch?.turns ?? null
  if (turns === null) {
    const count = branch?.messages ?? messages.length
    return `${formatPlural(count, 'message')} (${word})`
  }
  const { first, last } = turns
  return first === last ? `Turn ${first} (${word})` : `Turns ${first} to ${last} (${word})`
}

export interface FoldTally {
  messages: number
  calls: number
  cost: Cost
  tokens: number
  /** First line of text by a person or the model; for a sub-agent, its task. */
  firstLine: string
}

export function foldTally(fold: Fold): FoldTally {
  const { branch } = fold
  if (branch !== null) {
    const { messages, usage, cost, firstLine } = branch
    return { messages, calls: usage.calls, tokens: usage.total, cost, firstLine }
  }
  const messages = fold.messages.map((entry) => entry.message)
  const billed = messages.filter((message) => message.usage !== null)
  const prices = billed.flatMap((message) => message.cost?.usd ?? [])
  const unpricedCalls = billed.reduce((sum, message) => sum + (message.cost?.unpricedCalls ?? 0), 0)
  return {
    messages: messages.length,
    calls: billed.length,
    cost: { usd: prices.length === 0 ? null : prices.reduce((sum, usd) => sum + usd, 0), unpricedCalls },
    tokens: billed.reduce((sum, message) => sum + (message.usage?.total ?? 0), 0),
    firstLine: taskOf(fold) ?? messages.map(firstLineOf).find((line) => line !== '') ?? '',
  }
}

function firstLineOf(message: Fold['messages'][number]['message']): string {
  if (message.origin === 'tool-result' || message.origin === 'injected') return ''
  const part = message.content.find((part) => part.kind === 'text' && part.text.trim() !== '')
  return part?.kind === 'text' ? (part.text.trim().split('\n', 1)[0] ?? '').slice(0, 200) : ''
}

/** The CLI's own prompt wraps the task in `<objective>` or `<question>`; null if it does not. */
function taskOf({ cause, messages }: Fold): string | null {
  const part = cause === 'agent' ? messages[0]?.message.content[0] : undefined
  if (part?.kind !== 'text') return null
  const task = /<(objective|question)>\s*([^\n]+?)\s*(?:\n|<\/\1>|$)/.exec(part.text)?.[2]
  return task?.slice(0, 200) ?? null
}
