import type { Rereads, Superseded } from 'gemini-sessions'

/** Why requests of a session cost what they did: facts without text. Plain JSON, stored with the session. */
type ReasonFacts =
  | ({
      cause: 'large-result'
      /** Number of results. */
      results: number
      /** Estimated. */
      tokens: number
      /** How many of the requests had the higher rate, and what it added. */
      aboveRequests: number
      surchargeUsd: number
    } & Pick<LargePiece, 'of' | 'tool' | 'label'>)
  | { cause: 'above-tier'; aboveInputTokens: number; surchargeUsd: number; largestInput: number }
  | { cause: 'repeated-reads'; path: string; files: number; reads: number }
  | { cause: 'rewound'; turns: number }
  | { cause: 'dropped' }
  | {
      cause: 'cold-cache'
      breaks: number
      longestBreakMs: number
      breakTurn: number | null
      /** Long tools or approvals within a turn. */
      waits: number
      compressions: number
      compressionTurn: number | null
    }
  | { cause: 'small-prompts'; turns: number; instructionTokens: number; instructionUsd: number }

/** A reason with its total, and the place that shows it. */
export type Reason = ReasonFacts & {
  usd: number
  requests: number
  turn: number
  messageKey: string
  advice: Advice | null
}

/** Requests of a turn without a specific cause. */
export interface TurnShare {
  turn: number
  messageKey: string
  usd: number
  requests: number
}

/** Why the requests of one session cost what they did: disjoint groups that add up to `usd`. */
export interface SessionReasons {
  usd: number
  requests: number
  reasons: Reason[]
  /** The largest turns. */
  turns: TurnShare[]
  /** All other turns. */
  others: { usd: number; requests: number; turns: number }
}

/** A reason that was found, and the requests it explains. */
export interface FoundReason {
  requests: readonly PricedRequest[]
  facts: ReasonFacts
  /** Where to see it. */
  place: { turn: number; messageKey: string }
  advice: Advice | null
}

/** The type of a large piece of context. */
type LargeKind = 'command' | 'file' | 'attachment' | 'prompt' | 'tool'

/** A result, attached file or prompt in a request. */
export interface LargePiece {
  /** The same for one piece in all requests. */
  id: string
  messageKey: string
  turn: number
  of: LargeKind
  /** Name of the tool; '' if not from a tool. */
  tool: string
  /** Command or path; else ''. */
  label: string
  /** What the user can do about it; null: nothing certain to help. */
  advice: Advice | null
  /** Estimated, as sent with this request. */
  tokens: number
}

/** A request with a known price, and everything that explains it. */
export interface PricedRequest {
  messageKey: string
  turn: number
  timeMs: number | null
  usd: number
  input: number
  cached: number
  superseded: Superseded | null
  /** Input tokens above which its rate was higher; null at the lowest rate. */
  aboveInputTokens: number | null
  /** What the higher rate added. */
  surchargeUsd: number
  /** The same for requests that build on each other: one model, no compression in between. */
  context: string
  /** Not the session's own: from a sub-agent that an old version recorded in its parent's file. */
  isAgent: boolean
  /** The previous request in its context. */
  before: { input: number; timeMs: number | null } | null
  /** The first after a compression. */
  isAfterCompression: boolean
  isFirstOfTurn: boolean
  /** The largest piece of its context. */
  largest: LargePiece | null
  /** What it read although the context still had it; null: nothing. */
  rereads: Rereads | null
  /** Estimated instructions and tools in its input, and the cost of sending them. */
  instructionTokens: number
  instructionUsd: number
  /** Cost of the input that the previous request had also sent. */
  resentUsd: number
}

/** Lengths of the prompts of a session: characters of text and attached files, by turn. */
export type PromptLengths = ReadonlyMap<number, number>

/** What a reason can advise; the texts are in `explain-why.ts`. */
export type Advice =
  | 'print-less'
  | 'name-lines'
  | 'name-files'
  | 'narrow-search'
  | 'attach-less'
  | 'save-prompt'
  | 'compress'
  | 'say-unchanged'
  | 'finish-before-break'
  | 'batch-prompts'
