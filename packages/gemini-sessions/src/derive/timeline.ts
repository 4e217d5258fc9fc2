import type {
  Timeline,
  TimelineStep,
  TimelineTurn,
  WaitKind,
  WaitStretch,
  WaitTotals,
} from '../model/insights.ts'
import type { Message, ToolCall, Turn } from '../model/message.ts'
import { callLine, isPrompt, messageText, oneLine, promptLine } from './messages.ts'

/** Which session's timeline, and how much of it. */
export interface TimelineOptions {
  sessionKey: string
  maxSteps: number
}

const MAX_STRETCHES = 2_000

/**
 * A session on one time axis, from the recorded times of its messages, thoughts and calls. Superseded messages did happen, so they are
 * included; copies are not, since their times are those of the rewrite.
 */
export function buildTimeline(
  messages: readonly Message[],
  turns: readonly Turn[],
  { sessionKey, maxSteps }: TimelineOptions,
): Timeline {
  const waits = findWaits(messages)
  const [first, last] = [waits.at(0)?.startMs ?? null, waits.at(-1)?.endMs ?? null]
  const startMs = first ?? 0
  const steps = toSteps(messages, turns, { sessionKey, startMs })
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
    steps: gatherRuns(steps, maxSteps),
    stepTotal: steps.length,
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
    if (message.copyOf !== null || message.origin === 'tool-result') continue
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

/** Merges adjacent stretches of one kind; then, if there are still too many, groups of adjacent ones. */
function joinStretches(stretches: readonly WaitStretch[], most: number): WaitStretch[] {
  const joined = joinWhere(stretches, (last, next) => last.kind === next.kind)
  if (joined.length <= most) return joined
  const size = Math.ceil(joined.length / most)
  return Array.from({ length: Math.ceil(joined.length / size) }, (_, index) =>
    asOne(joined.slice(index * size, (index + 1) * size)),
  )
}

function joinWhere(
  stretches: readonly WaitStretch[],
  isOne: (last: WaitStretch, next: WaitStretch) => boolean,
): WaitStretch[] {
  const joined: WaitStretch[] = []
  for (const next of stretches) {
    const last = joined.at(-1)
    if (last !== undefined && isOne(last, next)) joined[joined.length - 1] = { ...last, endMs: next.endMs }
    else joined.push(next)
  }
  return joined
}

/** Has the kind with the longest total time. */
function asOne(group: readonly WaitStretch[]): WaitStretch {
  const sums = new Map<WaitKind, number>()
  for (const { kind, startMs, endMs } of group) sums.set(kind, (sums.get(kind) ?? 0) + endMs - startMs)
  const [[kind] = ['other' as const]] = [...sums].sort(([, a], [, b]) => b - a)
  return { kind, startMs: group[0]?.startMs ?? 0, endMs: group.at(-1)?.endMs ?? 0 }
}

/** Merges adjacent steps of one turn if there are too many. Prompts stay separate. */
function gatherRuns(steps: readonly TimelineStep[], most: number): TimelineStep[] {
  if (steps.length <= most) return [...steps]
  const size = Math.ceil(steps.length / most) * 2
  const gathered: TimelineStep[] = []
  let group: TimelineStep[] = []
  const close = () => {
    if (group.length > 0) gathered.push(asRun(group))
    group = []
  }
  for (const step of steps) {
    if (step.kind === 'prompt' || group.length === size || group[0]?.turn !== step.turn) close()
    if (step.kind === 'prompt') gathered.push(step)
    else group.push(step)
  }
  close()
  return gathered
}

function asRun(group: readonly TimelineStep[]): TimelineStep {
  const [first] = group
  if (first === undefined) throw new Error('A run has steps.')
  if (group.length === 1) return first
  return {
    ...first,
    kind: 'run',
    sinceMs: group.reduce((since, step) => Math.min(since, step.sinceMs), first.sinceMs),
    atMs: group.reduce((at, step) => Math.max(at, step.atMs), first.atMs),
    label: countKinds(group),
    detail: '',
    failed: group.some(({ failed }) => failed),
    superseded: group.every(({ superseded }) => superseded !== null) ? first.superseded : null,
    thoughts: [],
    measured: null,
    agentKey: null,
    count: group.length,
  }
}

function countKinds(group: readonly TimelineStep[]): string {
  const calls = group.filter(({ kind }) => kind === 'tool' || kind === 'agent').length
  const answers = group.filter(({ kind }) => kind === 'model').length
  return [plural(answers, 'answer'), plural(calls, 'tool call')].filter((part) => part !== '').join(', ')
}

function plural(count: number, one: string): string {
  return count === 0 ? '' : `${count} ${one}${count === 1 ? '' : 's'}`
}

interface Instant {
  timeMs: number
  /** The kind of wait that its record ends; null: possibly none. */
  ends: Exclude<WaitKind, 'other'> | null
}

/**
 * The time from the first recorded instant to the last, split by who was waited for. Recorded times may go backwards, so they are sorted.
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
    // A failed request leaves only a notice: the model was waited for until then.
    const kind = ends ?? (isModelDue ? 'model' : null)
    if (kind === null) continue
    if (timeMs > startMs) stretches.push({ kind, startMs, endMs: timeMs })
    startMs = timeMs
    isModelDue = ends === 'you' || ends === 'tool'
  }
  if (last.timeMs > startMs) stretches.push({ kind: 'other', startMs, endMs: last.timeMs })
  return stretches.length > 0 ? stretches : [{ kind: 'other', startMs: first.timeMs, endMs: last.timeMs }]
}

/** In chronological order. */
function instantsOf(messages: readonly Message[]): Instant[] {
  const instants: Instant[] = []
  const add = (time: string | null, ends: Instant['ends']): void => {
    const timeMs = Date.parse(time ?? '')
    if (!Number.isNaN(timeMs)) instants.push({ timeMs, ends })
  }
  for (const { timestamp, origin, thoughts, toolCalls, copyOf, agentKey } of messages) {
    if (copyOf !== null || origin === 'tool-result') continue
    // From a sub-agent that an old version recorded in this file: the tool that started it was waited for.
    const isAgent = agentKey !== null
    for (const thought of thoughts) add(thought.timestamp, isAgent ? 'tool' : 'model')
    add(timestamp, isAgent ? 'tool' : ENDS[origin])
    // The user answers a question.
    for (const call of toolCalls) add(call.timestamp, call.name === 'ask_user' ? 'you' : 'tool')
  }
  return instants.sort((a, b) => a.timeMs - b.timeMs)
}

const ENDS = { human: 'you', model: 'model', injected: null, cli: null } as const

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

/** Everything that happened in a session, in chronological order; times are relative to `startMs`. */
function toSteps(
  messages: readonly Message[],
  turns: readonly Turn[],
  { sessionKey, startMs }: { sessionKey: string; startMs: number },
): TimelineStep[] {
  const instants = stepInstantsOf(messages, startMs)
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

// Fields are listed by name, here and below: spreading objects took most of the time for 20,000 messages.
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

/** A prompt and a notice are instantaneous; an answer began after the last thing recorded before its first thought. */
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
 * All instants recorded since the start, sorted: nothing that ended at one began before the previous one. A result with a clock that went
 * back may be before the start.
 */
function stepInstantsOf(messages: readonly Message[], startMs: number): Float64Array {
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

/** A sub-agent's own timeline. */
export interface NestedTimeline {
  sessionKey: string
  title: string
  timeline: Timeline
}

/**
 * A timeline with those of its sub-agents, each below the call that started it. A sub-agent's first and last record are measured. The
 * totals stay those of the conversation, which was waiting for a tool meanwhile.
 */
export function nestTimelines(parent: Timeline, nested: readonly NestedTimeline[]): Timeline {
  const parentStartMs = Date.parse(parent.startTime ?? '')
  const steps = [...parent.steps]
  let stepTotal = parent.stepTotal
  for (const { sessionKey, title, timeline } of nested) {
    const startMs = Date.parse(timeline.startTime ?? '') - parentStartMs
    const measured = { startMs, endMs: startMs + timeline.wallMs }
    if (Number.isNaN(startMs)) continue
    const known = steps.findIndex((step) => step.agentKey === sessionKey)
    const before =
      known >= 0 ? known : steps.findLastIndex((step) => step.depth === 0 && step.atMs <= startMs)
    const caller = steps[before]
    const lead =
      known < 0 && timeline.steps[0] !== undefined ? [toLead(timeline.steps[0], title, measured)] : []
    const depth = known >= 0 ? (caller?.depth ?? 0) : 0
    const inner = [...lead, ...toInner(timeline.steps, startMs, depth + 1)]
    if (caller !== undefined && known >= 0) steps[known] = { ...caller, measured }
    steps.splice(before + 1, 0, ...inner.map((step) => ({ ...step, turn: caller?.turn ?? 0 })))
    stepTotal += timeline.stepTotal
  }
  return { ...parent, steps, stepTotal }
}

/** For a sub-agent whose call was not found. */
function toLead(first: TimelineStep, title: string, measured: TimelineStep['measured']): TimelineStep {
  return {
    ...first,
    kind: 'agent',
    sinceMs: measured?.startMs ?? 0,
    atMs: measured?.endMs ?? 0,
    depth: 0,
    label: title,
    detail: '',
    failed: false,
    thoughts: [],
    measured,
    agentKey: first.sessionKey,
    count: 1,
  }
}

/** A sub-agent gets its task from the CLI: the notice in its own log is the prompt here. */
function toInner(steps: readonly TimelineStep[], startMs: number, depth: number): TimelineStep[] {
  const [first, ...rest] = steps.map((step) => shift(step, startMs, depth))
  if (first === undefined) return []
  return [first.kind === 'notice' && !first.failed ? { ...first, kind: 'prompt' } : first, ...rest]
}

function shift(step: TimelineStep, byMs: number, depth: number): TimelineStep {
  return {
    ...step,
    sinceMs: step.sinceMs + byMs,
    atMs: step.atMs + byMs,
    thoughts: step.thoughts.map((thought) => ({ ...thought, atMs: thought.atMs + byMs })),
    depth: step.depth + depth,
  }
}
