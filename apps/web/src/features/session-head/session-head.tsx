import './session-head.css'
import type { SessionDetail } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { OutcomeBadge } from '../../content/badges/outcome-badge.tsx'
import { LinkCopyButton } from '../../ui/buttons/link-copy-button.tsx'
import { ZoneButton } from '../../ui/buttons/zone-button.tsx'
import { Badge } from '../../ui/signs/badge.tsx'
import { LiveState } from './live-state.tsx'
import { SessionFigures } from './session-figures.tsx'
import { sessionName } from './session-name.ts'
import { sessionSpan } from './session-span.ts'

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
