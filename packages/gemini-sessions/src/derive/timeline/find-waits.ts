import type { WaitKind, WaitStretch } from '../../model/insights/timeline.ts'
import type { Message } from '../../model/message.ts'

interface Instant {
  timeMs: number
  /** What its record ends the wait for; null: it may tell of nothing that was waited for. */
  ends: Exclude<WaitKind, 'other'> | null
}

/**
 * The time from the first recorded instant to the last, cut at each that tells who was waited for. Times of the real
 * CLI's clock, so a log whose clock went back is sorted.
 */
export function findWaits(messages: readonly Message[]): WaitStretch[] {
  const instants = instantsOf(messages)
  const stretches: WaitStretch[] = []
  const [first] = instants
  const last = instants.at(-1)
  if (first === undefined || last === undefined) return []
  let startMs = first.timeMs
  let isModelDue = first.ends === 'you'
  for (const { timeMs, ends } of instants) {
    // A failed request leaves no answer, only a notice: the model was waited for until then.
    const kind = ends ?? (isModelDue ? 'model' : null)
    if (kind === null) continue
    if (timeMs > startMs) stretches.push({ kind, startMs, endMs: timeMs })
    startMs = timeMs
    isModelDue = ends === 'you' || ends === 'tool'
  }
  if (last.timeMs > startMs) stretches.push({ kind: 'other', startMs, endMs: last.timeMs })
  return stretches.length > 0 ? stretches : [{ kind: 'other', startMs: first.timeMs, endMs: last.timeMs }]
}

/** In order of time. */
function instantsOf(messages: readonly Message[]): Instant[] {
  const instants: Instant[] = []
  const add = (time: string | null, ends: Instant['ends']): void => {
    const timeMs = Date.parse(time ?? '')
    if (!Number.isNaN(timeMs)) instants.push({ timeMs, ends })
  }
  for (const { timestamp, origin, thoughts, toolCalls, copyOf, agentKey } of messages) {
    if (copyOf !== null || origin === 'tool-result') continue
    // Of a sub-agent that an old version mixed in: the tool that started it was waited for.
    const isAgent = agentKey !== null
    for (const thought of thoughts) add(thought.timestamp, isAgent ? 'tool' : 'model')
    add(timestamp, isAgent ? 'tool' : ENDS[origin])
    // A question is answered by the person.
    for (const call of toolCalls) add(call.timestamp, call.name === 'ask_user' ? 'you' : 'tool')
  }
  return instants.sort((a, b) => a.timeMs - b.timeMs)
}

const ENDS = { human: 'you', model: 'model', injected: null, cli: null } as const
