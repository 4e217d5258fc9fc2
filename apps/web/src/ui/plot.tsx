import './plot.css'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { nextStep } from '../lib/browser.ts'
import { useLatest } from '../lib/hooks.ts'

interface ValueAxisProps {
  ticks: readonly { value: number; y: number }[]
  left: number
  right: number
  write: (value: number) => string
}

/** Between a label and its line, in px. */
export const TICK_GAP_PX = 8

/** A line at each value, with the value beside it; the line at 0 is the ground. */
export function ValueAxis({ ticks, left, right, write }: ValueAxisProps) {
  return ticks.map(({ value, y }) => (
    <g key={`${value} ${y}`}>
      <line className={value === 0 ? 'plot-axis' : 'plot-grid'} x1={left} x2={right} y1={y} y2={y} />
      <text x={left - TICK_GAP_PX} y={y + 4} textAnchor="end">
        {write(value)}
      </text>
    </g>
  ))
}

interface SeamProps {
  x: number
  top: number
  bottom: number
  /** Where its words end at the latest. */
  right: number
  words: string
}

/** What the words of a seam take, in px. */
const SEAM_ROOM_PX = 180

/** A cut through all bands, such as a compression, with what it did. */
export function PlotSeam({ x, top, bottom, right, words }: SeamProps) {
  const isNearEnd = x > right - SEAM_ROOM_PX
  return (
    <>
      <line className="plot-seam" x1={x} x2={x} y1={top} y2={bottom} />
      <text
        className="plot-strong"
        x={isNearEnd ? x - 6 : x + 6}
        y={top + 6}
        textAnchor={isNearEnd ? 'end' : 'start'}
      >
        {words}
      </text>
    </>
  )
}

/** Diagonal lines over a color, which print and forced colors show too: `fill="url(#id)"`. */
export function PlotHatch({ id, sizePx = 4 }: { id: string; sizePx?: number }) {
  return (
    <pattern
      id={id}
      width={sizePx}
      height={sizePx}
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <path className="plot-hatch" d={`M0 0V${sizePx}`} />
    </pattern>
  )
}

interface Props {
  /** Says what is drawn, and what the keys do. */
  label: string
  className: string
  /** Of the steps of the drawing. */
  count: number
  /** The step from which the arrows walk. */
  current: number | null
  /** The step at `x` px from the left of the drawing. */
  stepAt: (x: number) => number | null
  onWalk: (step: number) => void
  /** By pointer; null: beside the drawing, or gone. Also by Escape. */
  onPoint: (step: number | null, isMouse: boolean) => void
  onPress: (step: number | null) => void
  onOpen: (step: number | null) => void
  onFocus?: () => void
  onBlur?: () => void
  /** Of a step, in px: kept in sight where the drawing scrolls. */
  placeOf?: (step: number) => number
  children: ReactNode
}

/** All steps are one stop of the Tab key; the arrows walk between them. */
const ONE_STOP = { tabIndex: 0 }

/** Around a drawing of steps: arrow keys, Home and End walk them, Enter and Space open one, Escape lets go. */
export function PlotField({ label, className, count, current, stepAt, placeOf, children, ...on }: Props) {
  // what is chosen by the address takes its time
  const latest = useLatest(current)
  const stepOf = ({ currentTarget, clientX }: MouseEvent<HTMLElement>) => {
    const drawing = currentTarget.querySelector('svg')
    return drawing === null ? null : stepAt(clientX - drawing.getBoundingClientRect().left)
  }
  return (
    <fieldset
      {...ONE_STOP}
      className={className}
      aria-label={label}
      onKeyDown={(event) => {
        const next = nextStep(event.key, latest.current, count)
        if (event.key === 'Enter' || event.key === ' ') on.onOpen(latest.current)
        else if (event.key === 'Escape') on.onPoint(null, false)
        else if (next === null) return
        else {
          latest.current = next
          on.onWalk(next)
          if (placeOf !== undefined) keepInSight(event.currentTarget, placeOf(next))
        }
        event.preventDefault()
      }}
      onFocus={on.onFocus}
      onBlur={on.onBlur}
      onPointerMove={(event) => on.onPoint(stepOf(event), event.pointerType === 'mouse')}
      onPointerLeave={() => on.onPoint(null, true)}
      onClick={(event) => on.onPress(stepOf(event))}
    >
      {children}
    </fieldset>
  )
}

function keepInSight(scroller: HTMLElement, x: number) {
  if (scroller.scrollWidth > scroller.clientWidth) scroller.scrollLeft = x - scroller.clientWidth / 2
}

/** The step that is pointed at or has the focus, and what a `PlotField` needs for that. A press or Enter opens it. */
export function useActiveStep(count: number, onOpen: (step: number) => void) {
  const [active, setActive] = useState<number | null>(null)
  const [isByKeyboard, setIsByKeyboard] = useState(false)
  const open = (step: number | null) => {
    if (step !== null && step < count) onOpen(step)
  }
  const field = {
    count,
    current: active,
    onWalk: (step: number) => {
      setIsByKeyboard(true)
      setActive(step)
    },
    onPoint: (step: number | null) => {
      setIsByKeyboard(false)
      setActive(step)
    },
    onPress: open,
    onOpen: open,
    onFocus: () => setActive((current) => current ?? count - 1),
    onBlur: () => setActive(null),
  }
  return { active, isByKeyboard, field }
}
