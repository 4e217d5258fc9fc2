import type { WaitKind, WaitStretch } from 'gemini-sessions'

/** A stretch that is drawn shorter than it was. */
export interface AxisBreak {
  kind: WaitKind
  startMs: number
  endMs: number
}

/**
 * Where a moment stands between 0 and 1. Time runs evenly, but for long waits, which would press everything else
 * together: they are drawn as breaks, all of one length.
 */
export interface TimeAxis {
  breaks: AxisBreak[]
  /** How much of the axis a millisecond takes outside of breaks. */
  sharePerMs: number
  toShare(ms: number): number
  toMs(share: number): number
}

/** Shorter waits are never broken. */
const MIN_BREAK_MS = 60_000
/** A wait is long beyond this share of all that is not long. */
const LONG_SHARE = 0.12
/** Share of the axis that a break takes, relative to the rest. */
const BREAK_SHARE = 0.03

export function timeAxis(stretches: readonly WaitStretch[], wallMs: number): TimeAxis {
  const breaks = findBreaks(stretches, wallMs)
  const brokenMs = breaks.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  const breakMs = Math.max((wallMs - brokenMs) * BREAK_SHARE, 1)
  const drawnMs = Math.max(wallMs - brokenMs + breaks.length * breakMs, 1)

  function toShare(ms: number): number {
    const atMs = Math.min(Math.max(ms, 0), wallMs)
    // Part by part and only ever more, so that rounding turns no two moments around.
    let drawn = 0
    let fromMs = 0
    for (const { startMs, endMs } of breaks) {
      if (atMs <= startMs) break
      const untilMs = Math.min(atMs, endMs)
      drawn += startMs - fromMs + ((untilMs - startMs) / (endMs - startMs)) * breakMs
      fromMs = untilMs
    }
    return (drawn + (atMs - fromMs)) / drawnMs
  }
  function toMs(share: number): number {
    let drawn = Math.min(Math.max(share, 0), 1) * drawnMs
    for (const { startMs, endMs } of breaks) {
      if (drawn <= startMs) return drawn
      if (drawn <= startMs + breakMs) return startMs + ((drawn - startMs) / breakMs) * (endMs - startMs)
      drawn += endMs - startMs - breakMs
    }
    return Math.min(drawn, wallMs)
  }
  return { breaks, sharePerMs: 1 / drawnMs, toShare, toMs }
}

/** The longest first, as long as each takes much of what would be left to draw. */
function findBreaks(stretches: readonly WaitStretch[], wallMs: number): AxisBreak[] {
  const byLength = stretches
    .filter(({ startMs, endMs }) => endMs - startMs >= MIN_BREAK_MS)
    .sort((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs))
  let leftMs = wallMs
  const breaks: AxisBreak[] = []
  for (const stretch of byLength) {
    const lengthMs = stretch.endMs - stretch.startMs
    if (lengthMs < leftMs * LONG_SHARE) break
    leftMs -= lengthMs
    breaks.push(stretch)
  }
  return breaks.sort((a, b) => a.startMs - b.startMs)
}
