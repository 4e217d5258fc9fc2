import type { Timeline, TimelineStep } from '../../model/insights/timeline.ts'
import type { TimelineWindow } from './build-timeline.ts'

/** A sub-agent's own timeline. */
export interface NestedTimeline {
  sessionKey: string
  title: string
  timeline: Timeline
}

/**
 * A timeline with those of its sub-agents, each below the call that started it. A sub-agent's first and last record are
 * measured. The totals stay those of the conversation, which waited for a tool meanwhile.
 */
export function nestTimelines(
  parent: Timeline,
  nested: readonly NestedTimeline[],
  window: TimelineWindow | undefined = undefined,
): Timeline {
  const parentStartMs = Date.parse(parent.startTime ?? '')
  const steps = [...parent.steps]
  let stepTotal = parent.stepTotal
  for (const { sessionKey, title, timeline } of nested) {
    const startMs = Date.parse(timeline.startTime ?? '') - parentStartMs
    const measured = { startMs, endMs: startMs + timeline.wallMs }
    if (Number.isNaN(startMs) || !isWithin(measured, window)) continue
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

function isWithin({ startMs, endMs }: { startMs: number; endMs: number }, window?: TimelineWindow): boolean {
  return window === undefined || (endMs >= window.fromMs && startMs <= window.toMs)
}

/** Of a sub-agent whose call was not found. */
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

/** A sub-agent is told its task by the CLI: what is a notice in its own log is the prompt here. */
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
