import { useState } from 'react'

/** The part of the axis that is in sight, as shares of it. */
export interface AxisWindow {
  from: number
  to: number
}

const WHOLE: AxisWindow = { from: 0, to: 1 }
const MIN_WIDTH = 1 / 4_000

/** Zooming and moving along the axis. */
export function useTimelineWindow() {
  const [window, setWindow] = useState(WHOLE)
  const zoom = (factor: number, around = (window.from + window.to) / 2) => {
    const width = Math.min(Math.max((window.to - window.from) * factor, MIN_WIDTH), 1)
    const share = (around - window.from) / (window.to - window.from)
    setWindow(within(around - width * share, width))
  }
  const move = (by: number) => {
    const width = window.to - window.from
    setWindow(within(window.from + by * width, width))
  }
  return { window, zoom, move, showAll: () => setWindow(WHOLE), isWhole: window.to - window.from >= 1 }
}

function within(from: number, width: number): AxisWindow {
  const start = Math.min(Math.max(from, 0), 1 - width)
  return { from: start, to: start + width }
}
