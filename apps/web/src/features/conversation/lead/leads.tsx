import './lead.css'
import type { Turn } from 'gemini-sessions'
import { useContext } from 'react'
import { ExplainButton } from '../../../content/explain/explain-button.tsx'
import { NeighbourContext } from '../../../content/neighbours/neighbour-context.ts'
import {
  dayOf,
  describeCost,
  formatClock,
  formatDay,
  formatDuration,
  formatFineCost,
  formatPlural,
  formatTokens,
} from '../../../lib/figures/format.ts'
import { isTurnTakenBack } from '../../../lib/session/is-taken-back.ts'
import { FailedCalls } from '../../../ui/controls/failed-calls.tsx'
import { TimeText } from '../../../ui/figures/time-text.tsx'
import type { Lead } from '../rows/row.ts'
import { CompressedSeam, PartSeam, ResumedSeam } from './seam.tsx'

/** What stands above a message: seams, pauses, the header of its turn. */
export function Leads({ lead }: { lead: Lead[] }) {
  return lead.map((item) => <LeadItem key={item.key} item={item} />)
}

function LeadItem({ item }: { item: Lead }) {
  switch (item.kind) {
    case 'compressed':
      return (
        <CompressedSeam
          inputBefore={item.inputBefore}
          inputAfter={item.inputAfter}
          part={item.part}
          file={item.file}
        />
      )
    case 'part':
      return <PartSeam part={item.part} reason={item.reason} file={item.file} />
    case 'resumed':
      return <ResumedSeam />
    case 'pause':
      return <PauseLine from={item.from} to={item.to} isNewDay={item.isNewDay} />
    case 'new':
      return <p className="pause-line new-line">New since you were here</p>
    case 'turn':
      return <TurnHead turn={item.turn} />
  }
}

/** Time that went by without a word, or a new day. */
function PauseLine({ from, to, isNewDay }: { from: string; to: string; isNewDay: boolean }) {
  const pauseMs = Date.parse(to) - Date.parse(from)
  const later = pauseMs >= 60_000 ? `${formatDuration(pauseMs)} later` : null
  const day = isNewDay ? formatDay(dayOf(new Date(to))) : null
  return <p className="pause-line">{[day, later].filter(Boolean).join(', ')}</p>
}

/** A turn opens: double rule, number, clock, tally. */
function TurnHead({ turn }: { turn: Turn }) {
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

/** What a turn took: calls, tools, time, tokens, cost. What is zero is left out. */
function TurnTally({ turn }: { turn: Turn }) {
  const { usage, cost, startTime, endTime } = turn
  const { sessionRef } = useContext(NeighbourContext)
  const durationMs = startTime !== null && endTime !== null ? Date.parse(endTime) - Date.parse(startTime) : 0
  return (
    <span className="turn-tally">
      {usage.calls > 0 && <span>{formatPlural(usage.calls, 'call')}</span>}
      {turn.toolCalls > 0 && <span>{formatPlural(turn.toolCalls, 'tool call')}</span>}
      <FailedCalls sessionRef={sessionRef} turn={turn} />
      {durationMs >= 100 && <span>{formatDuration(durationMs)}</span>}
      {usage.input > 0 && (
        <span>
          <ExplainButton of={{ kind: 'turn', number: turn.number, figure: 'input' }} name="tokens">
            {formatTokens(usage.input)} in
          </ExplainButton>
        </span>
      )}
      {usage.output > 0 && (
        <span>
          <ExplainButton of={{ kind: 'turn', number: turn.number, figure: 'output' }} name="tokens">
            {formatTokens(usage.output)} out
          </ExplainButton>
        </span>
      )}
      {cost.usd !== null && (
        <span className="turn-cost" title={describeCost(cost)}>
          <ExplainButton of={{ kind: 'turn', number: turn.number, figure: 'cost' }}>
            {formatFineCost(cost)}
          </ExplainButton>
        </span>
      )}
    </span>
  )
}
