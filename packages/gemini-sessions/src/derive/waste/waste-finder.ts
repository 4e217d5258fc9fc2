import { type Cost, NO_COST } from '../../model/cost.ts'
import type { Waste, WasteFinding, WastePlace, WasteRounds } from '../../model/insights/waste.ts'
import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import { NO_USAGE, type TokenUsage } from '../../model/token-usage.ts'
import { isPrompt } from '../messages/message-kinds.ts'
import { messageText, oneLine } from '../messages/message-text.ts'
import { findCompressions } from '../outline/find-compressions.ts'
import { addCost } from '../sums/add-cost.ts'
import type { PriceCall } from '../sums/price-call.ts'
import { type CallTrace, traceCalls } from './call-trace.ts'
import { findFailingTools, MIN_FAILURES } from './find-failing-tools.ts'
import { findRepeats } from './find-repeats.ts'
import { findRereads } from './find-rereads.ts'
import type { Suspicion } from './suspicion.ts'

const MAX_SUBJECT_LENGTH = 160

/** The more telling come first: a call counts to the first finding that names it as extra. */
const FINDERS = [findCutOutputs, findRepeats, findRereads, findFailedEdits, findFailingTools]
const NO_ROUNDS: WasteRounds = { calls: 0, tokens: 0, cost: NO_COST }

/**
 * Looks for work that a session did twice. Its messages are given in order, batch by batch, with all their texts; each
 * model's calls are looked at by themselves.
 */
export class WasteFinder {
  readonly #compressions: ReadonlySet<number>
  readonly #traces = new Map<string | null, CallTrace[]>()
  readonly #errors = new ErrorRuns()
  #offset = 0
  #turn = 0
  #epoch = 0

  constructor(session: Session) {
    this.#compressions = new Set(findCompressions(session).map(({ offset }) => offset))
  }

