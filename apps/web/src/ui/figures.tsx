import './ui.css'
import type { SessionSummary } from 'gemini-sessions'
import { formatMoment } from '../lib/dates.ts'
import { formatCount, formatPlural, formatTokens } from '../lib/figures.ts'
import { usePaper } from '../lib/paper.ts'

/** A short time with the exact moment and zone as tooltip; not on paper, which has thousands of them and names the zone in the head. */
export function TimeText({
  time,
  children,
  className,
}: {
  time: string
  children: string
  className?: string
}) {
  const isOnPage = usePaper() === null
  return (
    <time dateTime={time} title={isOnPage ? formatMoment(time) : undefined} className={className}>
      {children}
    </time>
  )
}

/** Name of a figure for screen readers; visually it is in the column head or beside the figure. */
export function Heard({ children }: { children: string }) {
  return <span className="visually-hidden"> {children}</span>
}

/** `share`: ratio to the largest row, 0 to 1; `failedShare`: share of the bar itself. Decoration for the figures beside it. */
export function ShareBar({ share, failedShare }: { share: number; failedShare?: number }) {
  const failed = share * (failedShare ?? 0)
  return (
    <svg className="share-bar" aria-hidden="true">
      <rect
        className={failedShare === undefined ? 'whole' : 'quiet'}
        width={percent(Math.max(share, 0.01))}
        height="100%"
      />
      {failed > 0 && <rect className="failed" width={percent(Math.max(failed, 0.006))} height="100%" />}
    </svg>
  )
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}

/** `+12 −4`, omitting zeros, with words for screen readers. */
export function LineChangeFigure({ linesAdded, linesRemoved }: { linesAdded: number; linesRemoved: number }) {
  return (
    <span className="line-change">
      <span className="visually-hidden">
        {formatPlural(linesAdded, 'line')} added, {formatCount(linesRemoved)} removed
      </span>
      {(linesAdded > 0 || linesRemoved === 0) && (
        <span className="tone-success" aria-hidden="true">
          {`+${formatCount(linesAdded)}`}
        </span>
      )}
      {linesRemoved > 0 && (
        <span className="tone-error" aria-hidden="true">
          {`−${formatCount(linesRemoved)}`}
        </span>
      )}
    </span>
  )
}

/** Shortened token count with the exact figure as tooltip and for screen readers. `more`: added to the tooltip. */
export function TokenText({ tokens, more }: { tokens: number; more?: string | undefined }) {
  const exact = formatCount(tokens)
  const short = formatTokens(tokens)
  if (short === exact) return more === undefined ? short : <span title={more}>{short}</span>
  return (
    <span title={more === undefined ? `${exact} tokens` : `${exact} tokens, ${more}`}>
      <span aria-hidden="true">{short}</span>
      <span className="visually-hidden">{exact}</span>
    </span>
  )
}

type Point = SessionSummary['trace'][number]

interface TraceBar {
  /** From the left, in px of the drawing. */
  x: number
  height: number
  /** Red part, from the bottom. */
  failedHeight: number
}

export const TRACE_HEIGHT = 18
const BAR_STEP = 3
/** Two pixels would look like a dot. */
const LEAST_HEIGHT = 4
/** Range of the scale: most requests have a context in between, others are clamped. */
const LEAST_TOKENS = 1_000
const MOST_TOKENS = 160_000

/**
 * One bar per request or group of requests: height by the logarithm of its tokens, red for the share that failed. The same scale for all
 * sessions, so that rows are comparable.
 */
export function traceBars(points: readonly Point[]): TraceBar[] {
  return points.map((point, position) => {
    const height = barHeight(point.tokens)
    return { x: position * BAR_STEP, height, failedHeight: failedHeight(point, height) }
  })
}

function barHeight(tokens: number): number {
  const clamped = Math.min(Math.max(tokens, LEAST_TOKENS), MOST_TOKENS)
  const share = Math.log(clamped / LEAST_TOKENS) / Math.log(MOST_TOKENS / LEAST_TOKENS)
  return Math.round(LEAST_HEIGHT + share * (TRACE_HEIGHT - 1 - LEAST_HEIGHT))
}

/** In proportion to the failures, at least visible, and full height only if everything failed. */
function failedHeight({ calls, failures }: Point, height: number): number {
  if (failures === 0) return 0
  if (failures >= calls) return height
  return Math.min(Math.max(1, Math.round((height * failures) / calls)), height - 1)
}

const WIDTH = 84

type Props = { points: SessionSummary['trace']; isLive?: boolean }

/** A session as a sparkline of bars. Decoration for the figures beside it. */
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
