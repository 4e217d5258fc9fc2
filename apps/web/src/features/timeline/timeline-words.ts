import type { Timeline, TimelineStep, WaitKind } from 'gemini-sessions'
import { formatDuration } from '../../lib/format.ts'
import { toolLabel } from '../../lib/tool-label.ts'

export const WAIT_WORDS: Record<WaitKind, string> = {
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
  const activeMs = totals.model + totals.tool
  const parts = [
    `Active ${formatDuration(activeMs)} of ${formatDuration(wallMs)}`,
    `waiting for you ${formatDuration(totals.you)}`,
    `model at most ${formatDuration(totals.model)}`,
    `tools at most ${formatDuration(totals.tool)}`,
    ...(totals.other > 0 ? [`not told ${formatDuration(totals.other)}`] : []),
  ]
  return `${parts.join('; ')}.`
}

/** What a row is called. */
export function stepName(step: TimelineStep): string {
  if (step.kind === 'model') return 'Gemini'
  if (step.kind === 'prompt') return step.depth > 0 ? 'Task' : 'You'
  if (step.kind === 'notice') return 'Notice'
  return step.kind === 'run' ? step.label : toolLabel(step.label)
}

/** `at most 4.1 s`; '' for what was there at once. */
export function stepLength({ sinceMs, atMs, measured }: TimelineStep): string {
  if (measured !== null) return formatDuration(measured.endMs - measured.startMs)
  return atMs > sinceMs ? `≤ ${formatDuration(atMs - sinceMs)}` : ''
}

/** A step for who hears it. */
export function stepSentence(step: TimelineStep, clock: string): string {
  const length =
    step.measured !== null
      ? `, measured ${formatDuration(step.measured.endMs - step.measured.startMs)}`
      : step.atMs > step.sinceMs
        ? `, at most ${formatDuration(step.atMs - step.sinceMs)}`
        : ''
  const thoughts = step.thoughts.length > 0 ? `, ${step.thoughts.length} thoughts` : ''
  const text = step.kind === 'prompt' || step.kind === 'notice' ? step.label : step.detail
  return `${clock}, ${stepName(step)}${text === '' ? '' : `: ${text}`}${length}${thoughts}${step.failed ? ', failed' : ''}`
}
