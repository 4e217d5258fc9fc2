import type { Timeline, TimelineStep } from 'gemini-sessions'
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import { formatClock, formatDuration } from '../../lib/format.ts'
import type { TimeAxis } from './time-axis.ts'
import { stepName, WAIT_WORDS } from './timeline-words.ts'
import type { AxisWindow } from './use-timeline-window.ts'

interface Props {
  timeline: Timeline
  axis: TimeAxis
  /** What the rows below show of it. */
  window: AxisWindow
  steps: readonly TimelineStep[]
  onOpen: (sessionKey: string, messageKey: string, offset: number) => void
}

/** So many units wide is the drawing, whatever its width on the screen. */
const UNITS = 1_000
/** While the hand moves, the conversation follows not more often than so. */
const FOLLOW_MS = 120

/** The whole session in one strip: who was waited for. Scrubbing it scrolls the conversation. */
export function TimelineStrip({ timeline, axis, window, steps, onOpen }: Props) {
  const own = useMemo(() => steps.filter(({ depth }) => depth === 0), [steps])
  const [atMs, setAtMs] = useState<number | null>(null)
  const [hoverMs, setHoverMs] = useState<number | null>(null)
  const followed = useRef(0)
  const current = own.findLastIndex((step) => step.atMs <= (atMs ?? 0))

  function go(index: number) {
    const step = own[Math.min(Math.max(index, 0), own.length - 1)]
    if (step === undefined) return
    setAtMs(step.atMs)
    onOpen(step.sessionKey, step.messageKey, step.offset)
  }
  function point(event: PointerEvent<HTMLElement>): number {
    const box = event.currentTarget.getBoundingClientRect()
    return axis.toMs((event.clientX - box.left) / box.width)
  }
  function scrub(event: PointerEvent<HTMLElement>, isLast: boolean) {
    const ms = point(event)
    setAtMs(ms)
    const now = performance.now()
    if (!isLast && now - followed.current < FOLLOW_MS) return
    followed.current = now
    const step = own.findLast((each) => each.atMs <= ms) ?? own[0]
    if (step !== undefined) onOpen(step.sessionKey, step.messageKey, step.offset)
  }
  function walk(event: KeyboardEvent) {
    if (event.key === 'ArrowRight' || event.key === 'ArrowUp') go(current + 1)
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') go(current - 1)
    else if (event.key === 'Home') go(0)
    else if (event.key === 'End') go(own.length - 1)
    else return
    event.preventDefault()
  }
  const shownMs = hoverMs ?? atMs
  return (
    <div className="timeline-strip-frame">
      <div
        className="timeline-strip"
        role="slider"
        tabIndex={0}
        aria-label="Moment of the session. Arrow keys go from step to step."
        aria-valuemin={0}
        aria-valuemax={Math.round(timeline.wallMs)}
        aria-valuenow={Math.round(atMs ?? 0)}
        aria-valuetext={momentText(timeline, own[current], atMs ?? 0)}
        onKeyDown={walk}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          scrub(event, false)
        }}
        onPointerMove={(event) => {
          setHoverMs(point(event))
          if (event.currentTarget.hasPointerCapture(event.pointerId)) scrub(event, false)
        }}
        onPointerUp={(event) => scrub(event, true)}
        onPointerLeave={() => setHoverMs(null)}
      >
        <StripDrawing timeline={timeline} axis={axis} />
        <span
          className="timeline-window"
          style={{ left: `${window.from * 100}%`, width: `${(window.to - window.from) * 100}%` }}
          hidden={window.to - window.from >= 1}
        />
        {shownMs !== null && (
          <span className="timeline-cursor" style={{ left: `${axis.toShare(shownMs) * 100}%` }} />
        )}
      </div>
      <p className="timeline-moment" aria-hidden="true">
        {shownMs === null
          ? ''
          : momentText(
              timeline,
              own.findLast((step) => step.atMs <= shownMs),
              shownMs,
            )}
      </p>
    </div>
  )
}

function StripDrawing({ timeline, axis }: { timeline: Timeline; axis: TimeAxis }) {
  return (
    <svg viewBox={`0 0 ${UNITS} 24`} preserveAspectRatio="none" aria-hidden="true">
      {timeline.stretches.map(({ kind, startMs, endMs }) => {
        const x = axis.toShare(startMs) * UNITS
        const width = Math.max(axis.toShare(endMs) * UNITS - x, 0.4)
        return (
          <rect
            key={startMs}
            className={`strip-${kind}`}
            x={x}
            width={width}
            y={kind === 'you' || kind === 'other' ? 10 : kind === 'model' ? 2 : 12}
            height={kind === 'you' || kind === 'other' ? 4 : 10}
          />
        )
      })}
      {timeline.turns.map(({ number, startMs }) => {
        const x = axis.toShare(startMs) * UNITS
        return <line key={number} className="strip-turn" x1={x} x2={x} y1="0" y2="24" />
      })}
      {axis.breaks.map(({ startMs, endMs }) => {
        const x = ((axis.toShare(startMs) + axis.toShare(endMs)) / 2) * UNITS
        return <path key={startMs} className="strip-break" d={`M${x - 3} 24 l4 -24 M${x} 24 l4 -24`} />
      })}
    </svg>
  )
}

/** `20:31:40, turn 3: Gemini; waiting for you, 17 min` */
function momentText(timeline: Timeline, step: TimelineStep | undefined, ms: number): string {
  const clock = formatClock(new Date(Date.parse(timeline.startTime ?? '') + ms).toISOString(), 'seconds')
  const stretch = timeline.stretches.find(({ startMs, endMs }) => startMs <= ms && ms < endMs)
  const wait =
    stretch === undefined
      ? ''
      : `; ${WAIT_WORDS[stretch.kind]}, ${formatDuration(stretch.endMs - stretch.startMs)}`
  return `${clock}${step === undefined ? '' : `, turn ${step.turn}: ${stepName(step)}`}${wait}`
}
