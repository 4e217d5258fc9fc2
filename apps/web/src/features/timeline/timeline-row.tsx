import './timeline-bars.css'
import type { TimelineStep, WaitStretch } from 'gemini-sessions'
import { Bell, Diamond, type LucideIcon, Network, Rows3, UserRound, Wrench } from 'lucide-react'
import { classNames } from '../../lib/browser/class-names.ts'
import { formatAtMost } from '../../lib/figures/format.ts'
import { Icon } from '../../ui/signs/icon.tsx'
import type { TimeAxis } from './time-axis.ts'
import { stepLength, timelineStepName } from './timeline-words.ts'
import type { AxisWindow } from './use-timeline-window.ts'

interface Props {
  top: number
  step: TimelineStep
  /** How long a prompt was waited for. */
  wait: WaitStretch | undefined
  axis: TimeAxis
  window: AxisWindow
  /** The conversation stands here. */
  isHere: boolean
  isActive: boolean
  clock: string
  onOpen: () => void
}

const ICONS: Record<TimelineStep['kind'], LucideIcon> = {
  prompt: UserRound,
  model: Diamond,
  tool: Wrench,
  agent: Network,
  notice: Bell,
  run: Rows3,
}
const INDENT_REM = 0.875

/** A step: what it was, and where on the axis. The keyboard reaches it through the list that it stands in. */
export function TimelineRow({ top, step, wait, axis, window, isHere, isActive, clock, onOpen }: Props) {
  const place = (ms: number) => ((axis.toShare(ms) - window.from) / (window.to - window.from)) * 100
  const bar = (startMs: number, endMs: number) => {
    const left = Math.max(place(startMs), 0)
    return { left: `${left}%`, width: `${Math.max(Math.min(place(endMs), 100) - left, 0)}%` }
  }
  const isSaid = step.kind === 'prompt' || step.kind === 'notice'
  const length = wait === undefined ? stepLength(step) : `waited ${formatAtMost(wait.endMs - wait.startMs)}`
  return (
    <div
      className={classNames(
        'timeline-row',
        `step-${step.kind}`,
        step.failed && 'failed',
        step.superseded !== null && 'superseded',
        isHere && 'here',
        isActive && 'active',
      )}
      style={{ top }}
      onClick={onOpen}
      aria-hidden="true"
    >
      <span className="timeline-label" style={{ paddingInlineStart: `${step.depth * INDENT_REM}rem` }}>
        <Icon of={ICONS[step.kind]} small />
        {isSaid ? (
          <span className="timeline-said" dir="auto">
            {step.label || timelineStepName(step)}
          </span>
        ) : (
          <>
            <b title={step.kind === 'tool' ? step.label : undefined}>{timelineStepName(step)}</b>
            <span className="timeline-detail" dir="auto">
              {step.detail || step.thoughts[0]?.subject}
            </span>
          </>
        )}
        {step.failed && <span className="timeline-failed">failed</span>}
      </span>
      <span className="timeline-track" title={`${clock} ${length}`}>
        {wait !== undefined && (
          <span className="timeline-bar-of wait-you" style={bar(wait.startMs, wait.endMs)} />
        )}
        {step.atMs > step.sinceMs && (
          <span
            className={classNames('timeline-bar-of', barClass(step))}
            style={bar(step.sinceMs, step.atMs)}
          />
        )}
        {step.measured !== null && (
          <span
            className="timeline-bar-of measured"
            style={bar(step.measured.startMs, step.measured.endMs)}
          />
        )}
        {step.thoughts.map(({ atMs, subject }, index) => (
          <span
            key={`${index} ${atMs}`}
            className="timeline-thought"
            title={subject}
            style={{ left: `${place(atMs)}%` }}
          />
        ))}
        {place(step.atMs) >= 0 && place(step.atMs) <= 100 && (
          <span className="timeline-mark" style={{ left: `${place(step.atMs)}%` }} />
        )}
      </span>
      <span className="timeline-length">{length}</span>
    </div>
  )
}

function barClass({ kind }: TimelineStep): string {
  return kind === 'model' ? 'wait-model' : kind === 'run' ? 'wait-run' : 'wait-tool'
}
