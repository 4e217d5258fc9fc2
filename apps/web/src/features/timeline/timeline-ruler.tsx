import './timeline-ruler.css'
import type { TimeAxis } from './time-axis.ts'
import type { TimeTick } from './time-ticks.ts'
import type { AxisWindow } from './use-timeline-window.ts'

interface Props {
  ticks: readonly TimeTick[]
  axis: TimeAxis
  window: AxisWindow
  /** Measures the track. */
  trackRef: (element: HTMLElement | null) => (() => void) | undefined
}

/** The clock above the rows, and hairlines through them where it is round; breaks of the axis are hatched. */
export function TimelineRuler({ ticks, axis, window, trackRef }: Props) {
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
