import './result-group.css'
import type { SearchResult } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { KindBadge } from '../../../content/badges/kind-badge.tsx'
import type { FindSearch } from '../../../lib/address/find-search.ts'
import { sessionSearch } from '../../../lib/address/session-search.ts'
import { formatCount, formatDateTime, formatPlural } from '../../../lib/figures/format.ts'
import { TimeText } from '../../../ui/figures/time-text.tsx'
import type { HitGroup } from './group-hits.ts'
import { HitRow } from './hit-row.tsx'

/** A session shows its first hits; the others on request. */
const SHOWN_AT_FIRST = 4

type Props = { group: HitGroup; session: SearchResult['sessions'][string] | undefined; search: FindSearch }

/** One session with what was found in it. */
export function ResultGroup({ group, session, search }: Props) {
  const [showsAll, setShowsAll] = useState(false)
  const { sessionKey, hits } = group
  const shown = showsAll ? hits : hits.slice(0, SHOWN_AT_FIRST)
  const total = Math.max(session?.hits ?? 0, hits.length)
  const title = session?.title || sessionKey
  return (
    <article className="result-group">
      <div className="result-group-head">
        <h2>
          <Link to="/s/$key" params={{ key: sessionKey }} search={sessionSearch(search)} dir="auto">
            {title}
          </Link>
        </h2>
        {session && (
          <>
            <KindBadge kind={session.kind} />
            <span dir="auto">{session.project.name}</span>
            {session.startTime !== null && (
              <TimeText time={session.startTime}>{formatDateTime(session.startTime)}</TimeText>
            )}
            <span className="wide-only">{session.models?.map((model) => model.name).join(', ')}</span>
          </>
        )}
        <span className="hit-count tabular">{formatPlural(total, 'hit')}</span>
      </div>
      {shown.map((hit) => (
        <HitRow key={`${hit.messageKey} ${hit.field} ${hit.snippet}`} hit={hit} search={search} />
      ))}
      {shown.length < total && (
        <p className="more-hits">
          {shown.length < hits.length ? (
            <button type="button" className="link" onClick={() => setShowsAll(true)}>
              {formatCount(total - shown.length)} more in this session
            </button>
          ) : (
            <Link to="/s/$key" params={{ key: sessionKey }} search={sessionSearch(search)} className="link">
              {formatCount(total - shown.length)} more in this session
            </Link>
          )}
        </p>
      )}
    </article>
  )
}
