import './place-bar.css'
import type { SessionMap } from '@gemini-dash/api'
import type { Turn } from 'gemini-sessions'
import type { ReactNode } from 'react'
import { classNames } from '../../lib/browser/class-names.ts'
import { formatFineCost, formatTokens } from '../../lib/figures/format.ts'
import { FailedCalls } from '../../ui/controls/failed-calls.tsx'

interface Props {
  sessionRef: string
  /** The turn that is being read. */
  turn: Turn | undefined
  map: SessionMap | undefined
  /** Offset of the message at the top of the window. */
  place: number
  onJump: (messageKey: string, offset: number) => void
  /** What opens the outline on a phone. */
  children: ReactNode
  /** Ways on to other messages. */
  steps: ReactNode
}

/** Stays under the top bar: which turn this is, and how far into it. */
export function PlaceBar({ sessionRef, turn, map, place, onJump, children, steps }: Props) {
  const done = turn === undefined || map === undefined ? 0 : countCalls(map, turn.firstOffset, place)
  // while the turn's own header is in sight there is nothing to repeat
  const isStuck = turn !== undefined && turn.number > 0 && place > turn.firstOffset
  return (
    <div className={classNames('place-bar', isStuck && 'stuck')}>
      {children}
      {isStuck && (
        <>
          <b>{turn.number}</b>
          <button
            type="button"
            className="place-prompt"
            dir="auto"
            title="Go to the prompt"
            onClick={() => onJump(turn.messageKey, turn.firstOffset)}
          >
            {turn.prompt.trim().split('\n', 1)[0] || 'No text'}
          </button>
          <span className="place-facts">
            {turn.usage.calls > 1 && done > 0 && (
              <span>
                call {done} of {turn.usage.calls}
              </span>
            )}
            <FailedCalls sessionRef={sessionRef} turn={turn} />
            {turn.usage.total > 0 && <span>{formatTokens(turn.usage.total)} tokens</span>}
            {turn.cost.usd !== null && <span className="place-cost">{formatFineCost(turn.cost)}</span>}
          </span>
        </>
      )}
      <span className={classNames('place-steps', !isStuck && 'narrow-only')}>{steps}</span>
    </div>
  )
}

/** Calls of a model from one message to another, the last one included. */
function countCalls({ voices, marks }: SessionMap, from: number, to: number): number {
  let calls = 0
  for (let offset = from; offset <= to; offset += 1)
    if ('act'.includes(voices[offset] ?? '-') && Number(marks[offset]) < 4) calls += 1
  return calls
}
