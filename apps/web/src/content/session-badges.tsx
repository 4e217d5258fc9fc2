import './content.css'
import { dueWords } from '@gemini-dash/api/due-words'
import { VERDICT_WORDS } from '@gemini-dash/api/verdict-words'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Cut, SessionSummary, VerdictKind } from 'gemini-sessions'
import { Hourglass } from 'lucide-react'
import { healthQuery, useHomes } from '../api/queries.ts'
import { formatDate, formatDateTime } from '../lib/dates.ts'
import { formatPlural, formatSize } from '../lib/figures.ts'
import { usePaper } from '../lib/paper.ts'
import { describeDeletion } from '../lib/session-words.ts'
import { Badge } from '../ui/icons.tsx'

const KINDS = {
  subagent: { word: 'Sub-agent', title: 'Started by a session' },
  'prompts-only': { word: 'Prompts only', title: 'Only the prompts are on disk; more of these' },
  checkpoint: { word: 'Saved chat', title: 'Saved by /chat save; more of these' },
}

/** The kind of a session that is not a conversation with a file. Links to its parent, else to sessions of the same kind. */
export function KindBadge({ kind, parentKey }: Pick<SessionSummary, 'kind'> & { parentKey: string | null }) {
  if (kind === 'main') return null
  const { word, title } = KINDS[kind]
  if (parentKey !== null) {
    return (
      <Link to="/s/$key" params={{ key: parentKey }} className="badge-link">
        <Badge title={`${title}: open it`}>{word}</Badge>
      </Link>
    )
  }
  return (
    <Link to="/" search={{ kind }} className="badge-link">
      <Badge title={title}>{word}</Badge>
    </Link>
  )
}

/** Number of sub-agents started; links to the only one, or to a list. */
export function SubagentsBadge({ session: { key, subagentKeys } }: { session: SessionSummary }) {
  const [first, second] = subagentKeys
  if (first === undefined) return null
  const badge = <Badge>{formatPlural(subagentKeys.length, 'sub-agent')}</Badge>
  return second === undefined ? (
    <Link to="/s/$key" params={{ key: first }} className="badge-link">
      {badge}
    </Link>
  ) : (
    <Link to="/" search={{ kind: 'subagent', parent: key }} className="badge-link">
      {badge}
    </Link>
  )
}

const TONES: Partial<Record<VerdictKind, 'plain' | 'error' | 'warning'>> = {
  damaged: 'warning',
  apiError: 'error',
  noReply: 'warning',
  declined: 'plain',
  stopped: 'plain',
  midAnswer: 'plain',
  stillFailing: 'error',
  neverRerun: 'warning',
}

/** How a session ended, unless it ended well; the tooltip says why, and the badge links there. */
export function VerdictBadge({ session: { key, verdict } }: { session: SessionSummary }) {
  const tone = verdict === null ? undefined : TONES[verdict.kind]
  const word = verdict && VERDICT_WORDS[verdict.kind]
  if (verdict === null || tone === undefined || word === null) return null
  const { messageKey, text } = verdict
  return (
    <Link
      to="/s/$key"
      params={{ key }}
      hash={messageKey === null ? undefined : `m-${messageKey}`}
      className="badge-link"
    >
      <Badge tone={tone} title={text}>
        {word}
      </Badge>
    </Link>
  )
}

interface DeletionProps {
  session: Pick<SessionSummary, 'deletedAfter' | 'empty'>
  now: Date
  /** Before the time: `goes`. */
  verb: string
}

/** When Gemini CLI will delete a session, if within a week; links to the reason and remedy. Nothing for an empty session. */
export function DeletionBadge({ session: { deletedAfter, empty }, now, verb }: DeletionProps) {
  const { data: health } = useQuery(healthQuery())
  const when = describeDeletion(deletedAfter, now)
  if (deletedAfter === null || when === null || empty) return null
  const { before, after } = dueWords(health?.cli.byRules ?? null)
  const isDue = Date.parse(deletedAfter) <= now.getTime()
  const start = isDue ? 'on its next start' : `on its first start after ${formatDate(deletedAfter, now)}`
  return (
    <Link to="/doctor" hash="retention" className="badge-link">
      <Badge
        tone="caution"
        icon={Hourglass}
        title={`${before}this session${after} ${start}. Why, and how to archive it`}
      >
        {`${verb} ${when}`}
      </Badge>
    </Link>
  )
}

/** Marks a session that grew since the reader last opened it; nothing if they never did. */
export function NewsMark({ endTime, mark }: Pick<SessionSummary, 'endTime' | 'mark'>) {
  const seen = mark?.seen ?? null
  if (seen === null || endTime === null || Date.parse(endTime) <= Date.parse(seen)) return null
  return (
    <span className="news-mark" title="Updated since your last visit">
      <span className="visually-hidden">New since you were here</span>
    </span>
  )
}

/** The Gemini folders of its files, if there are several; each links to the sessions of that folder. */
export function HomeBadges({ files }: Pick<SessionSummary, 'files'>) {
  const homes = useHomes().filter(({ path }) => files.some(({ home }) => home === path))
  return homes.map(({ path, label }) => (
    <Link key={path} to="/" search={{ home: label }} className="badge-link">
      <Badge title={`In the Gemini folder ${path}`}>{label}</Badge>
    </Link>
  ))
}

export function unreadWords({
  asOf,
  code,
}: NonNullable<SessionSummary['unread']>): Record<'word' | 'title', string> {
  const known = asOf === null ? 'No earlier version is known.' : 'The last known version is shown.'
  return {
    word: asOf === null ? `Not read: ${code}` : `As of ${formatDateTime(asOf)}: ${code}`,
    title: `A file of this session can’t be read right now (${code}). ${known} gemini-dash keeps trying.`,
  }
}

/** Shows that files of a session currently cannot be read, why, and the age of what is shown. Nothing if they can. */
export function UnreadMark({ unread }: Pick<SessionSummary, 'unread'>) {
  if (unread === undefined) return null
  const { word, title } = unreadWords(unread)
  return (
    <Link to="/doctor" hash="not-read" className="badge-link">
      <Badge tone="warning" title={title}>
        {word}
      </Badge>
    </Link>
  )
}

/** Shows that even the server does not have all of something, and where it is. Nothing if it does. */
export function NotHeld({ of }: { of: readonly (Cut | undefined)[] }) {
  const isOnPage = usePaper() === null
  const cut = of.find((each) => each?.raw !== undefined)
  if (cut?.raw === undefined) return null
  return (
    <p className="not-held meta">
      Of {formatSize(cut.raw.sizeBytes)} only the first {formatSize(cut.sizeBytes)} can be shown.
      {isOnPage && (
        <>
          {' '}
          <a className="link" href={cut.raw.href} download>
            Save the raw record
          </a>
        </>
      )}
    </p>
  )
}
