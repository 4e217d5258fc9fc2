import './session-head.css'
import type { SessionDetail } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ShownDetail } from '../../api/session/opening.ts'
import { DeletionBadge, HomeBadges, KindBadge, SubagentsBadge } from '../../content/badges/session-badges.tsx'
import { MarkLine } from '../../content/marks/mark-line.tsx'
import { StarButton } from '../../content/marks/star-button.tsx'
import { OriginLink } from '../../content/neighbours/origin-link.tsx'
import { formatPlural } from '../../lib/figures/format.ts'
import { useIsNarrow } from '../../lib/hooks/use-is-narrow.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { LinkCopyButton } from '../../ui/buttons/link-copy-button.tsx'
import { ZoneButton } from '../../ui/buttons/zone-button.tsx'
import { HeadFigures } from './head-figures.tsx'
import { LiveState } from './live-state.tsx'
import { sessionName } from './session-name.ts'
import { sessionSpan } from './session-span.ts'
import { Verdict } from './verdict.tsx'

/** Its first eight characters are enough to find it; ids of another form have no such head. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/i

/** More are counted; the bill names them all. */
const MOST_MODELS = 3

interface Props {
  sessionRef: string
  detail: ShownDetail
  /** What else can be done with the session. */
  actions: ReactNode
  viewSwitch: ReactNode
}

/** One line of title, one of how it ended, one of five figures. */
export function SessionHeadView({ sessionRef, detail, actions, viewSwitch }: Props) {
  const { session } = detail
  const isNarrow = useIsNarrow()
  const now = useNow()
  const name = sessionName(session)
  return (
    <header className="session-head">
      <div className="session-title">
        <StarButton session={session} name={name} />
        <h1 dir="auto" title={name}>
          {name}
        </h1>
        <span className="session-actions">
          {!isNarrow && <LinkCopyButton path={`/s/${session.key}`} />}
          {actions}
        </span>
        {viewSwitch}
      </div>
      <div className="session-verdict">
        <KindBadge {...session} />
        <LiveState detail={detail} />
        <Verdict sessionRef={sessionRef} session={session} figures={detail.figures} />
        <DeletionBadge session={session} now={now} verb="Gemini CLI deletes it" />
        <SubagentsBadge session={session} />
        <HomeBadges files={session.files} />
        <Parent detail={detail} />
        <SessionFacts detail={detail} where="roomy-only" />
      </div>
      <CopiedFrom detail={detail} />
      <MarkLine session={session} />
      <HeadFigures sessionRef={sessionRef} detail={detail}>
        <SessionFacts detail={detail} where="cramped-only" />
        <Family detail={detail} />
      </HeadFigures>
    </header>
  )
}

/** When it was, with which models, and its id. */
function SessionFacts({ detail: { session }, where }: { detail: SessionDetail; where: string }) {
  const models = session.models ?? []
  return (
    <p className={`session-facts ${where}`}>
      {session.startTime !== null && (
        <span>
          {sessionSpan(session.startTime, session.endTime)}{' '}
          <ZoneButton time={session.endTime ?? session.startTime} />
        </span>
      )}
      {session.startTime === null && <span>No date</span>}
      {models.slice(0, MOST_MODELS).map(({ name, calls }) => (
        <span key={name} className="session-fact">
          {name}, {calls === 1 ? '1 call' : `${calls} calls`}
        </span>
      ))}
      {models.length > MOST_MODELS && <span>{formatPlural(models.length - MOST_MODELS, 'more model')}</span>}
      <span className="session-fact mono" title={`Session id ${session.sessionId}`}>
        {UUID.test(session.sessionId) ? session.sessionId.slice(0, 8) : session.sessionId}
      </span>
    </p>
  )
}

function Parent({ detail: { session, related } }: { detail: SessionDetail }) {
  if (session.parentKey === null) return null
  const parent = related.find(({ key }) => key === session.parentKey)
  return (
    <Link to="/s/$key" params={{ key: session.parentKey }} className="link">
      {parent ? `Started by “${parent.title}”` : 'Open the session that started it'}
    </Link>
  )
}

/** Which session counts what this one repeats of it. */
function CopiedFrom({ detail: { session, related } }: { detail: SessionDetail }) {
  if (session.copiedFrom === null) return null
  const { sessionKey, requests } = session.copiedFrom
  return (
    <p className="session-facts">
      <span>
        Copied from <OriginLink {...{ sessionKey, related }} /> · {formatPlural(requests, 'request')} counted
        there
      </span>
    </p>
  )
}

/** The files it is made of, and other conversations of the same run of the CLI. */
function Family({ detail: { session, segments, related } }: { detail: SessionDetail }) {
  if (segments.length < 2 && session.sameRunKeys.length === 0) return null
  return (
    <p className="session-facts">
      {segments.length > 1 && <span>{segments.length} parts</span>}
      {session.sameRunKeys.map((key) => (
        <Link key={key} to="/s/$key" params={{ key }} className="link">
          {related.find((each) => each.key === key)?.title ?? 'Another conversation'} (same run)
        </Link>
      ))}
    </p>
  )
}
