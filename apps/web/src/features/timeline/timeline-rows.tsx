import './timeline-rows.css'
import './timeline-ruler.css'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { Timeline, TimelineStep } from 'gemini-sessions'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { formatPlural } from '../../lib/figures/format.ts'
import { useElementWidth } from '../../lib/hooks/use-element-width.ts'
import { useIsNarrow } from '../../lib/hooks/use-is-narrow.ts'
import { useLatest } from '../../lib/hooks/use-latest.ts'
import type { TimeAxis } from './time-axis.ts'
import { type TimeTick, timeTicks } from './time-ticks.ts'
import { TimelineRow } from './timeline-row.tsx'
import { stepSentence, timelineClock } from './timeline-words.ts'
import type { AxisWindow } from './use-timeline-window.ts'

interface Props {
  timeline: Timeline
  axis: TimeAxis
  window: AxisWindow
  sessionKey: string
  place: number
  onOpen: (sessionKey: string, messageKey: string, offset: number) => void
  onZoom: (factor: number, around?: number) => void
  onMove: (by: number) => void
  onShowAll: () => void
}

const ROW_PX = 26
const NARROW_ROW_PX = 46
const RULER_PX = 22
/** All rows are one stop of the Tab key; the arrows walk between them. */
const ONE_STOP = { tabIndex: 0 }

/** One row for each step that is within the window; only those in sight are drawn. */
export function TimelineRows(props: Props) {
  const { timeline, axis, window, sessionKey, place, onOpen, onZoom, onMove, onShowAll } = props
  const scroller = useRef<HTMLFieldSetElement>(null)
  const isNarrow = useIsNarrow()
  const [activeStep, setActiveStep] = useState<TimelineStep | null>(null)
  const latest = useLatest(activeStep)
  const rows = useMemo(() => {
    const [fromMs, toMs] = [axis.toMs(window.from), axis.toMs(window.to)]
    return timeline.steps.filter((step) => step.atMs >= fromMs && step.sinceMs <= toMs)
  }, [timeline, axis, window])
  const waits = useMemo(
    () => new Map(timeline.stretches.filter(({ kind }) => kind === 'you').map((wait) => [wait.endMs, wait])),
    [timeline],
  )
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? NARROW_ROW_PX : ROW_PX),
    overscan: 12,
    paddingStart: RULER_PX,
    scrollPaddingStart: RULER_PX,
  })
  const { ref: trackRef, width } = useElementWidth()
  const ticks = useMemo(
    () => timeTicks(axis, window, Date.parse(timeline.startTime ?? ''), width),
    [axis, window, timeline.startTime, width],
  )
  const here = rows.findLastIndex((step) => step.sessionKey === sessionKey && step.offset <= place)
  useEffect(() => {
    if (here >= 0) virtualizer.scrollToIndex(here, { align: 'auto' })
  }, [here, virtualizer])
  useWheelZoom(scroller, window, onZoom)

  const active = placeOf(rows, activeStep)

  function open(index: number) {
    const step = rows[index]
    if (step !== undefined) onOpen(step.sessionKey, step.messageKey, step.offset)
  }
  function walk(event: KeyboardEvent) {
    const walked = placeOf(rows, latest.current)
    const from = walked === -1 ? here : walked
    const next = nextIndex(event.key, from, rows.length)
    if (next !== null) {
      latest.current = rows[next] ?? null
      setActiveStep(latest.current)
      virtualizer.scrollToIndex(next, { align: 'auto' })
    } else if (event.key === 'Enter' || event.key === ' ') open(from)
    else if (event.key === '+' || event.key === '=') onZoom(0.5)
    else if (event.key === '-') onZoom(2)
    else if (event.key === '0') onShowAll()
    else if (event.key === 'ArrowLeft') onMove(-0.25)
    else if (event.key === 'ArrowRight') onMove(0.25)
    else return
    event.preventDefault()
    // Letters and signs are keys of the page, too.
    event.stopPropagation()
  }
  const told = rows[active]
  return (
    <>
      <fieldset
        ref={scroller}
        {...ONE_STOP}
        className="timeline-rows"
        aria-label={`${formatPlural(rows.length, 'step')} of the session by time. Up and down walk, Enter opens, plus and minus zoom, left and right move.`}
        onKeyDown={walk}
        onBlur={() => setActiveStep(null)}
      >
        <div className="timeline-space" style={{ height: virtualizer.getTotalSize() }}>
          <TimelineRuler ticks={ticks} axis={axis} window={window} trackRef={trackRef} />
          {virtualizer.getVirtualItems().map((item) => {
            const step = rows[item.index]
            return (
              step !== undefined && (
                <TimelineRow
                  key={item.key}
                  top={item.start}
                  step={step}
                  wait={step.kind === 'prompt' && step.depth === 0 ? waits.get(step.atMs) : undefined}
                  axis={axis}
                  window={window}
                  isHere={item.index === here}
                  isActive={item.index === active}
                  clock={timelineClock(timeline, step.atMs)}
                  onOpen={() => open(item.index)}
                />
              )
            )
          })}
        </div>
      </fieldset>
      <p className="visually-hidden" role="status">
        {told !== undefined && stepSentence(told, timelineClock(timeline, told.atMs))}
      </p>
    </>
  )
}

