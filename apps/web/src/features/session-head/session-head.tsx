import './session-head.css'
import type { SessionDetail } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { useHasPrices } from '../../api/use-has-prices.ts'
import { OutcomeBadge } from '../../content/badges/outcome-badge.tsx'
import { ExplainButton } from '../../content/explain/explain-button.tsx'
import { useIsNarrow } from '../../lib/hooks/use-is-narrow.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { LinkCopyButton } from '../../ui/buttons/link-copy-button.tsx'
import { ZoneButton } from '../../ui/buttons/zone-button.tsx'
import { Figure } from '../../ui/figures/figure.tsx'
import { TokenText } from '../../ui/figures/token-text.tsx'
import { Badge } from '../../ui/signs/badge.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { LiveState } from './live-state.tsx'
import { sessionName } from './session-name.ts'
import { sessionSpan } from './session-span.ts'
import { type HeadFigure, toHeadFigures } from './to-head-figures.ts'

/** Its first eight characters are enough to find it; ids of another form have no such head. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/i

/** Title, times, models, parts, key, and beside them what can be done with it; below the totals. */
export function SessionHead({ detail, children }: { detail: SessionDetail; children: ReactNode }) {
  const { session, segments } = detail
  const parent = detail.related.find((related) => related.key === session.parentKey)
  return (
    <header className="session-head">
      <div className="session-title">
        <h1 dir="auto">{sessionName(session)}</h1>
        <LiveState detail={detail} />
        <OutcomeBadge outcome={session.outcome} />
        {session.kind === 'subagent' && <Badge>Sub-agent</Badge>}
        <span className="session-actions">
          <LinkCopyButton path={`/s/${session.key}`} />
          {children}
        </span>
      </div>
      <p className="session-facts">
        {session.startTime !== null && (
          <span>
            {sessionSpan(session.startTime, session.endTime)}{' '}
            <ZoneButton time={session.endTime ?? session.startTime} />
          </span>
        )}
        {session.startTime === null && <span>No time recorded</span>}
        {(session.models ?? []).map(({ name, calls }) => (
          <span key={name}>
            {name}, {calls === 1 ? '1 call' : `${calls} calls`}
          </span>
        ))}
        {segments.length > 1 && <span>{segments.length} parts</span>}
        <span className="mono" title={`Session id ${session.sessionId}`}>
          {UUID.test(session.sessionId) ? session.sessionId.slice(0, 8) : session.sessionId}
        </span>
        {session.parentKey !== null && (
          <Link to="/s/$key" params={{ key: session.parentKey }} className="link">
            {parent ? `Started by “${parent.title}”` : 'Open the session that started it'}
          </Link>
        )}
        {session.sameRunKeys.map((key) => (
          <Link key={key} to="/s/$key" params={{ key }} className="link">
            {detail.related.find((related) => related.key === key)?.title ?? 'Another conversation'} (same
            run)
          </Link>
        ))}
      </p>
      <SessionFigures detail={detail} />
    </header>
  )
}

/** The totals of a session; on a phone the four that matter first. */
function SessionFigures({ detail }: { detail: SessionDetail }) {
  const isNarrow = useIsNarrow()
  const [isAll, setIsAll] = useState(false)
  const hasPrices = useHasPrices()
  const figures = toHeadFigures(detail, hasPrices)
  const shown = isNarrow && !isAll ? figures.filter((figure) => figure.isMain) : figures
  const rest = figures.length - shown.length
  return (
    <>
      <dl className="figures">
        {shown.map(({ label, notes, title, value, tokens, explains }) => (
          <Figure key={label} label={label} note={notes.length > 0 && <Notes notes={notes} />} title={title}>
            {explains === undefined ? (
              value
            ) : (
              <ExplainButton of={{ kind: 'session', figure: explains }}>
                {tokens === undefined ? value : <TokenText tokens={tokens} />}
              </ExplainButton>
            )}
          </Figure>
        ))}
      </dl>
      {rest > 0 && (
        <Button look="quiet" aria-expanded={false} onClick={() => setIsAll(true)}>
          <Icon of={ChevronRight} small />
          {rest} more figures
        </Button>
      )}
    </>
  )
}

function Notes({ notes }: Pick<HeadFigure, 'notes'>) {
  return notes.map(({ text, isBad }, index) => (
    <Fragment key={text}>
      {index > 0 && ', '}
      {isBad ? <span className="tone-error">{text}</span> : text}
    </Fragment>
  ))
}
