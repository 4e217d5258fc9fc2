import type { CostTerm } from '@gemini-dash/api'
import {
  ContextXrayBuilder,
  type CostSplit,
  isPrompt,
  type Message,
  messageText,
  type PlacedPiece,
  pathArguments,
  RereadFinder,
  type SentCall,
  type Session,
  spentMessages,
  type ToolCall,
} from 'gemini-sessions'
import { type CostExplanation, priceCall, weighCall, weighCalls } from '../cost.ts'
import { LIST_PRICES, type PriceOverrides } from '../price-overrides.ts'
import type { LargePiece, PricedRequest, SessionReasons } from './facts.ts'
import { findReasons, sumUsd } from './find-reasons.ts'

/** What a session cost, and why. */
interface FoundReasons {
  /** null: nothing of it has a price. */
  reasons: SessionReasons | null
  /** For messages that the session holds; null: no price. */
  paidFor: (message: Message) => CostSplit | null
}

/** Finds the reasons for the cost of a session that need not hold its texts: its complete messages are passed in order, batch by batch. */
export class ReasonFinder {
  readonly #messages: readonly Message[]
  readonly #prices: PriceOverrides
  /** null: nothing of it has a price. */
  readonly #looks: { context: ContextXrayBuilder; rereads: RereadFinder } | null
  readonly #pieces = new Map<string, DescribedPiece>()
  readonly #prompts = new Map<number, number>()
  #turn = 0

