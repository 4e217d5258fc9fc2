import './timeline-strip.css'
import type { Timeline, TimelineStep, WaitKind } from 'gemini-sessions'
import { CircleHelp, Diamond, type LucideIcon, UserRound, Wrench } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import { classNames } from '../../lib/browser/class-names.ts'
import { useElementWidth } from '../../lib/hooks/use-element-width.ts'
import { useLatest } from '../../lib/hooks/use-latest.ts'
import { Icon } from '../../ui/signs/icon.tsx'
import { gapLabels, turnLabels } from './strip-labels.ts'
import type { TimeAxis } from './time-axis.ts'
import { momentText } from './timeline-words.ts'
import type { AxisWindow } from './use-timeline-window.ts'

/** So many units wide is the drawing, whatever its width on the screen. */
const UNITS = 1_000
const HEIGHT = 24

const ICONS: Record<WaitKind, LucideIcon> = {
  you: UserRound,
  model: Diamond,
  tool: Wrench,
  other: CircleHelp,
}

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
  const latestMs = useLatest(atMs)
  const [hoverMs, setHoverMs] = useState<number | null>(null)
  const [hasFocus, setHasFocus] = useState(false)
  const followed = useRef(0)
  const stepAt = (ms: number | null) => own.findLastIndex((step) => step.atMs <= (ms ?? 0))
  const current = stepAt(atMs)

  function go(index: number) {
    const step = own[Math.min(Math.max(index, 0), own.length - 1)]
    if (step === undefined) return
    latestMs.current = step.atMs
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
    const from = stepAt(latestMs.current)
    if (event.key === 'ArrowRight' || event.key === 'ArrowUp') go(from + 1)
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') go(from - 1)
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

/** Below each break of the strip, whom it waited for and how long at most. */
function StripGaps({ axis, widthPx }: { axis: TimeAxis; widthPx: number }) {
  return gapLabels(axis, widthPx).map(({ kind, startMs, text, x }) => (
    <span key={startMs} className={`strip-gap gap-${kind}`} style={{ left: x }}>
      <Icon of={ICONS[kind]} small />
      {text}
    </span>
  ))
}

/** Turns as bands, in them who was waited for: the model above, tools below, you as a line between. */
function StripDrawing({ timeline, axis }: { timeline: Timeline; axis: TimeAxis }) {
  const place = (ms: number) => axis.toShare(ms) * UNITS
  return (
    <svg viewBox={`0 0 ${UNITS} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {timeline.turns.map(({ number, startMs, endMs, superseded }) => (
        <rect
          key={number}
          className={classNames('strip-band', superseded !== null && 'superseded')}
          x={place(startMs)}
          width={Math.max(place(endMs) - place(startMs), 0)}
          y="0"
          height={HEIGHT}
        />
      ))}
      {timeline.stretches.map(({ kind, startMs, endMs }) => (
        <rect
          key={startMs}
          className={`strip-${kind}`}
          x={place(startMs)}
          width={Math.max(place(endMs) - place(startMs), 0.4)}
          y={kind === 'you' || kind === 'other' ? 10 : kind === 'model' ? 2 : 12}
          height={kind === 'you' || kind === 'other' ? 4 : 10}
        />
      ))}
      {timeline.turns.map(({ number, startMs }) => (
        <line
          key={number}
          className="strip-turn"
          x1={place(startMs)}
          x2={place(startMs)}
          y1="0"
          y2={HEIGHT}
        />
      ))}
      {axis.breaks.map(({ startMs, endMs }) => {
        const x = (place(startMs) + place(endMs)) / 2
        return <path key={startMs} className="strip-break" d={`M${x - 3} 24 l4 -24 M${x} 24 l4 -24`} />
      })}
    </svg>
  )
}
