import { type Cost, NO_COST } from '../../model/cost.ts'
import type {
  ContextBlock,
  ContextCall,
  ContextKind,
  ContextXray,
} from '../../model/insights/context-xray.ts'
import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import { NO_USAGE } from '../../model/token-usage.ts'
import { isModelCall, isPrompt } from '../messages/message-kinds.ts'
import { findCompressions } from '../outline/find-compressions.ts'
import { addCost } from '../sums/add-cost.ts'
import type { PriceCall } from '../sums/price-call.ts'
import { ContextState, type SentPiece } from './context-state.ts'
import { type EstimatedCall, fitCalls } from './fit-calls.ts'
import { listItems } from './list-items.ts'
import { type ContextPiece, weighMessage } from './weigh-message.ts'

/** More than are told, as what the CLI masked later counts less in the end. */
const MAX_PIECES = 200

/**
 * Looks into the prompt of every call of a session. Messages are given in order, batch by batch, with all their texts,
 * so that no more than a batch need be held; `finish` then tells. Each model has a context of its own: sub-agents that
 * old versions mixed into the file of their parent are kept apart.
 */
export class ContextXrayBuilder {
  readonly #hasItems: boolean
  readonly #compressions: Set<number>
  readonly #states = new Map<string | null, ContextState>()
  readonly #blocks: ContextBlock[] = []
  readonly #blockOf = new Map<string, number>()
  readonly #calls: UnpricedCall[] = []
  readonly #callsOf = new Map<string | null, (number | null)[]>()
  #pieces: SentPiece[] = []
  #offset = 0
  #turn = 0
  #epoch = 0
  #isInBranch = false

  /** `hasItems`: whether single pieces are wanted; without them a session is walked in less time. */
  constructor(session: Session, { hasItems = true } = {}) {
    this.#hasItems = hasItems
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
      state.add({ ...piece, messageKey: message.key, offset, turn: this.#turn, block }, isTakenBack)
    }
  }

  #addCall(message: Message, offset: number, state: ContextState): void {
    const estimated = state.call()
    const { key: messageKey, superseded, agentKey, usage, model, timestamp } = message
    const callsOf = this.#callsOf.get(agentKey) ?? []
    this.#callsOf.set(agentKey, callsOf)
    callsOf.push(usage === null ? null : this.#calls.length)
    if (usage === null) return
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

  /** Only what was sent most is told, so no more is kept. */
  #keep(pieces: readonly SentPiece[]): void {
    if (!this.#hasItems) return
    this.#pieces = [...this.#pieces, ...pieces.filter((piece) => lengthSent(piece) > 0)]
      .sort((one, other) => lengthSent(other) - lengthSent(one) || one.offset - other.offset)
      .slice(0, MAX_PIECES)
  }
}

type UnpricedCall = Omit<EstimatedCall, 'inputUsd' | 'savedUsd'> & {
  model: string | null
  timestamp: string | null
}

/** Tools are told apart; files are items of one block. */
function blockName({ kind, name }: ContextPiece): string {
  return kind === 'tool-result' || kind === 'tool-call' ? name : ''
}

function lengthSent({ tokens, fromCall, toCall }: SentPiece): number {
  return tokens * (toCall - fromCall)
}

/** The input alone: what it cost, and what it would have cost without the cache. */
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
