import type { SideBranch } from '@gemini-dash/api'
import type { Compression, Cost, Message, Segment, Superseded, Turn } from 'gemini-sessions'
import { formatPlural } from '../../lib/figures.ts'

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
      /** Where it is part of a run; null: it has a card of its own. */
      run: RunPlace | null
    }

/** Messages that only call tools, behind one that ends with its calls: all of their calls are one card. */
export interface RunPlace {
  at: 'first' | 'middle' | 'last'
  messages: readonly Message[]
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

export type ConversationMessageRow = Extract<Row, { kind: 'message' }>

const WORDS: Record<Superseded, string> = {
  rewound: 'rewound',
  compacted: 'compressed',
  aborted: 'not answered',
  replaced: 'replaced',
}

const OVERWRITTEN = 'overwritten in the file'

/** What a file held before, and was kept of it, is called by that. */
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
  /** First line that a person or the model wrote in it; of a sub-agent its task. */
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

/** The CLI's own prompt wraps the task: `<objective>`, `<question>`; null where it does not. */
function taskOf({ cause, messages }: Fold): string | null {
  const part = cause === 'agent' ? messages[0]?.message.content[0] : undefined
  if (part?.kind !== 'text') return null
  const task = /<(objective|question)>\s*([^\n]+?)\s*(?:\n|<\/\1>|$)/.exec(part.text)?.[2]
  return task?.slice(0, 200) ?? null
}
