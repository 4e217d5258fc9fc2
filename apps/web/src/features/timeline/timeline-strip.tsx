import './timeline-strip.css'
import type { Timeline, TimelineStep } from 'gemini-sessions'
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import { useElementWidth } from '../../lib/hooks/use-element-width.ts'
import { StripDrawing } from './strip-drawing.tsx'
import { StripGaps } from './strip-gaps.tsx'
import { turnLabels } from './strip-labels.ts'
import type { TimeAxis } from './time-axis.ts'
import { momentText } from './timeline-words.ts'
import type { AxisWindow } from './use-timeline-window.ts'

interface Props {
  timeline: Timeline
  axis: TimeAxis
  /** What the rows below show of it. */
  window: AxisWindow
  steps: readonly TimelineStep[]
  onOpen: (sessionKey: string, messageKey: string, offset: number) => void
}

/** While the hand moves, the conversation follows not more often than so. */
const FOLLOW_MS = 120

/** The whole session in one strip: who was waited for. Scrubbing it scrolls the conversation. */
export function TimelineStrip({ timeline, axis, window, steps, onOpen }: Props) {
  const own = useMemo(() => steps.filter(({ depth }) => depth === 0), [steps])
  const { ref, width } = useElementWidth()
  const [atMs, setAtMs] = useState<number | null>(null)
  const [hoverMs, setHoverMs] = useState<number | null>(null)
  const [hasFocus, setHasFocus] = useState(false)
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
  const toldMs = hoverMs ?? (hasFocus ? atMs : null)
  const cursorMs = hoverMs ?? atMs
  return (
    <div className="timeline-strip-frame">
      <div className="strip-labels" aria-hidden="true" ref={ref}>
        {turnLabels(timeline.turns, axis, width).map(({ turn, text, x }) => (
          <span key={turn.number} className={turn.superseded ? 'superseded' : undefined} style={{ left: x }}>
            {text}
          </span>
        ))}
      </div>
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
        onFocus={() => setHasFocus(true)}
        onBlur={() => setHasFocus(false)}
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
        {cursorMs !== null && (
          <span className="timeline-cursor" style={{ left: `${axis.toShare(cursorMs) * 100}%` }} />
        )}
      </div>
      <div className="strip-labels" aria-hidden="true">
        {toldMs === null ? (
          <StripGaps axis={axis} widthPx={width} />
        ) : (
          <span className="strip-moment">
            {momentText(
              timeline,
              own.findLast((step) => step.atMs <= toldMs),
              toldMs,
            )}
          </span>
        )}
      </div>
    </div>
  )
}
