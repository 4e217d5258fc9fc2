import { type Cost, NO_COST } from '../../model/cost.ts'
import type { Waste, WasteFinding, WasteRounds } from '../../model/insights/waste.ts'
import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import { NO_USAGE, type TokenUsage } from '../../model/token-usage.ts'
import { isPrompt } from '../messages/is-prompt.ts'
import { findCompressions } from '../outline/find-compressions.ts'
import { addCost } from '../sums/add-cost.ts'
import type { PriceCall } from '../sums/price-call.ts'
import { type CallTrace, traceCalls } from './call-trace.ts'
import { ErrorRuns } from './error-runs.ts'
import { findCutOutputs } from './find-cut-outputs.ts'
import { findFailedEdits } from './find-failed-edits.ts'
import { findFailingTools, MIN_FAILURES } from './find-failing-tools.ts'
import { findRepeats } from './find-repeats.ts'
import { findRereads } from './find-rereads.ts'
import type { Suspicion } from './suspicion.ts'

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
