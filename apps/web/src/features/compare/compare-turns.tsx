import type { Comparison } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import type { Turn } from 'gemini-sessions'
import { X } from 'lucide-react'
import { useState } from 'react'
import { SupersededWord } from '../../content/text/superseded-word.tsx'
import { classNames } from '../../lib/browser/class-names.ts'
import { formatFineCost, formatPlural, formatTokens } from '../../lib/figures/format.ts'
import { useHeldFocus } from '../../lib/hooks/use-held-focus.ts'
import { isTurnTakenBack } from '../../lib/session/is-taken-back.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { SideLabel } from './side-label.tsx'

/** So many are drawn at first: a session may have thousands. */
const FIRST_PAIRS = 100

/** The turns of both in one order: those that asked alike stand side by side. */
export function CompareTurns({ comparison: { a, b, turns } }: { comparison: Comparison }) {
  const [isAll, setIsAll] = useState(false)
  const around = useHeldFocus<HTMLElement>()
  const shown = isAll ? turns : turns.slice(0, FIRST_PAIRS)
  const alike = turns.filter((pair) => pair.a !== null && pair.b !== null).length
  return (
    <section className="panel" aria-label="Turns" ref={around}>
      <header className="panel-head">
        <h2>Turns</h2>
        <p>{alike === 0 ? 'no prompt asks for the same' : `${formatPlural(alike, 'turn')} asked alike`}</p>
      </header>
      <ol className="compare-turns">
        {shown.map((pair) => (
          <li key={`${pair.a?.messageKey} ${pair.b?.messageKey}`} className="compare-pair">
            <ComparedTurn side="a" sessionKey={a.session.key} turn={pair.a} />
            <ComparedTurn side="b" sessionKey={b.session.key} turn={pair.b} />
          </li>
        ))}
      </ol>
      {shown.length < turns.length && (
        <div className="panel-body">
          <Button look="quiet" onClick={() => setIsAll(true)}>
            Show all {formatPlural(turns.length, 'row')}
          </Button>
        </div>
      )}
    </section>
  )
}

interface Props {
  side: 'a' | 'b'
  sessionKey: string
  turn: Turn | null
}

/** A turn of one session, or the place where it has none that asks the same. */
function ComparedTurn({ side, sessionKey, turn }: Props) {
  if (turn === null)
    return (
      <div className="compare-cell missing">
        <SideLabel side={side} />
        <p className="dim">no such turn</p>
      </div>
    )
  return (
    <div className="compare-cell">
      <SideLabel side={side} />
      <div className={classNames('compare-turn', isTurnTakenBack(turn) && 'taken-back')}>
        <Link
          to="/s/$key"
          params={{ key: sessionKey }}
          hash={`m-${turn.messageKey}`}
          className="compare-prompt"
          title={turn.prompt}
          dir="auto"
        >
          <b>{turn.number}</b> {turn.prompt.trim().split('\n', 1)[0] || 'No text'}
        </Link>
        <p className="compare-facts">
          {turn.usage.calls > 0 && <span>{formatPlural(turn.usage.calls, 'call')}</span>}
          {turn.usage.total > 0 && <span>{formatTokens(turn.usage.total)} tokens</span>}
          {turn.toolCalls > 0 && <span>{formatPlural(turn.toolCalls, 'tool call')}</span>}
          {turn.toolErrors > 0 && (
            <ToFailure
              sessionKey={sessionKey}
              messageKey={turn.failedKey ?? turn.messageKey}
              words={`${turn.toolErrors} failed`}
            />
          )}
          {turn.failure !== null && (
            <ToFailure
              sessionKey={sessionKey}
              messageKey={turn.failure.noticeKey ?? turn.messageKey}
              words="request failed"
              title={turn.failure.text}
            />
          )}
          {turn.failure === null && turn.superseded !== null && <SupersededWord cause={turn.superseded} />}
          {turn.cost.usd !== null && <b>{formatFineCost(turn.cost)}</b>}
        </p>
      </div>
    </div>
  )
}

interface ToFailureProps {
  sessionKey: string
  messageKey: string
  words: string
  title?: string
}

/** What failed, as the way there. */
function ToFailure({ sessionKey, messageKey, words, title }: ToFailureProps) {
  return (
    <Link
      to="/s/$key"
      params={{ key: sessionKey }}
      hash={`m-${messageKey}`}
      className="failure-link"
      title={title}
    >
      <Icon of={X} small />
      {words}
    </Link>
  )
}
