import type { TimelineStep } from '../../model/insights/timeline.ts'
import type { Message } from '../../model/message.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import type { Turn } from '../../model/turn.ts'
import { callLine } from '../messages/call-line.ts'
import { isPrompt } from '../messages/message-kinds.ts'
import { messageText, oneLine, promptLine } from '../messages/message-text.ts'

const MAX_LABEL_LENGTH = 120

/** What the steps of one message share. */
interface StepPlace {
  sessionKey: string
  startMs: number
  message: Message
  offset: number
  turn: number
  instants: Float64Array
}

/** Everything that happened in a session, in order of time; times count from `startMs`. */
export function toSteps(
  messages: readonly Message[],
  turns: readonly Turn[],
  { sessionKey, startMs }: { sessionKey: string; startMs: number },
): TimelineStep[] {
  const instants = instantsOf(messages, startMs)
  const turnOf = turnFinder(turns)
  const steps: TimelineStep[] = []
  for (const [offset, message] of messages.entries()) {
    if (message.copyOf !== null || message.origin === 'tool-result') continue
    const place = { sessionKey, startMs, message, offset, turn: turnOf(offset), instants }
    const answeredMs = Date.parse(message.timestamp ?? '')
    if (!Number.isNaN(answeredMs)) steps.push(toMessageStep(place, answeredMs))
    for (const call of message.toolCalls) {
      const recordedMs = Date.parse(call.timestamp ?? '')
      const atMs = Number.isNaN(recordedMs) ? answeredMs : recordedMs
      if (!Number.isNaN(atMs)) steps.push(toCallStep(call, place, { answeredMs, atMs }))
    }
  }
  return steps.sort((a, b) => a.atMs - b.atMs)
}

// Each field by its name, here and below: copying the fields of others took most of the time of 20,000 messages.
function toMessageStep(place: StepPlace, atMs: number): TimelineStep {
  const { message, startMs } = place
  const isModel = message.origin === 'model'
  const isAsked = isPrompt(message)
  const line = isAsked
    ? promptLine(message, MAX_LABEL_LENGTH)
    : oneLine(messageText(message), MAX_LABEL_LENGTH)
  return {
    kind: isModel ? 'model' : isAsked ? 'prompt' : 'notice',
    sinceMs: beginOf(message, atMs, place.instants) - startMs,
    atMs: atMs - startMs,
    sessionKey: place.sessionKey,
    messageKey: message.key,
    offset: place.offset,
    turn: place.turn,
    depth: message.agentKey === null ? 0 : 1,
    label: isModel ? (message.model ?? '') : line,
    detail: isModel ? line : '',
    failed: message.type === 'error',
    superseded: message.superseded,
    thoughts: isModel ? thoughtsOf(message, startMs) : [],
    measured: null,
    agentKey: null,
    count: 1,
  }
}

function thoughtsOf({ thoughts }: Message, startMs: number): TimelineStep['thoughts'] {
  return thoughts
    .map(({ subject, timestamp }) => ({ atMs: Date.parse(timestamp ?? '') - startMs, subject }))
    .filter(({ atMs }) => !Number.isNaN(atMs))
}

/** A prompt and a notice are there at once; an answer began after whatever was recorded last before its first thought. */
function beginOf({ origin, thoughts }: Message, atMs: number, instants: Float64Array): number {
  if (origin !== 'model') return atMs
  const thoughtsMs = thoughts.map(({ timestamp }) => Date.parse(timestamp ?? ''))
  const firstMs = Math.min(atMs, ...thoughtsMs.filter((timeMs) => !Number.isNaN(timeMs)))
  return lastBefore(instants, firstMs) ?? firstMs
}

function toCallStep(
  call: ToolCall,
  place: StepPlace,
  { answeredMs, atMs }: { answeredMs: number; atMs: number },
): TimelineStep {
  const { message, startMs } = place
  const sinceMs = answeredMs < atMs ? answeredMs : (lastBefore(place.instants, atMs) ?? atMs)
  const isAgent = call.agentKey !== null || call.agentId !== null || call.display?.kind === 'subagent'
  return {
    kind: isAgent ? 'agent' : 'tool',
    sinceMs: sinceMs - startMs,
    atMs: atMs - startMs,
    sessionKey: place.sessionKey,
    messageKey: message.key,
    offset: place.offset,
    turn: place.turn,
    depth: message.agentKey === null ? 0 : 1,
    label: call.name,
    detail: oneLine(callLine(call), MAX_LABEL_LENGTH),
    failed: call.failed,
    superseded: message.superseded,
    thoughts: [],
    measured: null,
    agentKey: call.agentKey,
    count: 1,
  }
}

/**
 * All instants recorded since the start, sorted: nothing that ended in one began before the one ahead of it. A result whose
 * clock went back may lie before the start.
 */
function instantsOf(messages: readonly Message[], startMs: number): Float64Array {
  const times: number[] = []
  const add = (time: string | null): void => {
    const timeMs = Date.parse(time ?? '')
    if (timeMs >= startMs) times.push(timeMs)
  }
  for (const { copyOf, timestamp, thoughts, toolCalls } of messages) {
    if (copyOf !== null) continue
    add(timestamp)
    for (const thought of thoughts) add(thought.timestamp)
    for (const call of toolCalls) add(call.timestamp)
  }
  return Float64Array.from(times).sort()
}

function lastBefore(sorted: Float64Array, timeMs: number): number | null {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < timeMs) low = middle + 1
    else high = middle
  }
  return low === 0 ? null : (sorted[low - 1] ?? null)
}

function turnFinder(turns: readonly Turn[]): (offset: number) => number {
  let at = 0
  return (offset) => {
    while ((turns[at + 1]?.firstOffset ?? Number.POSITIVE_INFINITY) <= offset) at++
    return turns[at]?.number ?? 0
  }
}
