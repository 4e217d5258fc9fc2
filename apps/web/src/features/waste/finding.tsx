import type { WasteFinding, WastePlace } from 'gemini-sessions'
import { useState } from 'react'
import { formatClock, formatCount, formatPlural, formatTokens } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ToMessage } from '../../ui/controls/to-message.tsx'
import { costText } from './cost-text.ts'
import { findingCount, findingTitle, neededWord } from './waste-words.ts'

const FIRST_PLACES = 8

/** One thing that was done again, with the way to each time. */
export function Finding({ sessionRef, finding }: { sessionRef: string; finding: WasteFinding }) {
  const [isAll, setIsAll] = useState(false)
  const { kind, subject, places, tokens, cost, rounds } = finding
  const shown = isAll ? places : places.slice(0, FIRST_PLACES)
  return (
    <li className="waste-finding">
      <div className="waste-what">
        <b>{findingTitle(finding)}</b> <span>{findingCount(finding)}</span>
        {subject !== '' && (
          <bdi className={kind === 'error-run' ? 'waste-subject' : 'waste-subject mono'} title={subject}>
            {subject}
          </bdi>
        )}
      </div>
      <p className="waste-took">
        {tokens > 0 && (
          <span>
            <b>≈ {formatTokens(tokens)}</b> tokens{costText(cost)}
          </span>
        )}
        {rounds.calls > 0 && (
          <span>
            {formatPlural(rounds.calls, 'model call')} for it: <b>{formatTokens(rounds.tokens)}</b> tokens
            {costText(rounds.cost)}
          </span>
        )}
      </p>
      <ol className="waste-places">
        {shown.map((place) => (
          <li key={`${place.messageKey} ${place.call}`}>
            <ToMessage sessionRef={sessionRef} messageKey={place.messageKey} call={place.call}>
              {placeWord(place)}
            </ToMessage>
            {!place.isExtra && kind !== 'error-run' && <span> {neededWord(kind)}</span>}
          </li>
        ))}
        {shown.length < places.length && (
          <li>
            <Button look="quiet" size="tiny" onClick={() => setIsAll(true)}>
              {formatCount(places.length - shown.length)} more
            </Button>
          </li>
        )}
      </ol>
    </li>
  )
}

function placeWord({ turn, timestamp }: WastePlace): string {
  const clock = timestamp === null ? '' : ` at ${formatClock(timestamp, 'seconds')}`
  return `turn ${turn}${clock}`
}
