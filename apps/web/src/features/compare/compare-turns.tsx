import type { Comparison } from '@gemini-dash/api'
import { useState } from 'react'
import { formatPlural } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ComparedTurn } from './compared-turn.tsx'

/** So many are drawn at first: a session may have thousands. */
const FIRST_PAIRS = 100

/** The turns of both in one order: those that asked alike stand side by side. */
export function CompareTurns({ comparison: { a, b, turns } }: { comparison: Comparison }) {
  const [isAll, setIsAll] = useState(false)
  const shown = isAll ? turns : turns.slice(0, FIRST_PAIRS)
  const alike = turns.filter((pair) => pair.a !== null && pair.b !== null).length
  return (
    <section className="panel" aria-label="Turns">
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
