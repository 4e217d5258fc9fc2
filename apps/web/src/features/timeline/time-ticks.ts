import { clockAt, momentOfClock } from '@gemini-dash/api/zone-clock'
import { dayOf, formatClock, formatDate } from '../../lib/figures/format.ts'
import { timeZone } from '../../lib/figures/time-zone.ts'
import type { TimeAxis } from './time-axis.ts'
import type { AxisWindow } from './use-timeline-window.ts'

export interface TimeTick {
  ms: number
  /** Place in the window, in px. */
  x: number
  /** `20:31`, with seconds where ticks are so close, with the date where it is another day than before. */
  label: string
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE_MS),
  ...[1, 2, 3, 6, 12, 24].map((count) => count * HOUR_MS),
]
/** Room for a clock with seconds. */
const MIN_STEP_PX = 76
/** How wide a letter of a label is at most, about. */
const LETTER_PX = 6.5
const GAP_PX = 10

/** Round moments of the clock in the window, in the reader's zone; none within a break, and no two labels on each other. */
export function timeTicks(axis: TimeAxis, window: AxisWindow, startMs: number, widthPx: number): TimeTick[] {
  const pxPerShare = widthPx / (window.to - window.from)
  const stepMs = roundStep(MIN_STEP_PX / (axis.sharePerMs * pxPerShare))
  const precision = stepMs < MINUTE_MS ? 'seconds' : 'minutes'
  const zone = timeZone()
  const midnight = Math.floor(clockAt(startMs, zone) / DAY_MS) * DAY_MS
  // counted on the clock, so that times stay round where it is changed
  const momentOf = (step: number) => momentOfClock(midnight + step * stepMs, zone)
  let day = dayOf(new Date(startMs))
  let freePx = 0
  const ticks: TimeTick[] = []
  for (const [fromMs, toMs] of evenParts(axis, window)) {
    let step = Math.ceil((clockAt(startMs + fromMs, zone) - midnight) / stepMs)
    for (let atMs = momentOf(step); atMs <= startMs + toMs; step += 1, atMs = momentOf(step)) {
      const ms = atMs - startMs
      const x = (axis.toShare(ms) - window.from) * pxPerShare
      const date = new Date(atMs)
      const clock = formatClock(date.toISOString(), precision)
      const label = dayOf(date) === day ? clock : `${formatDate(date.toISOString())}, ${clock}`
      const endPx = x + label.length * LETTER_PX
      if (x < freePx || endPx > widthPx) continue
      ticks.push({ ms, x, label })
      day = dayOf(date)
      freePx = endPx + GAP_PX
    }
  }
  return ticks
}

function roundStep(atLeastMs: number): number {
  const round = STEPS_MS.find((stepMs) => stepMs >= atLeastMs)
  if (round !== undefined) return round
  return Math.ceil(atLeastMs / DAY_MS) * DAY_MS
}

/** The parts of the window between breaks, in milliseconds of the session. */
function evenParts(axis: TimeAxis, window: AxisWindow): [fromMs: number, toMs: number][] {
  const parts: [number, number][] = []
  let fromMs = axis.toMs(window.from)
  const endMs = axis.toMs(window.to)
  for (const pause of axis.breaks) {
    if (pause.endMs <= fromMs) continue
    if (pause.startMs >= endMs) break
    parts.push([fromMs, pause.startMs])
    fromMs = pause.endMs
  }
  parts.push([fromMs, endMs])
  return parts.filter(([from, to]) => to > from)
}
