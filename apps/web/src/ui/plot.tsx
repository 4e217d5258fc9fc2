import './ui.css'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { nextStep } from '../lib/browser.ts'
import { useLatest } from '../lib/hooks.ts'

interface ValueAxisProps {
  ticks: readonly { value: number; y: number }[]
  left: number
  right: number
  write: (value: number) => string
}

/** Gap between a label and its line, in px. */
export const TICK_GAP_PX = 8

/** A line with a label at each value; the line at 0 is the axis. */
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
  /** Right edge for its text. */
  right: number
  words: string
}

/** Width of a seam's text, in px. */
const SEAM_ROOM_PX = 180

/** A line across all bands, such as for a compression, with its effect. */
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

/** Diagonal lines over a color, also visible in print and forced colors: `fill="url(#id)"`. */
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
  /** Describes the drawing and its keys. */
  label: string
  className: string
  /** Number of steps in the drawing. */
  count: number
  /** The step from which arrow keys move. */
  current: number | null
  /** The step at `x` px from the left of the drawing. */
  stepAt: (x: number) => number | null
  onWalk: (step: number) => void
  /** Hover; null if the pointer is outside or left, or on Escape. */
  onPoint: (step: number | null, isMouse: boolean) => void
  onPress: (step: number | null) => void
  onOpen: (step: number | null) => void
  onFocus?: () => void
  onBlur?: () => void
  /** Position of a step, in px: scrolled into view in a scrolling drawing. */
  placeOf?: (step: number) => number
  children: ReactNode
}

/** All steps share a tab stop; arrow keys move between them. */
const ONE_STOP = { tabIndex: 0 }

/** Keyboard and pointer handling for a drawing of steps: arrow keys, Home and End move, Enter and Space open, Escape deselects. */
export function PlotField({ label, className, count, current, stepAt, placeOf, children, ...on }: Props) {
  // state in the address updates with a delay
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

/** The hovered or focused step, with the props for a `PlotField`. A click or Enter opens it. */
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
