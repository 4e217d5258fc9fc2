import type { Rereads, Superseded } from 'gemini-sessions'

/** What made requests of a session cost what they did: the facts, without words. Plain JSON, kept with the session. */
type ReasonFacts =
  | ({
      cause: 'large-result'
      /** How many results these are. */
      results: number
      /** Estimated. */
      tokens: number
      /** How many of the requests paid the higher rate, and what that added. */
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

/** A reason with what it comes to, and the place that shows it. */
export type Reason = ReasonFacts & {
  usd: number
  requests: number
  turn: number
  messageKey: string
  advice: Advice | null
}

/** Requests of a turn that have no cause of their own. */
export interface TurnShare {
  turn: number
  messageKey: string
  usd: number
  requests: number
}

/** Why the requests of one session cost what they did: groups without a common request, which add up to `usd`. */
export interface SessionReasons {
  usd: number
  requests: number
  reasons: Reason[]
  /** The largest turns. */
  turns: TurnShare[]
  /** All other turns. */
  others: { usd: number; requests: number; turns: number }
}

/** A reason that a cause found, and the requests that it explains. */
export interface FoundReason {
  requests: readonly PricedRequest[]
  facts: ReasonFacts
  /** Where to look. */
  place: { turn: number; messageKey: string }
  advice: Advice | null
}

/** What a large piece of a context is. */
type LargeKind = 'command' | 'file' | 'attachment' | 'prompt' | 'tool'

/** A result, attached file or prompt that a request sent. */
export interface LargePiece {
  /** Equal for one piece, in whatever request. */
  id: string
  messageKey: string
  turn: number
  of: LargeKind
  /** Name of the tool; '' for what is no tool's. */
  tool: string
  /** Command, path; '' */
  label: string
  /** What a person can do about it; null: nothing that is sure to help. */
  advice: Advice | null
  /** Estimated, as this request sent it. */
  tokens: number
}

/** A request of known price, with all that tells why it cost that. */
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
  /** Equal for requests that build on each other: one model, no compression between them. */
  context: string
  /** Not the session's own: of a sub-agent that an old version wrote into the file of its parent. */
  isAgent: boolean
  /** The request before it in its context. */
  before: { input: number; timeMs: number | null } | null
  /** The first after a compression. */
  isAfterCompression: boolean
  isFirstOfTurn: boolean
  /** The largest piece of its context. */
  largest: LargePiece | null
  /** What it asked for although the context held it; null: nothing. */
  rereads: Rereads | null
  /** Instructions and tools in its input, estimated, and what sending them cost. */
  instructionTokens: number
  instructionUsd: number
  /** What the part of its input cost that the request before had sent, too. */
  resentUsd: number
}

/** How long the prompts of a session are: characters of text and of attached files, by turn. */
export type PromptLengths = ReadonlyMap<number, number>

/** What a reason can advise; the words are in `why-words.ts`. */
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
