/** What the order of hits depends on. */
export interface RankedRow {
  sessionKey: string
  timeMs: number
  /** Position in the session. */
  place: number
  /** Larger is better; 0 for all unless ranked. */
  score: number
}

/** Best score, then newest, then an order that is always the same. */
export function compareHits(a: RankedRow, b: RankedRow): number {
  return (
    b.score - a.score ||
    b.timeMs - a.timeMs ||
    (a.sessionKey < b.sessionKey ? -1 : a.sessionKey > b.sessionKey ? 1 : 0) ||
    b.place - a.place
  )
}
