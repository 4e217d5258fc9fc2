import type { SessionCalls } from '@gemini-dash/api'
import { contextWindow, type PriceOverrides, weighCall } from '@gemini-dash/pricing'
import type { CallPoint } from 'gemini-sessions'

/** Model calls as a few lists of figures, with what their models hold and where their rates rise. */
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
    usd: calls.map(({ cost }) => cost?.usd ?? null),
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
