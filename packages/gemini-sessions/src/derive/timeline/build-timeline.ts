import type { Timeline, TimelineTurn, WaitTotals } from '../../model/insights/timeline.ts'
import type { Message } from '../../model/message.ts'
import type { Turn } from '../../model/turn.ts'
import { findWaits } from './find-waits.ts'
import { gatherRuns } from './gather-runs.ts'
import { joinStretches } from './join-stretches.ts'
import { toSteps } from './to-steps.ts'

/** Which part of a timeline is wanted in detail: milliseconds since its start. */
export interface TimelineWindow {
  fromMs: number
  toMs: number
}

/** Which session's timeline, and how much of it. */
export interface TimelineOptions {
  sessionKey: string
  /** All of it if absent. Turns, totals and stretches are those of the whole session always. */
  window?: TimelineWindow | undefined
  maxSteps: number
}

const MAX_STRETCHES = 2_000

/**
 * A session on one time axis, made of the instants that its messages, thoughts and calls were recorded at. What was taken
 * back did happen, so it is there too; copies are not, as their times are those of the rewriting.
 */
export function buildTimeline(
  messages: readonly Message[],
  turns: readonly Turn[],
  { sessionKey, window, maxSteps }: TimelineOptions,
): Timeline {
  const waits = findWaits(messages)
  const [first, last] = [waits.at(0)?.startMs ?? null, waits.at(-1)?.endMs ?? null]
  const startMs = first ?? 0
  const steps = toSteps(messages, turns, { sessionKey, startMs })
  const wanted =
    window === undefined
      ? steps
      : steps.filter(({ sinceMs, atMs }) => atMs >= window.fromMs && sinceMs <= window.toMs)
  const shifted = waits.map((wait) => ({
    ...wait,
    startMs: wait.startMs - startMs,
    endMs: wait.endMs - startMs,
  }))
  return {
    startTime: first === null ? null : new Date(first).toISOString(),
    endTime: last === null ? null : new Date(last).toISOString(),
    wallMs: first === null || last === null ? 0 : last - first,
    totals: sumWaits(shifted),
    stretches: joinStretches(shifted, MAX_STRETCHES),
    turns: turns.flatMap((turn) => toBand(turn, messages, startMs)),
    steps: gatherRuns(wanted, maxSteps),
    stepTotal: wanted.length,
    untimed: messages.filter(({ timestamp }) => Number.isNaN(Date.parse(timestamp ?? ''))).length,
  }
}

function sumWaits(waits: Timeline['stretches']): WaitTotals {
  const totals: WaitTotals = { you: 0, model: 0, tool: 0, other: 0 }
  for (const { kind, startMs, endMs } of waits) totals[kind] += endMs - startMs
  return totals
}

function toBand(turn: Turn, messages: readonly Message[], startMs: number): TimelineTurn[] {
  const { number, messageKey, firstOffset, messageCount, prompt, superseded } = turn
  let from = Number.POSITIVE_INFINITY
  let to = Number.NEGATIVE_INFINITY
  for (const message of messages.slice(firstOffset, firstOffset + messageCount)) {
    if (message.copyOf !== null) continue
    for (const time of [message.timestamp, ...message.toolCalls.map(({ timestamp }) => timestamp)]) {
      const timeMs = Date.parse(time ?? '')
      if (Number.isNaN(timeMs)) continue
      from = Math.min(from, timeMs)
      to = Math.max(to, timeMs)
    }
  }
  if (from > to) return []
  return [
    {
      number,
      messageKey,
      offset: firstOffset,
      prompt,
      startMs: from - startMs,
      endMs: to - startMs,
      superseded,
    },
  ]
}
