import type { SessionCalls } from '@gemini-dash/api'
import type { Superseded } from 'gemini-sessions'

/** One model call of the chart. */
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

/** The columns of an answer as calls; one that stands for a step costs what the step cost. */
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
