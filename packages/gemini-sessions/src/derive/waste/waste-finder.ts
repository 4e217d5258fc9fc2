import { type Cost, NO_COST } from '../../model/cost.ts'
import type { Message } from '../../model/message.ts'
import { NO_USAGE } from '../../model/token-usage.ts'
import type { Waste, WasteFinding } from '../../model/waste.ts'
import { addCost } from '../add-cost.ts'
import { isPrompt } from '../is-prompt.ts'
import type { PriceCall } from '../price-call.ts'
import { type CallTrace, traceCalls } from './call-trace.ts'
import { ErrorRuns } from './error-runs.ts'
import { findCutOutputs } from './find-cut-outputs.ts'
import { findFailedEdits } from './find-failed-edits.ts'
import { findFailingTools } from './find-failing-tools.ts'
import { findRepeats } from './find-repeats.ts'
import { findRereads } from './find-rereads.ts'
import type { Suspicion } from './suspicion.ts'

/** The more telling come first: a call counts to the first finding that names it as extra. */
const FINDERS = [findCutOutputs, findRepeats, findRereads, findFailedEdits, findFailingTools]

/**
 * Looks for work that a session did twice. Messages are given in order, batch by batch, with all their texts; each model's
 * calls are looked at by themselves.
 */
export class WasteFinder {
  readonly #traces = new Map<string | null, CallTrace[]>()
  readonly #errors = new ErrorRuns()
  #offset = 0
  #turn = 0

  add(messages: readonly Message[]): void {
    for (const message of messages) {
      if (isPrompt(message)) this.#turn += 1
      const place = { offset: this.#offset++, turn: this.#turn }
      this.#errors.add(message, place)
      const traces = this.#traces.get(message.agentKey) ?? []
      traces.push(...traceCalls(message, place))
      this.#traces.set(message.agentKey, traces)
    }
  }

  finish(priceCall: PriceCall): Waste {
    this.#errors.close()
    const told = new Set<CallTrace>()
    const suspicions = [...this.#traces.values()].flatMap((traces) => FINDERS.flatMap((find) => find(traces)))
    const ofCalls = suspicions.flatMap((suspicion) => toFinding(suspicion, told, priceCall) ?? [])
    const ofErrors = this.#errors.runs.map(
      (run): WasteFinding => ({ kind: 'error-run', tool: '', tokens: 0, cost: NO_COST, ...run }),
    )
    const findings = [...ofCalls, ...ofErrors].sort(
      (one, other) => other.tokens - one.tokens || firstOffset(one) - firstOffset(other),
    )
    return {
      findings,
      tokens: findings.reduce((sum, { tokens }) => sum + tokens, 0),
      cost: findings.map(({ cost }) => cost).reduce(addCost, NO_COST),
    }
  }
}

/** null where every extra call of it counts to another finding. */
function toFinding(
  { kind, calls }: Suspicion,
  told: Set<CallTrace>,
  priceCall: PriceCall,
): WasteFinding | null {
  const kept = calls.filter(({ trace, isExtra }) => !isExtra || !told.has(trace))
  const extra = kept.filter(({ isExtra }) => isExtra).map(({ trace }) => trace)
  const [first] = kept
  if (first === undefined || extra.length === 0) return null
  for (const trace of extra) told.add(trace)
  return {
    kind,
    tool: first.trace.tool,
    subject: first.trace.subject,
    places: kept.map(({ trace, isExtra }) => {
      const { messageKey, offset, turn, timestamp, callId, tokens } = trace
      return { messageKey, offset, turn, timestamp, callId, tokens, isExtra }
    }),
    tokens: extra.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: extra.map((trace) => inputCost(trace, priceCall)).reduce(addCost, NO_COST),
  }
}

/** What these tokens cost as fresh input of the model that called. */
function inputCost({ model, timestamp, tokens }: CallTrace, priceCall: PriceCall): Cost {
  const usd = priceCall({ model, timestamp, usage: { ...NO_USAGE, input: tokens, total: tokens, calls: 1 } })
  return { usd, unpricedCalls: usd === null ? 1 : 0 }
}

function firstOffset({ places }: WasteFinding): number {
  return places[0]?.offset ?? 0
}
