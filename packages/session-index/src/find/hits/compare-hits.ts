/** What the order of hits depends on. */
export interface RankedRow {
  sessionKey: string
  /** Files that somebody copied into another project make a session there with the same key. */
  groupId: string
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
    b.place - a.place ||
    (a.groupId < b.groupId ? -1 : a.groupId > b.groupId ? 1 : 0)
  )
}
