import type { ContextBlock, ContextItem, ContextKind, ContextXray } from '../../model/context-xray.ts'
import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import { findCompressions } from '../find-compressions.ts'
import { isModelCall } from '../is-model-call.ts'
import { isPrompt } from '../is-prompt.ts'
import { ContextState, type SentPiece } from './context-state.ts'
import { type EstimatedCall, fitCalls } from './fit-calls.ts'
import { type ContextPiece, weighMessage } from './weigh-message.ts'

const MAX_ITEMS = 50

/**
 * Looks into the prompt of every call of a session. Messages are given in order, batch by batch, with all their texts,
 * so that no more than a batch need be held; `finish` then tells. Each model has a context of its own: sub-agents that
 * old versions mixed into the file of their parent are kept apart.
 */
export class ContextXrayBuilder {
  readonly #compressions: Set<number>
  readonly #states = new Map<string, ContextState>()
  readonly #blocks: ContextBlock[] = []
  readonly #blockOf = new Map<string, number>()
  readonly #calls: EstimatedCall[] = []
  #items: SentPiece[] = []
  #offset = 0
  #turn = 0
  #epoch = 0
  #isInBranch = false

  constructor(session: Session) {
    this.#compressions = new Set(findCompressions(session).map(({ offset }) => offset))
    this.#block('baseline', '')
    this.#block('unrecorded', '')
  }

  add(messages: readonly Message[]): void {
    for (const message of messages) this.#addMessage(message, this.#offset++)
  }

  finish(): ContextXray {
    for (const state of this.#states.values()) this.#keep(state.clear())
    const { calls, factor } = fitCalls(this.#calls, this.#blocks.length)
    return {
      blocks: this.#blocks,
      calls,
      items: this.#items.map((item) => toItem(item, factor)),
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
    for (const piece of weighMessage(message)) {
      const block = this.#block(piece.kind, blockName(piece))
      state.add({ ...piece, messageKey: message.key, offset, block }, isTakenBack)
    }
  }

  #addCall(message: Message, offset: number, state: ContextState): void {
    const estimated = state.call()
    if (message.usage === null) return
    const { key: messageKey, superseded, agentKey, usage } = message
    this.#calls.push({
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
    const key = agentKey ?? ''
    const state = this.#states.get(key) ?? new ContextState()
    this.#states.set(key, state)
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
    this.#items = [...this.#items, ...pieces.filter(({ sent }) => sent > 0)]
      .sort((one, other) => other.tokens * other.sent - one.tokens * one.sent || one.offset - other.offset)
      .slice(0, MAX_ITEMS)
  }
}

/** Tools are told apart; files are items of one block. */
function blockName({ kind, name }: ContextPiece): string {
  return kind === 'tool-result' || kind === 'tool-call' ? name : ''
}

function toItem(
  { messageKey, offset, kind, name, label, tokens, sent }: SentPiece,
  factor: number,
): ContextItem {
  return { messageKey, offset, kind, name, label, tokens: Math.round(tokens * factor), sent }
}
