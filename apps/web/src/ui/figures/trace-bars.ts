import type { SessionSummary } from 'gemini-sessions'

type Point = SessionSummary['trace'][number]

export interface TraceBar {
  /** From the left, in px of the drawing. */
  x: number
  height: number
  /** Of it is red, from the foot. */
  failedHeight: number
}

export const TRACE_HEIGHT = 18
const BAR_STEP = 3
/** A dot of two is no bar. */
const LEAST_HEIGHT = 4
/** Calls below are drawn as the smallest bar, above as the largest: most calls carry a context in between. */
const LEAST_TOKENS = 1_000
const MOST_TOKENS = 160_000

/** One bar per model call or stretch of them, as high as the logarithm of its tokens, red for the share that failed. One scale for all sessions, so that rows can be compared. */
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

/** As much as failed of its calls, never too little to be seen, and all of it only where all failed. */
function failedHeight({ calls, failures }: Point, height: number): number {
  if (failures === 0) return 0
  if (failures >= calls) return height
  return Math.min(Math.max(1, Math.round((height * failures) / calls)), height - 1)
}