/** Zoomed in, and once a closer look is here, it stands elsewhere among the rows; -1: it is not one of them. */
function placeOf(rows: readonly TimelineStep[], step: TimelineStep | null): number {
  if (step === null) return -1
  const place = rows.indexOf(step)
  if (place !== -1) return place
  const { messageKey, kind, atMs } = step
  return rows.findIndex((row) => row.messageKey === messageKey && row.kind === kind && row.atMs === atMs)
}

function nextIndex(key: string, current: number, count: number): number | null {
  if (key === 'ArrowDown') return Math.min(current + 1, count - 1)
  if (key === 'ArrowUp') return Math.max(current - 1, 0)
  if (key === 'PageDown') return Math.min(current + 10, count - 1)
  if (key === 'PageUp') return Math.max(current - 10, 0)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

/** Ctrl and the wheel zoom around the pointer. React listens passively, which could not keep the page from zooming. */
function useWheelZoom(
  scroller: { current: HTMLElement | null },
  window: AxisWindow,
  onZoom: (factor: number, around?: number) => void,
) {
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const zoom = (event: WheelEvent) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      const track = element.querySelector('.timeline-track')?.getBoundingClientRect()
      if (track === undefined) return
      const share = Math.min(Math.max((event.clientX - track.left) / track.width, 0), 1)
      onZoom(event.deltaY < 0 ? 0.8 : 1.25, window.from + share * (window.to - window.from))
    }
    element.addEventListener('wheel', zoom, { passive: false })
    return () => element.removeEventListener('wheel', zoom)
  }, [scroller, window, onZoom])
}

interface TimelineRulerProps {
  ticks: readonly TimeTick[]
  axis: TimeAxis
  window: AxisWindow
  /** Measures the track. */
  trackRef: (element: HTMLElement | null) => (() => void) | undefined
}

/** The clock above the rows, and hairlines through them where it is round; breaks of the axis are hatched. */
function TimelineRuler({ ticks, axis, window, trackRef }: TimelineRulerProps) {
  const place = (ms: number) => ((axis.toShare(ms) - window.from) / (window.to - window.from)) * 100
  return (
    <>
      <div className="timeline-grid" aria-hidden="true">
        <div className="timeline-grid-track">
          {axis.breaks.map(({ startMs, endMs }) => (
            <span
              key={startMs}
              className="timeline-gap"
              style={{ left: `${place(startMs)}%`, width: `${place(endMs) - place(startMs)}%` }}
            />
          ))}
          {ticks.map(({ ms, x }) => (
            <span key={ms} className="timeline-line" style={{ left: x }} />
          ))}
        </div>
      </div>
      <div className="timeline-ruler" aria-hidden="true">
        <span className="timeline-head-label">Step</span>
        <div className="timeline-ruler-track" ref={trackRef}>
          {ticks.map(({ ms, x, label }) => (
            <span key={ms} className="timeline-tick" style={{ left: x }}>
              {label}
            </span>
          ))}
        </div>
        <span className="timeline-head-length">took at most</span>
      </div>
    </>
  )
}
