import type { SessionCalls } from '@gemini-dash/api'
import type { Superseded } from 'gemini-sessions'

/** One request of the chart. */
export interface ChartCall {
  messageKey: string
  offset: number
  turn: number
  /** Milliseconds since 1970. */
  time: number | null
  model: string | null
  /** null: not recorded. */
  usage: { input: number; cached: number; output: number; thoughts: number; tool: number } | null
  usd: number | null
  failed: boolean
  superseded: Superseded | null
  isAtHigherRate: boolean
}

/** The columns of an answer as requests; one that stands for a step has the cost of the whole step. */
export function toChartCalls(columns: SessionCalls): ChartCall[] {
  const failed = new Set(columns.failed)
  const superseded = new Map(columns.superseded)
  const atHigherRate = new Set(columns.atHigherRate)
  return columns.messageKeys.map((messageKey, index) => ({
    messageKey,
    offset: columns.offsets[index] ?? 0,
    turn: columns.turns[index] ?? 0,
    time: columns.times[index] ?? null,
    model: columns.models[columns.modelOf[index] ?? -1]?.name ?? null,
    usage: usageAt(columns, index),
    usd: (columns.steps ?? columns).usd[index] ?? null,
    failed: failed.has(index),
    superseded: superseded.get(index) ?? null,
    isAtHigherRate: atHigherRate.has(index),
  }))
}

function usageAt(columns: SessionCalls, index: number): ChartCall['usage'] {
  const input = columns.input[index] ?? null
  if (input === null) return null
  return {
    input,
    cached: columns.cached[index] ?? 0,
    output: columns.output[index] ?? 0,
    thoughts: columns.thoughts[index] ?? 0,
    tool: columns.tool[index] ?? 0,
  }
}

/** One step of the chart: a request, or several if there are too many for the width. */
export interface ChartBar {
  /** The request that is drawn: the one with the most tokens, so that no peak is lost. */
  call: ChartCall
  /** 1-based numbers of the requests in this step. */
  first: number
  last: number
  hasFailure: boolean
  isSuperseded: boolean
  isAtHigherRate: boolean
}

/** Groups requests into at most `maxBars` steps of equal size. */
export function chartBars(calls: readonly ChartCall[], maxBars: number): ChartBar[] {
  const size = Math.max(1, Math.ceil(calls.length / Math.max(maxBars, 1)))
  const bars: ChartBar[] = []
  for (let start = 0; start < calls.length; start += size) {
    const group = calls.slice(start, start + size)
    const largest = group.reduce((best, call) => (tokensOf(call) > tokensOf(best) ? call : best))
    bars.push({
      call: largest,
      first: start + 1,
      last: start + group.length,
      hasFailure: group.some((call) => call.failed),
      isAtHigherRate: group.some((call) => call.isAtHigherRate),
      isSuperseded: group.every((call) => call.superseded !== null),
    })
  }
  return bars
}

function tokensOf(call: ChartCall): number {
  return (call.usage?.input ?? 0) + (call.usage?.output ?? 0) + (call.usage?.thoughts ?? 0)
}

/** Heights of the bands, in px. Received tokens are above the ruler, sent ones below; context and cost have their own bands. */
export const LAYOUT = {
  left: 64,
  right: 104,
  receivedTop: 14,
  rulerTop: 92,
  rulerBottom: 110,
  sentBottom: 176,
  contextTop: 194,
  contextBottom: 244,
  costTop: 264,
  costBottom: 304,
  belowBands: 18,
} as const

/** Narrower steps could not be seen or hit; more requests share a step instead. */
export const MIN_STEP_PX = 3

/** From this many requests on, steps are shared on a phone; room is reserved for a line that says so. */
export const GATHERED_FROM = 200

/** Rounds to a tenth of a pixel; finer differences are invisible. */
export function roundPx(value: number): number {
  return Math.round(value * 10) / 10
}
