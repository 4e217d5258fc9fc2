import type { Message } from '../../model/message.ts'
import type { TimelineStep } from '../../model/timeline.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import type { Turn } from '../../model/turn.ts'
import { isPrompt } from '../is-prompt.ts'
import { messageText } from '../message-text.ts'
import { oneLine } from '../one-line.ts'
import { promptLine } from '../prompt-line.ts'
import { callLine } from './call-line.ts'

const MAX_LABEL_LENGTH = 120

/** Everything that happened in a session, in order of time; times count from `startMs`. */
export function toSteps(
  messages: readonly Message[],
  turns: readonly Turn[],
  { sessionKey, startMs }: { sessionKey: string; startMs: number },
): TimelineStep[] {
  const instants = instantsOf(messages)
  const turnOf = turnFinder(turns)
  const steps = messages.flatMap((message, offset): TimelineStep[] => {
    const atMs = Date.parse(message.timestamp ?? '')
    if (message.copyOf !== null || message.origin === 'tool-result') return []
    const common = {
      sessionKey,
      messageKey: message.key,
      offset,
      turn: turnOf(offset),
      depth: message.agentKey === null ? 0 : 1,
      superseded: message.superseded,
      measured: null,
      agentKey: null,
      count: 1,
    }
    const own = Number.isNaN(atMs)
      ? []
      : [{ ...common, ...describe(message), sinceMs: beginOf(message, atMs, instants), atMs }]
    return [...own, ...message.toolCalls.flatMap((call) => toCallStep(call, common, { atMs, instants }))]
  })
  return steps
    .map((step) => ({
      ...step,
      sinceMs: step.sinceMs - startMs,
      atMs: step.atMs - startMs,
      thoughts: step.thoughts.map((thought) => ({ ...thought, atMs: thought.atMs - startMs })),
    }))
    .sort((a, b) => a.atMs - b.atMs)
}

type Described = Pick<TimelineStep, 'kind' | 'label' | 'detail' | 'failed' | 'thoughts'>

function describe(message: Message): Described {
  if (message.origin === 'model') {
    return {
      kind: 'model',
      label: message.model ?? '',
      detail: oneLine(messageText(message), MAX_LABEL_LENGTH),
      failed: false,
      thoughts: message.thoughts
        .map(({ subject, timestamp }) => ({ atMs: Date.parse(timestamp ?? ''), subject }))
        .filter(({ atMs }) => !Number.isNaN(atMs)),
    }
  }
  const label = isPrompt(message)
    ? promptLine(message, MAX_LABEL_LENGTH)
    : oneLine(messageText(message), MAX_LABEL_LENGTH)
  const kind = isPrompt(message) ? 'prompt' : 'notice'
  return { kind, label, detail: '', failed: message.type === 'error', thoughts: [] }
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
  common: Omit<TimelineStep, keyof Described | 'sinceMs' | 'atMs'>,
  { atMs: answeredMs, instants }: { atMs: number; instants: Float64Array },
): TimelineStep[] {
  const recordedMs = Date.parse(call.timestamp ?? '')
  const atMs = Number.isNaN(recordedMs) ? answeredMs : recordedMs
  if (Number.isNaN(atMs)) return []
  const sinceMs = answeredMs < atMs ? answeredMs : (lastBefore(instants, atMs) ?? atMs)
  const isAgent = call.agentKey !== null || call.agentId !== null || call.display?.kind === 'subagent'
  return [
    {
      ...common,
      kind: isAgent ? 'agent' : 'tool',
      sinceMs,
      atMs,
      label: call.displayName ?? call.name,
      detail: oneLine(callLine(call), MAX_LABEL_LENGTH),
      failed: call.failed,
      agentKey: call.agentKey,
      thoughts: [],
    },
  ]
}

/** All recorded instants, sorted: nothing that ended in one began before the one ahead of it. */
function instantsOf(messages: readonly Message[]): Float64Array {
  const times = messages
    .filter(({ copyOf }) => copyOf === null)
    .flatMap(({ timestamp, toolCalls, thoughts }) => [
      Date.parse(timestamp ?? ''),
      ...thoughts.map((thought) => Date.parse(thought.timestamp ?? '')),
      ...toolCalls.map((call) => Date.parse(call.timestamp ?? '')),
    ])
    .filter((timeMs) => !Number.isNaN(timeMs))
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
