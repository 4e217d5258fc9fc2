import type { ContextBlock, ContextCall, ContextItem, ContextKind, ContextXray } from '../model/insights.ts'
import type { Message, Part, Session, ToolCall, ToolOutput } from '../model/message.ts'
import { type Cost, NO_COST, NO_USAGE } from '../model/usage.ts'
import { isModelCall, isPrompt, oneLine, promptLine } from './messages.ts'
import { findCompressions } from './outline.ts'
import { addCost, type PriceCall } from './sums.ts'

/** More than are returned, since pieces that the CLI masked later count less in the end. */
const MAX_PIECES = 200

/**
 * Analyzes the prompt of every call in a session. Messages are passed in order, batch by batch, with all their texts, so that only one
 * batch has to be in memory; `finish` then returns the result. Each model has its own context: sub-agents that old versions recorded in
 * their parent's file are kept separate.
 */
export class ContextXrayBuilder {
  readonly #hasItems: boolean
  readonly #onLarge: LargePieceListener
  readonly #compressions: Set<number>
  readonly #states = new Map<string | null, ContextState>()
  readonly #blocks: ContextBlock[] = []
  readonly #blockOf = new Map<string, number>()
  readonly #calls: UnpricedCall[] = []
  /** Of each call. */
  readonly #sent: { epoch: number; largest: PlacedPiece | null }[] = []
  readonly #callsOf = new Map<string | null, (number | null)[]>()
  #pieces: SentPiece[] = []
  #offset = 0
  #turn = 0
  #epoch = 0
  #isInBranch = false

  /**
   * `hasItems`: whether single pieces are needed; without them it is faster. `onLarge` is called for each piece larger than everything in
   * its context: only such a piece can be the largest of a call.
   */
  constructor(
    session: Session,
    { hasItems = true, onLarge = () => {} }: { hasItems?: boolean; onLarge?: LargePieceListener } = {},
  ) {
    this.#hasItems = hasItems
    this.#onLarge = onLarge
    this.#compressions = new Set(findCompressions(session).map(({ offset }) => offset))
    this.#block('baseline', '')
    this.#block('unrecorded', '')
  }

  add(messages: readonly Message[]): void {
    for (const message of messages) this.#addMessage(message, this.#offset++)
  }

