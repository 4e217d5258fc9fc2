import './trace.css'
import type { SessionSummary } from 'gemini-sessions'

const WIDTH = 84
const HEIGHT = 18
const BAR_STEP = 3
/** Calls below are drawn as the smallest bar, above as the largest: most calls carry a context in between. */
const LEAST_TOKENS = 4_000
const MOST_TOKENS = 160_000

type Props = { points: SessionSummary['trace']; isLive?: boolean }

/** A session's signature: one bar per model call, as high as the logarithm of its tokens. Decoration for the figures beside it. */
export function Trace({ points, isLive }: Props) {
  return (
    <svg className="trace" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      {points.map((point, position) => {
        const height = barHeight(point.tokens)
        const isRunning = isLive && position === points.length - 1
        return (
          <rect
            key={`call ${position}`}
            className={point.failed ? 'failed' : isRunning ? 'running' : undefined}
            x={position * BAR_STEP}
            y={HEIGHT - 1 - height}
            width="2"
            height={height}
          />
        )
      })}
    </svg>
  )
}

/** 2 to 17 px. One scale for all sessions, so that rows can be compared. */
function barHeight(tokens: number): number {
  const clamped = Math.min(Math.max(tokens, LEAST_TOKENS), MOST_TOKENS)
  const share = Math.log(clamped / LEAST_TOKENS) / Math.log(MOST_TOKENS / LEAST_TOKENS)
  return Math.round(2 + share * (HEIGHT - 3))
}
