import type { SessionProgram } from 'gemini-sessions'
import './search.css'
import type { SearchHit, SearchResult } from '@gemini-dash/api'
import { foldHits, type HitLine } from '@gemini-dash/api/fold-hits'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { plainSnippet, snippetPieces, voiceOf } from '../../content/hits.ts'
import { KindBadge } from '../../content/session-badges.tsx'
import { formatClock, formatDate } from '../../lib/dates.ts'
import { formatCount } from '../../lib/figures.ts'
import { useNow } from '../../lib/list-hooks.ts'
import type { FindSearch } from '../../lib/page-searches.ts'
import { sessionSearch } from '../../lib/session-search.ts'
import { TimeText } from '../../ui/figures.tsx'
import { Badge } from '../../ui/icons.tsx'

/** Fields that a conversation draws as Markdown. */
const PROSE = new Set<SearchHit['field']>(['answer', 'thought'])

/** Lines shown per session; the rest on request. */
const SHOWN_AT_FIRST = 4

type Props = { group: HitGroup; session: SearchResult['sessions'][string] | undefined; search: FindSearch }

/** One session with its hits. */
export function ResultGroup({ group, session, search }: Props) {
  const [showsAll, setShowsAll] = useState(false)
  const { sessionKey, hits } = group
  const now = useNow()
  // a hit in the title is shown by the heading
  const named = hits.find(({ field }) => field === 'title')
  const lines = foldHits(hits.filter((hit) => hit !== named))
  const shown = showsAll ? lines : lines.slice(0, SHOWN_AT_FIRST)
  const shownHits = shown.reduce((sum, { alike }) => sum + 1 + alike.length, named === undefined ? 0 : 1)
  const total = Math.max(session?.hits ?? 0, hits.length)
  const title = session?.title || sessionKey
  return (
    <article className="result-group">
      <div className="result-group-head meta">
        <h2>
          <Link to="/s/$key" params={{ key: sessionKey }} search={sessionSearch(search)} dir="auto">
            {named?.snippet === title ? <Marked {...named} /> : title}
          </Link>
        </h2>
        {session && (
          <>
            <KindBadge kind={session.kind} parentKey={null} />
            <span dir="auto">{session.project.name}</span>
            {session.startTime !== null && (
              <TimeText time={session.startTime}>{formatDate(session.startTime, now)}</TimeText>
            )}
          </>
        )}
      </div>
      {shown.map((line) => (
        <FoldedHits key={hitName(line.hit)} line={line} search={search} program={session?.source} />
      ))}
      {shownHits < total && (
        <p className="more-hits">
          {shown.length < lines.length ? (
            <button type="button" className="link" onClick={() => setShowsAll(true)}>
              {formatCount(total - shownHits)} more in this session
            </button>
          ) : (
            <Link to="/s/$key" params={{ key: sessionKey }} search={sessionSearch(search)} className="link">
              {formatCount(total - shownHits)} more in this session
            </Link>
          )}
        </p>
      )}
    </article>
  )
}

interface Shared {
  search: FindSearch
  program: SessionProgram | undefined
}

/** A hit, and those with the same text on request. */
function FoldedHits({ line: { hit, alike }, ...shared }: Shared & { line: HitLine<SearchHit> }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <HitRow hit={hit} {...shared} />
      {isOpen && alike.map((other) => <HitRow key={hitName(other)} hit={other} {...shared} />)}
      {!isOpen && alike.length > 0 && (
        <p className="more-hits">
          <button type="button" className="link" onClick={() => setIsOpen(true)}>
            {formatCount(alike.length)} more like this
          </button>
        </p>
      )}
    </>
  )
}

function hitName({ messageKey, field }: SearchHit): string {
  return `${messageKey} ${field}`
}

/** One hit: speaker, surrounding text and time, linked to the message. */
function HitRow({ hit, search, program }: Shared & { hit: SearchHit }) {
  const voice = voiceOf(hit, program)
  const { snippet, ranges } = PROSE.has(hit.field) ? plainSnippet(hit.snippet, hit.ranges) : hit
  return (
    <Link
      to="/s/$key"
      params={{ key: hit.sessionKey }}
      search={sessionSearch(search, hit)}
      hash={hit.messageKey === null ? undefined : `m-${hit.messageKey}`}
      className={`hit ${voice.ink}`}
    >
      <span className="hit-voice one-line" title={hit.toolName ?? undefined}>
        {voice.label}
      </span>
      <span className="hit-snippet" dir="auto">
        {hit.superseded && (
          <Badge title="This message is not in the final conversation">rewound or compressed</Badge>
        )}
        <Marked {...{ snippet, ranges }} />
      </span>
      {hit.timestamp !== null && <TimeText time={hit.timestamp}>{formatClock(hit.timestamp)}</TimeText>}
    </Link>
  )
}

/** A text with its matches highlighted. */
function Marked({ snippet, ranges }: Pick<SearchHit, 'snippet' | 'ranges'>) {
  return snippetPieces(snippet, ranges).map((piece) =>
    piece.isHit ? <mark key={piece.start}>{piece.text}</mark> : piece.text,
  )
}

type HitGroup = { sessionKey: string; hits: SearchHit[] }

/** Hits by session; sessions and hits in the order received. */
export function groupHits(hits: SearchHit[]): HitGroup[] {
  const groups = new Map<string, HitGroup>()
  for (const hit of hits) {
    const group = groups.get(hit.sessionKey)
    if (group) group.hits.push(hit)
    else groups.set(hit.sessionKey, { sessionKey: hit.sessionKey, hits: [hit] })
  }
  return [...groups.values()]
}
