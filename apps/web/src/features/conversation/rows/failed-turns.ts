import type { Turn } from 'gemini-sessions'
import { firstOffsetOf } from './offset-at.ts'
import type { Ending, Row } from './row.ts'

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

  /** The last message of such a turn says why; nothing does while more of the turn is on its way. */
  close(rows: readonly Row[]): void {
    let open: { turn: Turn; row: Row } | null = null
    const close = () => {
      if (open?.row.kind === 'message') open.row.ending = endingOf(open.turn)
    }
    for (const row of rows) {
      const turn = this.at(firstOffsetOf(row))
      if (open !== null && open.turn !== turn) {
        close()
        open = null
      }
      if (row.kind === 'message' && turn !== null) open = { turn, row }
      else if (row.kind === 'unloaded') open = null
    }
    close()
  }
}

function endingOf({ failure, messageKey }: Turn): Ending | null {
  return failure && { text: failure.text, recordKey: failure.noticeKey ?? messageKey }
}
