import { toolLabel } from '@gemini-dash/api/tool-label'
import type { Timeline, TimelineStep, WaitKind } from 'gemini-sessions'
import { formatAtMost, formatClock, formatDuration, formatPlural } from '../../lib/figures/format.ts'

const WAIT_WORDS: Record<WaitKind, string> = {
  you: 'waiting for you',
  model: 'model',
  tool: 'tools',
  other: 'not told',
}

export const STEP_WORDS: Record<TimelineStep['kind'], string> = {
  prompt: 'You',
  model: 'Gemini',
  tool: 'Tool',
  agent: 'Sub-agent',
  notice: 'Notice',
  run: 'Several',
}

/** Where the time went, in one sentence. */
export function timelineSummary({ wallMs, totals }: Timeline): string {
  const parts = (['model', 'tool', 'you', 'other'] as const)
    .filter((kind) => totals[kind] > 0)
    .map((kind) => `${WAIT_WORDS[kind]} ${formatDuration(totals[kind])}`)
  const whole = `From the first message to the last ${formatDuration(wallMs)}`
  return parts.length === 0 ? `${whole}.` : `${whole}, of it at most: ${parts.join(', ')}.`
}

/** What a row is called. */
export function timelineStepName(step: TimelineStep): string {
  if (step.kind === 'model') return 'Gemini'
  if (step.kind === 'prompt') return step.depth > 0 ? 'Task' : 'You'
  if (step.kind === 'notice') return 'Notice'
  return step.kind === 'run' ? step.label : toolLabel(step.label)
}

/** `≤ 4.1 s`, `34 s` where it was measured; '' for what was there at once. */
export function stepLength({ sinceMs, atMs, measured }: TimelineStep): string {
  if (measured !== null) return formatDuration(measured.endMs - measured.startMs)
  return atMs > sinceMs ? formatAtMost(atMs - sinceMs) : ''
}

/** `20:31:40, turn 3: Gemini; waiting for you, at most 17 min` */
export function momentText(timeline: Timeline, step: TimelineStep | undefined, ms: number): string {
  const stretch = timeline.stretches.find(({ startMs, endMs }) => startMs <= ms && ms < endMs)
  const wait =
    stretch === undefined
      ? ''
      : `; ${WAIT_WORDS[stretch.kind]}, at most ${formatDuration(stretch.endMs - stretch.startMs)}`
  return `${timelineClock(timeline, ms)}${step === undefined ? '' : `, turn ${step.turn}: ${timelineStepName(step)}`}${wait}`
}

/** `20:31:40` */
export function timelineClock({ startTime }: Timeline, ms: number): string {
  return formatClock(new Date(Date.parse(startTime ?? '') + ms).toISOString(), 'seconds')
}

/** A step for who hears it. */
export function stepSentence(step: TimelineStep, clock: string): string {
  const length =
    step.measured !== null
      ? `, measured ${formatDuration(step.measured.endMs - step.measured.startMs)}`
      : step.atMs > step.sinceMs
        ? `, at most ${formatDuration(step.atMs - step.sinceMs)}`
        : ''
  const thoughts = step.thoughts.length > 0 ? `, ${formatPlural(step.thoughts.length, 'thought')}` : ''
  const text = step.kind === 'prompt' || step.kind === 'notice' ? step.label : step.detail
  return `${clock}, ${timelineStepName(step)}${text === '' ? '' : `: ${text}`}${length}${thoughts}${step.failed ? ', failed' : ''}`
}
