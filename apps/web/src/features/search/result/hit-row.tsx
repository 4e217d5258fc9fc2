import './hit-row.css'
import type { SearchHit } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import type { FindSearch } from '../../../lib/address/find-search.ts'
import { sessionSearch } from '../../../lib/address/session-search.ts'
import { formatClock } from '../../../lib/figures/format.ts'
import { TimeText } from '../../../ui/figures/time-text.tsx'
import { Badge } from '../../../ui/signs/badge.tsx'
import { Icon } from '../../../ui/signs/icon.tsx'
import { plainSnippet } from './plain-snippet.ts'
import { voiceOf } from './search-voices.ts'
import { snippetPieces } from './snippet-pieces.ts'

/** What a conversation draws as Markdown. */
const PROSE = new Set<SearchHit['field']>(['answer', 'thought'])

/** One hit: who said it, the words around it, when; a link to the very message. */
export function HitRow({ hit, search }: { hit: SearchHit; search: FindSearch }) {
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
      <span className="hit-voice">{voice.label}</span>
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
