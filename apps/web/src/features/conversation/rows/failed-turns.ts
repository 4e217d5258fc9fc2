import type { Turn } from 'gemini-sessions'

/** The turns whose request failed, by place. */
export class FailedTurns {
  private readonly turns: readonly Turn[]

  /** Whether a turn without a word is a failure, only the end of the writing tells. */
  constructor(turns: readonly Turn[], isLive: boolean) {
    this.turns = turns.filter(({ failure }) => failure !== null && (!isLive || failure.noticeKey !== null))
  }

  /** The one that holds the message at this place of the whole session. */
  at(offset: number): Turn | null {
    let low = 0
    let high = this.turns.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.turns[middle]?.firstOffset ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    const turn = this.turns[low - 1]
    return turn !== undefined && offset < turn.firstOffset + turn.messageCount ? turn : null
  }
}
