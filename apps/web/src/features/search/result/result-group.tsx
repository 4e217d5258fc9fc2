import './result-group.css'
import './hit-row.css'
import type { SearchHit, SearchResult } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { KindBadge } from '../../../content/badges/session-badges.tsx'
import type { FindSearch } from '../../../lib/address/find-search.ts'
import { sessionSearch } from '../../../lib/address/session-search.ts'
import { formatClock, formatCount, formatDateTime, formatPlural } from '../../../lib/figures/format.ts'
import { TimeText } from '../../../ui/figures/time-text.tsx'
import { Badge } from '../../../ui/signs/badge.tsx'
import { Icon } from '../../../ui/signs/icon.tsx'
import type { HitGroup } from './group-hits.ts'
import { plainSnippet, snippetPieces } from './plain-snippet.ts'
import { voiceOf } from './search-voices.ts'

/** What a conversation draws as Markdown. */
const PROSE = new Set<SearchHit['field']>(['answer', 'thought'])

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
            <KindBadge kind={session.kind} parentKey={null} />
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

/** One hit: who said it, the words around it, when; a link to the very message. */
function HitRow({ hit, search }: { hit: SearchHit; search: FindSearch }) {
  const voice = voiceOf(hit)
  const { snippet, ranges } = PROSE.has(hit.field) ? plainSnippet(hit.snippet, hit.ranges) : hit
  return (
    <Link
      to="/s/$key"
      params={{ key: hit.sessionKey }}
      search={sessionSearch(search, hit)}
      hash={hit.messageKey === null ? undefined : `m-${hit.messageKey}`}
      className={`hit ${voice.ink}`}
    >
      <Icon of={voice.icon} />
      <span className="hit-voice" title={hit.toolName ?? undefined}>
        {voice.label}
      </span>
      <span className="hit-snippet" dir="auto">
        {hit.superseded && <Badge title="This message is not in the CLI's final state">superseded</Badge>}
        {snippetPieces(snippet, ranges).map((piece) =>
          piece.isHit ? <mark key={piece.start}>{piece.text}</mark> : piece.text,
        )}
      </span>
      {hit.timestamp !== null && (
        <TimeText time={hit.timestamp}>{formatClock(hit.timestamp, 'seconds')}</TimeText>
      )}
    </Link>
  )
}
