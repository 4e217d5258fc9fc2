import type {
  Timeline,
  TimelineStep,
  TimelineTurn,
  WaitKind,
  WaitStretch,
  WaitTotals,
} from '../../model/insights/timeline.ts'
import type { Message } from '../../model/message.ts'
import type { Turn } from '../../model/turn.ts'
import { findWaits } from './find-waits.ts'
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

/** Neighbours of one kind as one stretch; then, where there are still too many, the shortest with their neighbours. */
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

/** The kind that takes most of it. */
function asOne(group: readonly WaitStretch[]): WaitStretch {
  const sums = new Map<WaitKind, number>()
  for (const { kind, startMs, endMs } of group) sums.set(kind, (sums.get(kind) ?? 0) + endMs - startMs)
  const [[kind] = ['other' as const]] = [...sums].sort(([, a], [, b]) => b - a)
  return { kind, startMs: group[0]?.startMs ?? 0, endMs: group.at(-1)?.endMs ?? 0 }
}

/** Steps that are too many to be told apart, with neighbours of one turn put together. Prompts stay by themselves. */
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