  finish(priceCall: PriceCall): ContextXray {
    for (const state of this.#states.values()) this.#keep(state.clear())
    const priced = this.#calls.map((call) => withPrice(call, priceCall))
    const { calls, factor } = fitCalls(priced, this.#blocks.length)
    return {
      blocks: this.#blocks,
      calls,
      totals: toTotals(calls),
      items: listItems(this.#pieces, calls, this.#callsOf, factor),
      compressions: [...this.#compressions],
    }
  }

  /** The calls, each with the largest result, file or prompt that it sent. Looks up no prices. */
  finishCalls(): SentCall[] {
    const unpriced = this.#calls.map((call) => ({ ...call, inputUsd: null, savedUsd: null }))
    const { calls, factor } = fitCalls(unpriced, this.#blocks.length)
    return calls.map((call, index) => {
      const { epoch = 0, largest = null } = this.#sent[index] ?? {}
      return {
        ...call,
        epoch,
        instructionTokens: call.tokens[BASELINE] ?? 0,
        largest: largest && { ...largest, tokens: Math.round(largest.tokens * factor * call.scale) },
      }
    })
  }

  #addMessage(message: Message, offset: number): void {
    if (this.#compressions.has(offset)) {
      this.#epoch += 1
      for (const state of this.#states.values()) this.#keep(state.clear())
    }
    if (isPrompt(message)) this.#turn += 1
    const state = this.#stateOf(message)
    const isTakenBack = message.superseded !== null && message.superseded !== 'compacted'
    if (this.#isInBranch && !isTakenBack)
      for (const each of this.#states.values()) this.#keep(each.leaveBranch())
    this.#isInBranch = isTakenBack
    if (isModelCall(message)) this.#addCall(message, offset, state)
    for (const piece of weighMessage(message, { hasLabels: this.#hasItems })) {
      const block = this.#block(piece.kind, blockName(piece))
      const placed = { ...piece, messageKey: message.key, offset, turn: this.#turn, block }
      if (state.add(placed, isTakenBack)) this.#onLarge(placed, message)
    }
  }

  #addCall(message: Message, offset: number, state: ContextState): void {
    const estimated = state.call()
    const { key: messageKey, superseded, agentKey, usage, model, timestamp } = message
    const callsOf = this.#callsOf.get(agentKey) ?? []
    this.#callsOf.set(agentKey, callsOf)
    callsOf.push(usage === null ? null : this.#calls.length)
    if (usage === null) return
    this.#sent.push({ epoch: this.#epoch, largest: state.largest() })
    this.#calls.push({
      model,
      timestamp,
      messageKey,
      offset,
      turn: this.#turn,
      superseded,
      context: `${agentKey ?? ''} ${this.#epoch}`,
      agentKey,
      input: usage.input,
      cached: usage.cached,
      estimated,
    })
  }

  #stateOf({ agentKey }: Message): ContextState {
    const state = this.#states.get(agentKey) ?? new ContextState(agentKey)
    this.#states.set(agentKey, state)
    return state
  }

  #block(kind: ContextKind, name: string): number {
    const key = `${kind} ${name}`
    const known = this.#blockOf.get(key)
    if (known !== undefined) return known
    this.#blockOf.set(key, this.#blocks.length)
    return this.#blocks.push({ kind, name }) - 1
  }

  /** Only the most sent pieces are returned, so no more are kept. */
  #keep(pieces: readonly SentPiece[]): void {
    if (!this.#hasItems) return
    this.#pieces = [...this.#pieces, ...pieces.filter((piece) => lengthSent(piece) > 0)]
      .sort((one, other) => lengthSent(other) - lengthSent(one) || one.offset - other.offset)
      .slice(0, MAX_PIECES)
  }
}

type LargePieceListener = (piece: PlacedPiece, message: Message) => void

/** A call with details of its input. */
export interface SentCall extends ContextCall {
  /** Number of compressions before. */
  epoch: number
  /** Estimated. */
  instructionTokens: number
  /** Among results, files and prompts; `tokens` estimated, as sent with this call. */
  largest: PlacedPiece | null
}

type UnpricedCall = Omit<EstimatedCall, 'inputUsd' | 'savedUsd'> & {
  model: string | null
  timestamp: string | null
}

/** Tools are separate blocks; files are items of one block. */
function blockName({ kind, name }: ContextPiece): string {
  return kind === 'tool-result' || kind === 'tool-call' ? name : ''
}

function lengthSent({ tokens, fromCall, toCall }: SentPiece): number {
  return tokens * (toCall - fromCall)
}

/** The input only: its cost, and what it would have cost without the cache. */
function withPrice({ model, timestamp, ...call }: UnpricedCall, priceCall: PriceCall): EstimatedCall {
  const { input, cached } = call
  const usage = { ...NO_USAGE, input, cached, total: input, calls: 1 }
  const inputUsd = priceCall({ model, timestamp, usage })
  const freshUsd = cached === 0 ? inputUsd : priceCall({ model, timestamp, usage: { ...usage, cached: 0 } })
  const saved =
    inputUsd === null || freshUsd === null ? NO_COST : addCost(asCost(freshUsd), asCost(-inputUsd))
  return { ...call, inputUsd, savedUsd: saved.usd }
}

function toTotals(calls: readonly ContextCall[]): ContextXray['totals'] {
  const sum = (of: 'input' | 'cached' | 'resent') => calls.reduce((total, call) => total + call[of], 0)
  return {
    input: sum('input'),
    cached: sum('cached'),
    resent: sum('resent'),
    cost: calls.map(({ inputUsd }) => asCost(inputUsd)).reduce(addCost, NO_COST),
    saved: calls.map(({ savedUsd }) => asCost(savedUsd)).reduce(addCost, NO_COST),
  }
}

function asCost(usd: number | null): Cost {
  return { usd, unpricedCalls: usd === null ? 1 : 0 }
}

/** A piece with the position of its message. */
export interface PlacedPiece extends ContextPiece {
  messageKey: string
  offset: number
  turn: number
  /** Position in the list of blocks. */
  block: number
}

/** A piece that has left the context, and the calls that sent it: from `fromCall` to before `toCall`. */
type SentPiece = PlacedPiece & { agentKey: string | null; fromCall: number; toCall: number }

/**
 * The context of one model over time. A rewound branch is only sent by its own calls. Pieces are summed, not iterated, at each call: a
 * session can have ten thousands of both.
 */
class ContextState {
  readonly #agentKey: string | null
  readonly #trunk = new Holding()
  readonly #branch = new Holding()
  #calls = 0

  constructor(agentKey: string | null) {
    this.#agentKey = agentKey
  }

  /** Returns whether it is now the largest. */
  add(piece: PlacedPiece, isInBranch: boolean): boolean {
    const holding = isInBranch ? this.#branch : this.#trunk
    return holding.add(piece, this.#calls)
  }

  /** Among results, files and prompts of the next call. */
  largest(): PlacedPiece | null {
    const [trunk, branch] = [this.#trunk.largest, this.#branch.largest]
    return (branch?.tokens ?? 0) > (trunk?.tokens ?? 0) ? branch : trunk
  }

  /** Records a call. Returns the estimated tokens that it sends, by block. */
  call(): readonly number[] {
    this.#calls += 1
    const tokens = this.#trunk.tokens.slice()
    for (const [block, more] of this.#branch.tokens.entries()) addAt(tokens, block, more)
    return tokens
  }

  /** Later calls do not send the branch. */
  leaveBranch(): SentPiece[] {
    return this.#empty(this.#branch)
  }

  /** After a compression, or at the end: what follows starts a new context. */
  clear(): SentPiece[] {
    return [...this.#empty(this.#trunk), ...this.leaveBranch()]
  }

  #empty(holding: Holding): SentPiece[] {
    const sending = { agentKey: this.#agentKey, toCall: this.#calls }
    return holding.empty().map(({ piece, fromCall }) => ({ ...piece, ...sending, fromCall }))
  }
}

/** What the user or the model asked for. */
const CAN_BE_LARGE: ReadonlySet<string> = new Set(['tool-result', 'file', 'prompt'])

class Holding {
  /** By block. An array instead of a map, since each call copies it: a long session has thousands of calls. */
  readonly tokens: number[] = []
  largest: PlacedPiece | null = null
  #pieces: { piece: PlacedPiece; fromCall: number }[] = []

  add(piece: PlacedPiece, fromCall: number): boolean {
    this.#pieces.push({ piece, fromCall })
    addAt(this.tokens, piece.block, piece.tokens)
    const isLargest = CAN_BE_LARGE.has(piece.kind) && piece.tokens > (this.largest?.tokens ?? 0)
    if (isLargest) this.largest = piece
    return isLargest
  }

  empty(): { piece: PlacedPiece; fromCall: number }[] {
    const pieces = this.#pieces
    this.#pieces = []
    this.largest = null
    this.tokens.length = 0
    return pieces
  }
}

function addAt(tokens: number[], block: number, more: number): void {
  while (tokens.length <= block) tokens.push(0)
  tokens[block] = (tokens[block] ?? 0) + more
}

/** A piece that a message adds to every later prompt. */
interface ContextPiece {
  kind: ContextKind
  /** Tool name, path, or ''. */
  name: string
  label: string
  /** Index among the calls of the message; null if not from a call. */
  call: number | null
  /** Estimated by length. */
  tokens: number
}

const MAX_LABEL_LENGTH = 80

/** What a message, with all its texts, adds to the context. Notices are never sent; thoughts are not sent again. */
function weighMessage(message: Message, { hasLabels = true } = {}): ContextPiece[] {
  if (message.type !== 'user' && message.type !== 'gemini') return []
  const pieces =
    message.origin === 'model'
      ? [
          said(message, 'answer', false),
          ...message.toolCalls.flatMap((call, index) => weighCall(call, index, hasLabels)),
        ]
      : [said(message, spokenKind(message), hasLabels), ...message.attachments.map(weighAttachment)]
  return pieces.filter(({ tokens }) => tokens > 0)
}

/** Text of a tool-result message is part of the results; text that the CLI writes for the user or the model is context. */
function spokenKind({ origin }: Message): ContextKind {
  if (origin === 'human') return 'prompt'
  return origin === 'tool-result' ? 'tool-result' : 'session-context'
}

function said(message: Message, kind: ContextKind, hasLabel: boolean): ContextPiece {
  const label = kind === 'prompt' && hasLabel ? promptLine(message, MAX_LABEL_LENGTH) : ''
  return { kind, name: '', label, call: null, tokens: sum(message.content.map(weighPart)) }
}

function weighAttachment({ path, text }: Message['attachments'][number]): ContextPiece {
  return {
    kind: path === '' ? 'session-context' : 'file',
    name: path,
    label: '',
    call: null,
    tokens: estimateTokens(text),
  }
}

/** Both the call and its result count for the tool. */
function weighCall(
  { name, args, description, output, extraParts }: ToolCall,
  call: number,
  hasLabel: boolean,
): ContextPiece[] {
  const place = { name, label: hasLabel ? oneLine(description ?? '', MAX_LABEL_LENGTH) : '', call }
  const asked = estimateTokens(name) + estimateTokens(json(args))
  const answered = weighOutput(output) + sum(extraParts.map(weighPart))
  return [
    { kind: 'tool-call', ...place, tokens: asked },
    { kind: 'tool-result', ...place, tokens: answered === 0 ? 0 : estimateTokens(name) + answered },
  ]
}

function weighPart(part: Part): number {
  switch (part.kind) {
    case 'text':
      return estimateTokens(part.text)
    case 'code':
      return estimateTokens(part.code) + estimateTokens(part.output ?? '')
    case 'unknown':
      return estimateTokens(json(part.json))
    case 'image':
    case 'audio':
    case 'file':
      return PICTURE_TOKENS
  }
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/** Google's rule for Gemini models: about four characters per token, for Latin text and code. */
const TOKENS_PER_ASCII = 0.25
/** Other scripts take about one token per character; the CLI (0.61) uses 1.5 to be safe. */
const TOKENS_PER_OTHER = 1
/** A small image, or one tile of a large one, according to Google's documentation of Gemini. */
const PICTURE_TOKENS = 258

/** Most texts have none; a regular expression finds that in a quarter of the time of counting. */
const OTHER = /[\u0080-\uffff]/

/** Estimated tokens of a text; not rounded, so that small texts add up. */
export function estimateTokens(text: string): number {
  if (!OTHER.test(text)) return text.length * TOKENS_PER_ASCII
  let others = 0
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) others += 1
  return (text.length - others) * TOKENS_PER_ASCII + others * TOKENS_PER_OTHER
}

/** Estimated tokens of a result as sent to the model. */
export function weighOutput(output: ToolOutput): number {
  switch (output.kind) {
    case 'empty':
      return 0
    case 'image':
      return PICTURE_TOKENS
    case 'text':
    case 'markdown':
    case 'error':
      return estimateTokens(output.text)
    default:
      return estimateTokens(JSON.stringify(output))
  }
}

/** Smaller growth is dominated by the overhead of a message. */
const MIN_GROWTH_TOKENS = 200
const MIN_SAMPLES = 3
/** Outside these limits something else grew, and the calls do not reflect lengths: a rule of thumb is more accurate. */
const MIN_FACTOR = 0.5
const MAX_FACTOR = 2

/** Indexes in the list of blocks: both are created first. */
const BASELINE = 0
const UNRECORDED = 1

/** A call with its estimated content. */
interface EstimatedCall
  extends Omit<ContextCall, 'tokens' | 'scale' | 'grew' | 'resent' | 'before' | 'isAgent'> {
  /** Calls of one context follow each other: same model, no compression in between. */
  context: string
  /** Sub-agents have their own instructions. */
  agentKey: string | null
  /** Tokens by block, from length alone. */
  estimated: readonly number[]
}

/**
 * Fits the estimates to the recorded counts. Lengths are converted to tokens by a factor measured in the session itself; the excess of a
 * model's first call is its baseline; the excess of a later call beyond that is `unrecorded`.
 */
function fitCalls(
  estimated: readonly EstimatedCall[],
  blockCount: number,
): { calls: ContextCall[]; factor: number } {
  const factor = measureFactor(estimated)
  const baselines = new Map<string | null, number>()
  const contexts = new Map<string, Before>()
  const calls = estimated.map((call, index) => {
    const { context, agentKey, estimated: lengths, ...rest } = call
    const whole = inTokens(lengths, factor, blockCount)
    const baseline = baselines.get(agentKey) ?? Math.max(0, call.input - sumOfCalls(whole))
    baselines.set(agentKey, baseline)
    const scale = scaleOf(call.input, baseline, sumOfCalls(whole))
    const tokens = scale === 1 ? whole : inTokens(lengths, factor * scale, blockCount)
    const left = call.input - sumOfCalls(tokens)
    tokens[BASELINE] = Math.min(baseline, left)
    tokens[UNRECORDED] = left - tokens[BASELINE]
    const before = previousOf(contexts.get(context), call)
    contexts.set(context, follow(contexts.get(context), { ...call, index, tokens }))
    return {
      ...rest,
      isAgent: agentKey !== null,
      before: before?.index ?? null,
      resent: Math.min(call.input, before?.input ?? 0),
      tokens,
      scale,
      grew: biggestGrowth(tokens, before?.tokens),
    }
  })
  return { calls, factor }
}

type Placed = Pick<ContextCall, 'input' | 'superseded' | 'tokens'> & { index: number }

/** The last call of a context, and the last that was not rewound. */
interface Before {
  last: Placed
  lastStanding: Placed | undefined
}

/** A call does not include a branch that was rewound before it. */
function previousOf(before: Before | undefined, call: Pick<ContextCall, 'superseded'>): Placed | undefined {
  return isTakenBack(call) ? before?.last : before?.lastStanding
}

function follow(before: Before | undefined, call: Placed): Before {
  return { last: call, lastStanding: isTakenBack(call) ? before?.lastStanding : call }
}

function isTakenBack({ superseded }: Pick<ContextCall, 'superseded'>): boolean {
  return superseded !== null && superseded !== 'compacted'
}

/** Below 1 if more is logged than was sent: usually outputs that the CLI masked or cut. */
function scaleOf(input: number, baseline: number, known: number): number {
  // Less than the baseline alone: other tools or instructions than at first, so the baseline is scaled down as well.
  if (input <= baseline) return input / Math.max(baseline + known, 1)
  return known > input - baseline ? (input - baseline) / known : 1
}

function inTokens(lengths: readonly number[], factor: number, blockCount: number): number[] {
  const tokens: number[] = []
  for (let block = 0; block < blockCount; block++) tokens.push(Math.floor((lengths[block] ?? 0) * factor))
  return tokens
}

function biggestGrowth(
  tokens: readonly number[],
  before: readonly number[] | undefined,
): ContextCall['grew'] {
  if (before === undefined) return null
  let grew: ContextCall['grew'] = null
  for (let block = 0; block < tokens.length; block++) {
    const more = (tokens[block] ?? 0) - (before[block] ?? 0)
    if (more > (grew?.tokens ?? 0)) grew = { block, tokens: more }
  }
  return grew
}

function sumOfCalls(numbers: readonly number[]): number {
  let total = 0
  for (const each of numbers) total += each
  return total
}

/**
 * Recorded tokens per estimated token in this session: the median, over consecutive calls, of the growth of the recorded input divided by
 * the growth of the estimate. 1 if there are too few calls.
 */
function measureFactor(calls: readonly EstimatedCall[]): number {
  const last = new Map<string, { input: number; known: number }>()
  const ratios: number[] = []
  for (const { context, superseded, input, estimated } of calls) {
    if (superseded !== null && superseded !== 'compacted') continue
    const known = sumOfCalls(estimated)
    const before = last.get(context)
    last.set(context, { input, known })
    if (before === undefined || known - before.known < MIN_GROWTH_TOKENS || input <= before.input) continue
    const ratio = (input - before.input) / (known - before.known)
    if (ratio >= MIN_FACTOR && ratio <= MAX_FACTOR) ratios.push(ratio)
  }
  if (ratios.length < MIN_SAMPLES) return 1
  return ratios.sort((one, other) => one - other)[Math.floor(ratios.length / 2)] ?? 1
}

const MAX_ITEMS = 50

/** For each model its calls in order, as indexes in the list of calls; null for one without recorded tokens. */
type CallsOfModels = ReadonlyMap<string | null, readonly (number | null)[]>

/** What was sent most, pieces and baselines; `factor` converts lengths of pieces to tokens. */
function listItems(
  pieces: readonly SentPiece[],
  calls: readonly ContextCall[],
  callsOf: CallsOfModels,
  factor: number,
): ContextItem[] {
  const sums = new Map<string | null, SendingSums>()
  for (const [agentKey, positions] of callsOf) {
    const ofModel = new SendingSums()
    for (const position of positions) ofModel.add(position === null ? undefined : calls[position])
    sums.set(agentKey, ofModel)
  }
  const items = pieces.map((piece) => toItem(piece, sums.get(piece.agentKey) ?? new SendingSums(), factor))
  const baselines = [...callsOf.values()].flatMap((positions) =>
    toBaseline(positions.flatMap((position) => (position === null ? [] : (calls[position] ?? [])))),
  )
  return [...items, ...baselines]
    .filter(({ tokens, sentTokens }) => tokens > 0 && sentTokens > 0)
    .sort((one, other) => other.sentTokens - one.sentTokens || one.offset - other.offset)
    .slice(0, MAX_ITEMS)
}

function toItem(piece: SentPiece, sums: SendingSums, factor: number): ContextItem {
  const { messageKey, offset, turn, call, kind, name, label, fromCall, toCall } = piece
  const tokens = piece.tokens * factor
  const resentUsd = sums.resentUsd(piece)
  return {
    messageKey,
    offset,
    turn,
    call,
    kind,
    name,
    label,
    tokens: Math.round(tokens),
    sent: toCall - fromCall,
    sentTokens: Math.round(tokens * sums.shares(piece)),
    resentUsd: resentUsd === null ? null : resentUsd * tokens,
  }
}

/** Instructions and tools, which precede every prompt of a model. */
function toBaseline(calls: readonly ContextCall[]): ContextItem[] {
  const [first, ...again] = calls
  if (first === undefined) return []
  const priced = again.filter(({ inputUsd, input }) => inputUsd !== null && input > 0)
  const baselineOf = ({ tokens }: ContextCall) => tokens[BASELINE] ?? 0
  const usd = priced.reduce((sum, call) => sum + ((call.inputUsd ?? 0) / call.input) * baselineOf(call), 0)
  return [
    {
      messageKey: first.messageKey,
      offset: first.offset,
      turn: first.turn,
      call: null,
      kind: 'baseline',
      name: '',
      label: '',
      tokens: baselineOf(first),
      sent: calls.length,
      sentTokens: calls.reduce((sum, call) => sum + baselineOf(call), 0),
      resentUsd: priced.length === 0 && again.length > 0 ? null : usd,
    },
  ]
}

/** Cumulative sums of sending one token of a context: index n covers the first n calls. */
class SendingSums {
  readonly #shares = [0]
  readonly #usd = [0]
  readonly #priced = [0]

  /** A call without recorded tokens still sent its context, at an unknown price. */
  add(call: ContextCall | undefined): void {
    const { input, inputUsd, scale } = call ?? { input: 0, inputUsd: null, scale: 1 }
    const isPriced = inputUsd !== null && input > 0
    this.#shares.push(last(this.#shares) + scale)
    this.#usd.push(last(this.#usd) + (isPriced ? (inputUsd / input) * scale : 0))
    this.#priced.push(last(this.#priced) + (isPriced ? 1 : 0))
  }

  /** How often these calls sent a token; masked ones count as fractions. */
  shares({ fromCall, toCall }: Pick<SentPiece, 'fromCall' | 'toCall'>): number {
    return between(this.#shares, fromCall, toCall)
  }

  /** Price of every sending of a token except the first; null if none is known. */
  resentUsd({ fromCall, toCall }: Pick<SentPiece, 'fromCall' | 'toCall'>): number | null {
    const again = Math.min(fromCall + 1, toCall)
    return between(this.#priced, again, toCall) === 0 && again < toCall
      ? null
      : between(this.#usd, again, toCall)
  }
}

function between(sums: readonly number[], from: number, to: number): number {
  return (sums[to] ?? 0) - (sums[from] ?? 0)
}

function last(sums: readonly number[]): number {
  return sums.at(-1) ?? 0
}
