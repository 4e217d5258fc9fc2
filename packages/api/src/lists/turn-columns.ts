import type { TokenUsage, Turn } from 'gemini-sessions'
import type { TurnColumns } from './sessions.ts'

const USAGE_FIELDS = [
  'input',
  'output',
  'cached',
  'thoughts',
  'tool',
  'total',
  'calls',
  'callsWithoutTokens',
] as const satisfies readonly (keyof TurnColumns['usage'])[]

/** The turns of an outline as columns: a third of the size. Reversed by `fromTurnColumns`. */
export function toTurnColumns(turns: readonly Turn[]): TurnColumns {
  const usage = Object.fromEntries(
    USAGE_FIELDS.map((name) => [name, turns.map((turn) => turn.usage[name])]),
  ) as TurnColumns['usage']
  return {
    firstNumber: turns[0]?.number ?? 1,
    keys: turns.map(({ messageKey }) => messageKey),
    messageCounts: turns.map(({ messageCount }) => messageCount),
    prompts: turns.map(({ prompt }) => prompt),
    startTimes: toSteps(turns.map(({ startTime }) => startTime)),
    endTimes: turns.map(({ startTime, endTime }) => toStep(startTime, endTime)),
    usage,
    usd: turns.map(({ cost }) => cost.usd),
    toolCalls: turns.map(({ toolCalls }) => toolCalls),
    thoughts: turns.map(({ thoughts }) => thoughts),
    unpricedCalls: sparse(turns, ({ cost }) => cost.unpricedCalls || null),
    toolErrors: sparse(turns, ({ toolErrors }) => toolErrors || null),
    failedKeys: sparse(turns, ({ failedKey }) => failedKey),
    segments: sparse(turns, ({ segment }) => segment || null),
    superseded: sparse(turns, ({ superseded }) => superseded),
    failures: sparse(turns, ({ failure }) => failure),
  }
}

/** Restores the turns given to `toTurnColumns`. */
export function fromTurnColumns(columns: TurnColumns): Turn[] {
  const unpriced = new Map(columns.unpricedCalls)
  const errors = new Map(columns.toolErrors)
  const failedKeys = new Map(columns.failedKeys)
  const segments = new Map(columns.segments)
  const superseded = new Map(columns.superseded)
  const failures = new Map(columns.failures)
  let firstOffset = 0
  let before: string | null = null
  return columns.keys.map((messageKey, index) => {
    const messageCount = columns.messageCounts[index] ?? 0
    const startTime = fromStep(before, columns.startTimes[index] ?? null)
    const turn: Turn = {
      number: columns.firstNumber + index,
      messageKey,
      firstOffset,
      messageCount,
      prompt: columns.prompts[index] ?? '',
      startTime,
      endTime: fromStep(startTime, columns.endTimes[index] ?? null),
      superseded: superseded.get(index) ?? null,
      segment: segments.get(index) ?? 0,
      usage: usageAt(columns, index),
      cost: { usd: columns.usd[index] ?? null, unpricedCalls: unpriced.get(index) ?? 0 },
      toolCalls: columns.toolCalls[index] ?? 0,
      toolErrors: errors.get(index) ?? 0,
      failedKey: failedKeys.get(index) ?? null,
      thoughts: columns.thoughts[index] ?? 0,
      failure: failures.get(index) ?? null,
    }
    firstOffset += messageCount
    before = startTime
    return turn
  })
}

function usageAt({ usage }: TurnColumns, index: number): TokenUsage {
  return Object.fromEntries(USAGE_FIELDS.map((name) => [name, usage[name][index] ?? 0])) as TokenUsage
}

function sparse<Value>(
  turns: readonly Turn[],
  valueIn: (turn: Turn) => Value | null,
): [index: number, value: Value][] {
  return turns.flatMap((turn, index) => {
    const value = valueIn(turn)
    return value === null ? [] : [[index, value] satisfies [number, Value]]
  })
}

function toSteps(times: readonly (string | null)[]): TurnColumns['startTimes'] {
  return times.map((time, index) => toStep(times[index - 1] ?? null, time))
}

/** Milliseconds since the previous time if the time can be restored exactly, else the time itself. */
function toStep(before: string | null, time: string | null): number | string | null {
  if (before === null || time === null) return time
  const step = Date.parse(time) - Date.parse(before)
  return fromStep(before, step) === time ? step : time
}

function fromStep(before: string | null, step: number | string | null): string | null {
  if (typeof step !== 'number') return step
  const ms = Date.parse(before ?? '') + step
  return Math.abs(ms) <= LAST_TIME_MS ? new Date(ms).toISOString() : null
}

/** The latest time a `Date` can represent. */
const LAST_TIME_MS = 8.64e15
