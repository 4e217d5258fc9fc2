import './trace.css'
import type { SessionSummary } from 'gemini-sessions'
import { TRACE_HEIGHT, traceBars } from './trace-bars.ts'

const WIDTH = 84

type Props = { points: SessionSummary['trace']; isLive?: boolean }

/** A session's signature in bars. Decoration for the figures beside it. */
export function Trace({ points, isLive }: Props) {
  return (
    <svg className="trace" viewBox={`0 0 ${WIDTH} ${TRACE_HEIGHT}`} aria-hidden="true">
      <line x1="0" x2={WIDTH} y1={TRACE_HEIGHT - 0.5} y2={TRACE_HEIGHT - 0.5} />
      {traceBars(points).map(({ x, height, failedHeight }, position) => {
        const isRunning = isLive && position === points.length - 1
        return (
          <g key={x}>
            <rect
              className={isRunning ? 'running' : undefined}
              x={x}
              y={TRACE_HEIGHT - 1 - height}
              width="2"
              height={height}
            />
            {failedHeight > 0 && (
              <rect
                className="failed"
                x={x}
                y={TRACE_HEIGHT - 1 - failedHeight}
                width="2"
                height={failedHeight}
              />
            )}
          </g>
        )
      })}
    </svg>
  )
}
