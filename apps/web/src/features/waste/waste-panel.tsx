import './waste.css'
import { toolLabel } from '@gemini-dash/api/tool-label'
import type { Cost, Waste, WasteFinding, WasteKind, WastePlace } from 'gemini-sessions'
import { useState } from 'react'
import {
  formatClock,
  formatCount,
  formatFineCost,
  formatPlural,
  formatTokens,
} from '../../lib/figures/format.ts'
import { useHeldFocus } from '../../lib/hooks/use-held-focus.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ToMessage } from '../../ui/controls/to-message.tsx'

const TITLES: Record<WasteKind, (tool: string) => string> = {
  'repeated-call': (tool) => `${tool}: same call, same result`,
  polled: (tool) => `${tool}: asked again until the answer changed`,
  'reread-file': () => 'File read again, unchanged',
  'failed-edit': (tool) => `${tool}: failed and tried again`,
  'failing-tool': (tool) => `${tool}: failed several times in a row`,
  'error-run': () => 'Errors, one after the other',
  'cut-output': (tool) => `${tool}: output cut, and asked for again`,
}

const FIRST_PLACES = 8

const FIRST_FINDINGS = 10

interface Props {
  sessionRef: string
  waste: Waste
}

/** Work that was done twice: what, how often, what it took, and where. */
export function WastePanel({ sessionRef, waste }: Props) {
  const [isAll, setIsAll] = useState(false)
  const around = useHeldFocus<HTMLElement>()
  const { findings } = waste
  const shown = isAll ? findings : findings.slice(0, FIRST_FINDINGS)
  return (
    <section className="panel waste" aria-labelledby="waste-title" ref={around}>
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

/** One thing that was done again, with the way to each time. */
function Finding({ sessionRef, finding }: { sessionRef: string; finding: WasteFinding }) {
  const [isAll, setIsAll] = useState(false)
  const around = useHeldFocus<HTMLOListElement>()
  const { kind, subject, places, tokens, cost, rounds } = finding
  const shown = isAll ? places : places.slice(0, FIRST_PLACES)
  return (
    <li className="waste-finding">
      <div className="waste-what">
        <b title={finding.tool || undefined}>{findingTitle(finding)}</b> <span>{findingCount(finding)}</span>
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
      <ol className="waste-places" ref={around}>
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

/** `, $0.012`; nothing where no price is known. */
function costText(cost: Cost): string {
  return cost.usd === null ? '' : `, ${formatFineCost(cost)}`
}

/** What a finding is called. */
function findingTitle({ kind, tool }: WasteFinding): string {
  return TITLES[kind](toolLabel(tool))
}

/** How often: `3 times`, `2 tries before it came through`. */
function findingCount({ kind, places }: WasteFinding): string {
  const times = formatPlural(places.length, 'time')
  const extra = places.filter(({ isExtra }) => isExtra).length
  switch (kind) {
    case 'failed-edit':
      return places.length > extra
        ? `${formatPlural(extra, 'try', 'tries')} before it came through`
        : `${formatPlural(extra, 'try', 'tries')}, none came through`
    case 'error-run':
      return `${times} before the model answered`
    case 'cut-output':
      return `${formatPlural(extra, 'call')} for the rest`
    default:
      return times
  }
}

/** What the place that had to be is called. */
function neededWord(kind: WasteKind): string {
  if (kind === 'failed-edit') return 'came through'
  return kind === 'cut-output' ? 'cut' : 'first'
}
