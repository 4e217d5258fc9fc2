import './waste.css'
import type { Waste } from 'gemini-sessions'
import { useState } from 'react'
import { formatCount, formatPlural, formatTokens } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { costText } from './cost-text.ts'
import { Finding } from './finding.tsx'

const FIRST_FINDINGS = 10

interface Props {
  sessionRef: string
  waste: Waste
}

/** Work that was done twice: what, how often, what it took, and where. */
export function WastePanel({ sessionRef, waste }: Props) {
  const [isAll, setIsAll] = useState(false)
  const { findings } = waste
  const shown = isAll ? findings : findings.slice(0, FIRST_FINDINGS)
  return (
    <section className="panel waste" aria-labelledby="waste-title">
      <header className="panel-head">
        <h2 id="waste-title">Done twice</h2>
        <p>{findings.length > 0 && wasteSentence(waste)}</p>
      </header>
      {findings.length === 0 ? (
        <p className="panel-body dim">
          Nothing found: no call was made twice for the same result, no file read again unchanged, no edit had
          to be tried again.
        </p>
      ) : (
        <ol className="waste-list">
          {shown.map((finding) => (
            <Finding
              key={`${finding.kind} ${finding.places[0]?.messageKey} ${finding.places[0]?.call} ${finding.subject}`}
              sessionRef={sessionRef}
              finding={finding}
            />
          ))}
        </ol>
      )}
      {shown.length < findings.length && (
        <Button look="quiet" size="tiny" className="waste-more" onClick={() => setIsAll(true)}>
          {formatCount(findings.length - shown.length)} more
        </Button>
      )}
    </section>
  )
}

function wasteSentence({ findings, tokens, cost, rounds }: Waste): string {
  const found = formatPlural(findings.length, 'finding')
  const context = `about ${formatTokens(tokens)} tokens of context${costText(cost)}`
  if (rounds.calls === 0) return `${found}: ${context}.`
  const calls = `${formatPlural(rounds.calls, 'model call')} that asked for nothing else: ${formatTokens(rounds.tokens)} tokens${costText(rounds.cost)}, as recorded`
  return `${found}: ${context}, and ${calls}.`
}