  constructor(session: Session, prices: PriceOverrides = LIST_PRICES) {
    this.#messages = spentMessages(session)
    this.#prices = prices
    const isPriced = this.#messages.some(
      (message) => message.usage !== null && priceCall(message, prices) !== null,
    )
    const context = () =>
      new ContextXrayBuilder(session, {
        hasItems: false,
        onLarge: (piece, message) => this.#pieces.set(idOf(piece), describePiece(piece, message)),
      })
    this.#looks = isPriced ? { context: context(), rereads: new RereadFinder(session) } : null
  }

  add(messages: readonly Message[]): void {
    if (this.#looks === null) return
    this.#looks.context.add(messages)
    this.#looks.rereads.add(messages)
    for (const message of messages) {
      if (!isPrompt(message)) continue
      this.#turn += 1
      const attached = message.attachments.filter(({ path }) => path !== '')
      const length = attached.reduce((sum, { text }) => sum + text.length, messageText(message).length)
      this.#prompts.set(this.#turn, length)
    }
  }

  finish(): FoundReasons {
    if (this.#looks === null) return { reasons: null, paidFor: () => null }
    const calls = weighCalls(this.#messages, this.#prices)
    const splits = new Map<Message, CostSplit>()
    const placer = new RequestPlacer(this.#looks.context.finishCalls())
    const rereads = this.#looks.rereads.finish()
    const requests: PricedRequest[] = []
    for (const { message, weighed } of calls) {
      if (weighed.usd === null) continue
      const lowest = isAboveLowest(weighed)
        ? weighCall(message, this.#prices, { isLowestTier: true })
        : weighed
      const split = splitOf(weighed, lowest)
      splits.set(message, split)
      const request = placer.place(message, weighed.usd)
      if (request === null) continue
      const { call, ...place } = request
      const inputUsd = termUsd(weighed, 'input') + termUsd(weighed, 'cached')
      const usdPerToken = call.input > 0 ? inputUsd / call.input : 0
      requests.push({
        ...place,
        largest: call.largest && this.#describe(call.largest),
        aboveInputTokens: weighed.tier?.aboveInputTokens || null,
        surchargeUsd: split.surcharge,
        rereads: rereads.get(message.key) ?? null,
        instructionUsd: call.instructionTokens * usdPerToken,
        resentUsd: call.resent * usdPerToken,
      })
    }
    return {
      reasons: findReasons(requests, this.#prompts),
      paidFor: (message) => splits.get(message) ?? null,
    }
  }

  #describe(piece: PlacedPiece): LargePiece | null {
    const id = idOf(piece)
    const described = this.#pieces.get(id)
    const { messageKey, turn, tokens } = piece
    return described === undefined ? null : { ...described, id, messageKey, turn, tokens }
  }
}

type Placed = Omit<
  PricedRequest,
  'largest' | 'aboveInputTokens' | 'surchargeUsd' | 'rereads' | 'instructionUsd' | 'resentUsd'
> & { call: SentCall }

/** Determines where each request is in its conversation, in order. */
class RequestPlacer {
  readonly #calls: readonly SentCall[]
  readonly #callOf: ReadonlyMap<string, SentCall>
  readonly #timeOf = new Map<string, number | null>()
  readonly #contexts = new Set<string>()
  #turn = -1

  constructor(calls: readonly SentCall[]) {
    this.#calls = calls
    this.#callOf = new Map(calls.map((call) => [call.messageKey, call]))
  }

  /** null: no tokens are recorded. */
  place({ key, timestamp, agentKey, usage, superseded }: Message, usd: number): Placed | null {
    const call = this.#callOf.get(key)
    if (call === undefined || usage === null) return null
    const timeMs = timestamp === null || Number.isNaN(Date.parse(timestamp)) ? null : Date.parse(timestamp)
    this.#timeOf.set(key, timeMs)
    const context = `${agentKey ?? ''} ${call.epoch}`
    const isFirstOfContext = !this.#contexts.has(context)
    this.#contexts.add(context)
    const isFirstOfTurn = !call.isAgent && call.turn !== this.#turn
    if (!call.isAgent) this.#turn = call.turn
    const before = call.before === null ? undefined : this.#calls[call.before]
    return {
      call,
      messageKey: key,
      turn: call.turn,
      timeMs,
      usd,
      input: call.input,
      cached: call.cached,
      superseded,
      context,
      isAgent: call.isAgent,
      before: before ? { input: before.input, timeMs: this.#timeOf.get(before.messageKey) ?? null } : null,
      isAfterCompression: isFirstOfContext && call.epoch > 0,
      isFirstOfTurn,
      instructionTokens: call.instructionTokens,
    }
  }
}

function isAboveLowest({ tier }: CostExplanation): boolean {
  return (tier?.aboveInputTokens ?? 0) > 0
}

/** `lowest`: the same call at the lowest rate. */
function splitOf(weighed: CostExplanation, lowest: CostExplanation): CostSplit {
  return {
    cached: termUsd(lowest, 'cached'),
    surcharge: sumUsd([weighed.usd ?? 0, -(lowest.usd ?? 0)]),
    answers: termUsd(lowest, 'output'),
    thinking: termUsd(lowest, 'thoughts'),
  }
}

function termUsd({ terms }: CostExplanation, wanted: CostTerm['kind']): number {
  return terms.find(({ kind }) => kind === wanted)?.usd ?? 0
}

/** A rewound piece and its replacement are different. */
function idOf({ messageKey, call, kind, name }: PlacedPiece): string {
  return [messageKey, call ?? '', kind, name].join(' ')
}

type DescribedPiece = Pick<LargePiece, 'of' | 'tool' | 'label' | 'advice'>

const MAX_LABEL_LENGTH = 80
/** Limits the work for a text that is one word, such as a path. */
const MAX_READ_LENGTH = 1_000
const MOST_NAMED_FILES = 8
const SHELL_TOOLS: ReadonlySet<string> = new Set(['run_shell_command', 'ShellTool', 'shell'])
const SEARCH_TOOLS: ReadonlySet<string> = new Set(['grep_search', 'search_file_content'])
/** Commands that print part of their input, or next to nothing. */
const PRINTS_LESS =
  /(?:^|\|\s*)(?:head|tail|e?grep|rg|sed|awk|jq|cut|wc|uniq)\b|\s(?:-q|--quiet|--silent)\b|>\s*[^&\s]|^\s*(?:cd|echo|export|mkdir|sleep|true)\b/
/** Arguments of a read or a search that already narrow it. */
const RANGE_ARGUMENTS = ['offset', 'limit', 'start_line', 'end_line']
const SCOPE_ARGUMENTS = ['path', 'dir_path', 'include', 'include_pattern']

/** Describes a result, attached file or prompt, and what would have made it smaller, as far as its own record shows. */
export function describePiece(piece: PlacedPiece, message: Message): DescribedPiece {
  if (piece.kind === 'prompt') return { of: 'prompt', tool: '', label: '', advice: 'save-prompt' }
  if (piece.kind === 'file') return { of: 'attachment', tool: '', label: piece.name, advice: 'attach-less' }
  const call = piece.call === null ? undefined : message.toolCalls[piece.call]
  if (call === undefined) return { of: 'tool', tool: piece.name, label: '', advice: null }
  return describeCall(call)
}

function describeCall(call: ToolCall): DescribedPiece {
  const { name: tool, args } = call
  const texts = textArguments(args)
  if (SHELL_TOOLS.has(tool)) {
    const command = texts.get('command') ?? ''
    const steps = command.split(/&&|\|\||[;\n]/).filter((step) => step.trim() !== '')
    const isShort = steps.every((step) => PRINTS_LESS.test(step.trim()))
    return { of: 'command', tool, label: toLabel(command), advice: isShort ? null : 'print-less' }
  }
  if (tool === 'read_file') {
    const path = texts.get('file_path') ?? texts.get('absolute_path') ?? texts.get('path') ?? ''
    const isPart = hasArgument(args, RANGE_ARGUMENTS)
    return { of: 'file', tool, label: toLabel(path), advice: isPart ? null : 'name-lines' }
  }
  return { of: 'tool', tool, label: '', advice: adviceOfTool(call) }
}

function adviceOfTool({ name, args }: ToolCall): LargePiece['advice'] {
  if (name === 'read_many_files') return readsBroadly(pathArguments(args)) ? 'name-files' : null
  if (SEARCH_TOOLS.has(name)) return hasArgument(args, SCOPE_ARGUMENTS) ? null : 'narrow-search'
  return null
}

/** By a pattern or a folder, or more files than a person would name. */
function readsBroadly(paths: readonly string[]): boolean {
  return paths.length > MOST_NAMED_FILES || paths.some((path) => /[*?{]|[\\/]$/.test(path))
}

function textArguments(args: unknown): Map<string, string> {
  if (typeof args !== 'object' || args === null) return new Map()
  return new Map(
    Object.entries(args).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function hasArgument(args: unknown, names: readonly string[]): boolean {
  return typeof args === 'object' && args !== null && names.some((name) => Object.hasOwn(args, name))
}

/** On one line, cut between words: half a secret would not be recognized by the redactor. */
function toLabel(text: string): string {
  const [first = '', ...words] = text.slice(0, MAX_READ_LENGTH).trim().split(/\s+/)
  const isWhole = text.length <= MAX_READ_LENGTH
  let label = first
  for (const [index, word] of words.entries()) {
    const isCut = !isWhole && index === words.length - 1
    if (isCut || label.length + word.length >= MAX_LABEL_LENGTH) return `${label} …`
    label = `${label} ${word}`
  }
  return !isWhole && words.length === 0 ? '' : label
}