  add(messages: readonly Message[]): void {
    for (const message of messages) {
      if (isPrompt(message)) this.#turn += 1
      if (this.#compressions.has(this.#offset)) this.#epoch += 1
      const place = { offset: this.#offset++, turn: this.#turn }
      this.#errors.add(message, place)
      const traces = this.#traces.get(message.agentKey) ?? []
      traces.push(...traceCalls(message, { ...place, epoch: this.#epoch }))
      this.#traces.set(message.agentKey, traces)
    }
  }

  finish(priceCall: PriceCall): Waste {
    this.#errors.close()
    const told = new Set<CallTrace>()
    const suspicions = [...this.#traces.values()].flatMap((traces) => FINDERS.flatMap((find) => find(traces)))
    const ofCalls = suspicions.flatMap((suspicion) => toFinding(suspicion, told, priceCall) ?? [])
    const ofErrors = this.#errors.runs.map(
      (run): WasteFinding => ({
        ...run,
        kind: 'error-run',
        tool: '',
        tokens: 0,
        cost: NO_COST,
        rounds: NO_ROUNDS,
      }),
    )
    const findings = [...ofCalls, ...ofErrors].sort(
      (one, other) => tokensOf(other) - tokensOf(one) || firstOffset(one) - firstOffset(other),
    )
    return {
      findings,
      tokens: findings.reduce((sum, { tokens }) => sum + tokens, 0),
      cost: findings.map(({ cost }) => cost).reduce(addCost, NO_COST),
      rounds: findings.map(({ rounds }) => rounds).reduce(addRounds, NO_ROUNDS),
    }
  }
}

/** null where too many of its calls count to other findings. */
function toFinding(
  { kind, calls }: Suspicion,
  told: Set<CallTrace>,
  priceCall: PriceCall,
): WasteFinding | null {
  const kept = calls.filter(({ trace, isExtra }) => !isExtra || !told.has(trace))
  const extra = kept.filter(({ isExtra }) => isExtra).map(({ trace }) => trace)
  const [first] = kept
  if (first === undefined || extra.length < (kind === 'failing-tool' ? MIN_FAILURES : 1)) return null
  for (const trace of extra) told.add(trace)
  return {
    kind,
    tool: first.trace.tool,
    subject: first.trace.subject,
    places: kept.map(({ trace, isExtra }) => {
      const { messageKey, offset, turn, timestamp, callId, call, tokens } = trace
      return { messageKey, offset, turn, timestamp, callId, call, tokens, isExtra }
    }),
    tokens: extra.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: extra.map((trace) => costOf(trace, freshInput(trace.tokens), priceCall)).reduce(addCost, NO_COST),
    rounds: roundsOf(extra, priceCall),
  }
}

function freshInput(tokens: number): TokenUsage {
  return { ...NO_USAGE, input: tokens, total: tokens, calls: 1 }
}

/** Of a model call that asked for useful work besides, nothing can be told apart. */
function roundsOf(extra: readonly CallTrace[], priceCall: PriceCall): WasteRounds {
  const ofMessage = new Map<string, CallTrace[]>()
  for (const trace of extra)
    ofMessage.set(trace.messageKey, [...(ofMessage.get(trace.messageKey) ?? []), trace])
  return [...ofMessage.values()]
    .flatMap(([first, ...rest]) => (first?.callCount === rest.length + 1 ? [first] : []))
    .map((trace) => toRound(trace, priceCall))
    .reduce(addRounds, NO_ROUNDS)
}

function toRound(trace: CallTrace, priceCall: PriceCall): WasteRounds {
  const { usage } = trace
  if (usage === null) return { ...NO_ROUNDS, calls: 1 }
  const tokens = usage.input + usage.output + usage.thoughts + usage.tool
  return { calls: 1, tokens, cost: costOf(trace, usage, priceCall) }
}

function costOf({ model, askedAt }: CallTrace, usage: TokenUsage, priceCall: PriceCall): Cost {
  const usd = priceCall({ model, timestamp: askedAt, usage })
  return { usd, unpricedCalls: usd === null ? 1 : 0 }
}

function addRounds(one: WasteRounds, other: WasteRounds): WasteRounds {
  return {
    calls: one.calls + other.calls,
    tokens: one.tokens + other.tokens,
    cost: addCost(one.cost, other.cost),
  }
}

function tokensOf({ tokens, rounds }: WasteFinding): number {
  return tokens + rounds.tokens
}

function firstOffset({ places }: WasteFinding): number {
  return places[0]?.offset ?? 0
}

/** Error notices that follow on each other, whatever was typed in between, until the model answers. */
class ErrorRuns {
  readonly runs: { subject: string; places: WastePlace[] }[] = []
  #places: WastePlace[] = []
  #subject = ''

  add(message: Message, place: { offset: number; turn: number }): void {
    if (message.type === 'error') {
      this.#subject = oneLine(messageText(message), MAX_SUBJECT_LENGTH)
      const { key: messageKey, timestamp } = message
      const isExtra = this.#places.length > 0
      this.#places.push({ ...place, messageKey, timestamp, callId: null, call: null, tokens: 0, isExtra })
    } else if (message.origin === 'model') this.close()
  }

  close(): void {
    if (this.#places.length > 1) this.runs.push({ subject: this.#subject, places: this.#places })
    this.#places = []
  }
}

/** Edits of a file that failed, with the try that followed within the same turn. */
function findFailedEdits(traces: readonly CallTrace[]): Suspicion[] {
  const open = new Map<string, CallTrace[]>()
  const found: Suspicion[] = []
  for (const trace of traces) {
    for (const path of trace.changes) {
      const failed = open.get(path) ?? []
      const isSameTurn = failed.every(({ turn }) => turn === trace.turn)
      if (trace.failed) open.set(path, isSameTurn ? [...failed, trace] : [trace])
      else {
        open.delete(path)
        if (isSameTurn && failed.length > 0) found.push(toSuspicion(failed, trace))
      }
    }
  }
  const unsolved = [...open.values()].filter((failed) => failed.length > 1)
  return [...found, ...unsolved.map((failed) => toSuspicion(failed, null))]
}

function toSuspicion(failed: readonly CallTrace[], success: CallTrace | null): Suspicion {
  const calls = failed.map((trace) => ({ trace, isExtra: true }))
  return {
    kind: 'failed-edit',
    calls: success === null ? calls : [...calls, { trace: success, isExtra: false }],
  }
}

/** A result that the CLI cut or masked and saved to a file, and the calls that read that file. */
function findCutOutputs(traces: readonly CallTrace[]): Suspicion[] {
  const cut: CallTrace[] = []
  const found = new Map<CallTrace, Suspicion>()
  for (const trace of traces) {
    const source = cut.find(({ savedTo }) => savedTo.some((path) => asksFor(trace, path)))
    if (source !== undefined) {
      const suspicion = found.get(source) ?? {
        kind: 'cut-output',
        calls: [{ trace: source, isExtra: false }],
      }
      suspicion.calls.push({ trace, isExtra: true })
      found.set(source, suspicion)
    }
    if (trace.savedTo.length > 0) cut.push(trace)
  }
  return [...found.values()]
}

/** By a tool that reads files, or by a command that names it. */
function asksFor(trace: CallTrace, path: string): boolean {
  const name = path.split('/').at(-1) ?? path
  return (
    trace.reads.some((read) => read.split(/[\\/]/).at(-1) === name) ||
    (trace.isShell && trace.subject.includes(name))
  )
}
