import type { SessionCalls } from '@gemini-dash/api'
import { contextWindow, type PriceOverrides, weighCall } from '@gemini-dash/pricing'
import type { CallPoint } from 'gemini-sessions'

/** Model calls as a few lists of figures, with the limits of their models and the thresholds of their rates. */
export function columnCalls(calls: readonly CallPoint[], prices: PriceOverrides | undefined): SessionCalls {
  const numberOf = new Map<string, number>()
  const models: SessionCalls['models'] = []
  const modelOf: SessionCalls['modelOf'] = []
  const atHigherRate: number[] = []
  for (const [index, call] of calls.entries()) {
    const { model } = call
    const { price, tier } = weighCall(call, prices)
    if ((tier?.aboveInputTokens ?? 0) > 0) atHigherRate.push(index)
    if (model === null) {
      modelOf.push(null)
      continue
    }
    const number = numberOf.get(model) ?? models.length
    numberOf.set(model, number)
    modelOf.push(number)
    const known = models[number]
    models[number] = {
      name: model,
      contextWindow: known === undefined ? contextWindow(model, dayOf(call)) : known.contextWindow,
      higherRateAbove: price?.tiers[1]?.aboveInputTokens ?? known?.higherRateAbove ?? null,
    }
  }
  return { ...columns(calls), models, modelOf, atHigherRate }
}

/** At most this many steps with equal numbers of calls, each represented by its largest call. */
export function stepCalls(
  calls: readonly CallPoint[],
  prices: PriceOverrides | undefined,
  most: number,
): SessionCalls {
  const size = Math.max(1, Math.ceil(calls.length / most))
  const steps = Array.from({ length: Math.ceil(calls.length / size) }, (_, index) =>
    calls.slice(index * size, (index + 1) * size),
  )
  const columns = columnCalls(
    steps.map((step) =>
      step.reduce((largest, call) => (tokensOf(call) > tokensOf(largest) ? call : largest)),
    ),
    prices,
  )
  const isAtHigherRate = (call: CallPoint) => (weighCall(call, prices).tier?.aboveInputTokens ?? 0) > 0
  const last = calls.findLast(({ usage, superseded }) => usage !== null && superseded === null)
  return {
    ...columns,
    atHigherRate: indexesOf(steps, (step) => step.some(isAtHigherRate)),
    failed: indexesOf(steps, (step) => step.some(({ failed }) => failed)),
    superseded: steps.flatMap((step, index) => {
      const cause = step.every(({ superseded }) => superseded !== null) ? (step[0]?.superseded ?? null) : null
      return cause === null ? [] : [[index, cause] satisfies [number, typeof cause]]
    }),
    steps: {
      size,
      calls: calls.length,
      failedCalls: calls.filter(({ failed }) => failed).length,
      usd: steps.map(usdOf),
      contextNow: last?.usage?.input ?? null,
    },
  }
}

function tokensOf({ usage }: CallPoint): number {
  return (usage?.input ?? 0) + (usage?.output ?? 0) + (usage?.thoughts ?? 0)
}

function usdOf(calls: readonly CallPoint[]): number | null {
  const priced = calls.flatMap(({ cost }) => cost?.usd ?? [])
  return priced.length === 0 ? null : toUsd(priced.reduce((sum, usd) => sum + usd, 0))
}

function indexesOf<Value>(list: readonly Value[], isMeant: (value: Value) => boolean): number[] {
  return list.flatMap((value, index) => (isMeant(value) ? [index] : []))
}

/** Prices are multiples of a hundred millionth; further digits are rounding errors of sums. */
function toUsd(usd: number): number {
  return Math.round(usd * 1e11) / 1e11
}

function columns(calls: readonly CallPoint[]): Omit<SessionCalls, 'models' | 'modelOf' | 'atHigherRate'> {
  return {
    messageKeys: calls.map(({ messageKey }) => messageKey),
    offsets: calls.map(({ offset }) => offset),
    turns: calls.map(({ turn }) => turn),
    times: calls.map(({ timestamp }) => toMs(timestamp)),
    input: calls.map(({ usage }) => usage?.input ?? null),
    cached: calls.map(({ usage }) => usage?.cached ?? 0),
    output: calls.map(({ usage }) => usage?.output ?? 0),
    thoughts: calls.map(({ usage }) => usage?.thoughts ?? 0),
    tool: calls.map(({ usage }) => usage?.tool ?? 0),
    usd: calls.map(({ cost }) => (cost?.usd == null ? null : toUsd(cost.usd))),
    failed: calls.flatMap(({ failed }, index) => (failed ? [index] : [])),
    superseded: calls.flatMap(({ superseded }, index) =>
      superseded === null ? [] : [[index, superseded] satisfies [number, typeof superseded]],
    ),
  }
}

function toMs(timestamp: string | null): number | null {
  const ms = Date.parse(timestamp ?? '')
  return Number.isNaN(ms) ? null : ms
}

function dayOf({ timestamp }: CallPoint): string {
  return (timestamp ?? new Date().toISOString()).slice(0, 10)
}
