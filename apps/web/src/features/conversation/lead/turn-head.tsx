import type { Turn } from 'gemini-sessions'
import { formatClock } from '../../../lib/figures/format.ts'
import { isTurnTakenBack } from '../../../lib/session/is-taken-back.ts'
import { TimeText } from '../../../ui/figures/time-text.tsx'
import { TurnTally } from './turn-tally.tsx'

/** A turn opens: double rule, number, clock, tally. */
export function TurnHead({ turn }: { turn: Turn }) {
  return (
    <header className={isTurnTakenBack(turn) ? 'turn-head taken-back' : 'turn-head'}>
      <h2>
        <span className="visually-hidden">Turn </span>
        {turn.number}
      </h2>
      {turn.startTime !== null && (
        <TimeText time={turn.startTime}>{formatClock(turn.startTime, 'seconds')}</TimeText>
      )}
      <TurnTally turn={turn} />
    </header>
  )
}
