import type { Timeline, TimelineTurn, WaitKind } from 'gemini-sessions'
import { formatAtMost } from '../../lib/figures/format.ts'
import type { TimeAxis } from './time-axis.ts'

/** How wide a letter of a label is at most, about. */
const LETTER_PX = 6.5
const GAP_PX = 6
/** Of a gap: the sign of who was waited for. */
const ICON_PX = 16

export interface TurnLabel {
  turn: TimelineTurn
  text: string
  x: number
}

/** The numbers of the turns where they begin; those that would lie on another are left out. */
export function turnLabels(turns: Timeline['turns'], axis: TimeAxis, widthPx: number): TurnLabel[] {
  const labels: TurnLabel[] = []
  let freePx = 0
  for (const turn of turns) {
    const text = labels.length === 0 ? `turn ${turn.number}` : String(turn.number)
    const x = axis.toShare(turn.startMs) * widthPx
    const endPx = x + text.length * LETTER_PX
    if (x < freePx || endPx > widthPx) continue
    labels.push({ turn, text, x })
    freePx = endPx + GAP_PX
  }
  return labels
}

export interface GapLabel {
  kind: WaitKind
  startMs: number
  text: string
  /** Its middle. */
  x: number
}

/** How long at most was waited at each break of the axis, the longest waits first where there is not room for all. */
export function gapLabels(axis: TimeAxis, widthPx: number): GapLabel[] {
  const taken: { from: number; to: number }[] = []
  return axis.breaks
    .toSorted((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs))
    .flatMap(({ kind, startMs, endMs }): GapLabel[] => {
      const text = formatAtMost(endMs - startMs)
      const halfPx = (text.length * LETTER_PX + ICON_PX) / 2
      const middle = ((axis.toShare(startMs) + axis.toShare(endMs)) / 2) * widthPx
      const x = Math.min(Math.max(middle, halfPx), widthPx - halfPx)
      if (taken.some(({ from, to }) => x - halfPx < to && x + halfPx > from)) return []
      taken.push({ from: x - halfPx - GAP_PX, to: x + halfPx + GAP_PX })
      return [{ kind, startMs, text, x }]
    })
}
