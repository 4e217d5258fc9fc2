import './trace.css'
import type { SessionSummary } from 'gemini-sessions'

const WIDTH = 84
const HEIGHT = 18
const BAR_STEP = 3
/** Calls below are drawn as the smallest bar, above as the largest: most calls carry a context in between. */
const LEAST_TOKENS = 4_000
const MOST_TOKENS = 160_000

type Props = { points: SessionSummary['trace']; isLive?: boolean }

/** A session's signature: one bar per model call or stretch of them, as high as the logarithm of its tokens, red for the share that failed. Decoration for the figures beside it. */
export function Trace({ points, isLive }: Props) {
  return (
    <svg className="trace" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      {points.map((point, position) => {
        const height = barHeight(point.tokens)
        const isRunning = isLive && position === points.length - 1
        const x = position * BAR_STEP
        const failed = failedHeight(point, height)
        return (
          <g key={`calls ${position}`}>
            <rect
              className={isRunning ? 'running' : undefined}
              x={x}
              y={HEIGHT - 1 - height}
              width="2"
              height={height}
            />
            {failed > 0 && (
              <rect className="failed" x={x} y={HEIGHT - 1 - failed} width="2" height={failed} />
            )}
          </g>
        )
      })}
    </svg>
  )
}

/** The foot of a bar is as much of it as failed of its calls, and never too little to be seen. */
function failedHeight({ calls, failures }: SessionSummary['trace'][number], height: number): number {
  return failures === 0 ? 0 : Math.max(1, Math.round((height * failures) / calls))
}

/** 2 to 17 px. One scale for all sessions, so that rows can be compared. */
function barHeight(tokens: number): number {
  const clamped = Math.min(Math.max(tokens, LEAST_TOKENS), MOST_TOKENS)
  const share = Math.log(clamped / LEAST_TOKENS) / Math.log(MOST_TOKENS / LEAST_TOKENS)
  return Math.round(2 + share * (HEIGHT - 3))
}
