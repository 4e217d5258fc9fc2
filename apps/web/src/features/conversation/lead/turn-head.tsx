import type { Turn } from 'gemini-sessions'
import { formatClock } from '../../../lib/format.ts'
import { TimeText } from '../../../ui/time-text.tsx'
import { TurnTally } from './turn-tally.tsx'

/** A turn opens: double rule, number, clock, tally. */
export function TurnHead({ turn }: { turn: Turn }) {
  const isVoid = turn.superseded !== null && turn.superseded !== 'compacted'
  return (
    <header className={isVoid ? 'turn-head void' : 'turn-head'}>
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
