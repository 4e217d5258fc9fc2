import './not-held.css'
import { Link } from '@tanstack/react-router'
import type { Cut, SessionSummary } from 'gemini-sessions'
import { Hourglass } from 'lucide-react'
import { formatDate, formatDateTime, formatSize } from '../../lib/figures/format.ts'
import { describeDeletion } from '../../lib/session/describe-deletion.ts'
import { Badge } from '../../ui/signs/badge.tsx'

/** What a session is, where it is none of those that somebody talked in and that have a file. */
export function KindBadge({ kind }: Pick<SessionSummary, 'kind'>) {
  switch (kind) {
    case 'main':
      return null
    case 'subagent':
      return <Badge title="Started by a session">Sub-agent</Badge>
    case 'prompts-only':
      return <Badge title="Only the prompts are on disk">Prompts only</Badge>
    case 'checkpoint':
      return <Badge title="Saved by /chat save">Checkpoint</Badge>
  }
}

/** How a session ended, where it did not end well; pointed at it says why. */
export function OutcomeBadge({ outcome }: { outcome: SessionSummary['outcome'] }) {
  switch (outcome?.kind) {
    case 'stopped':
      return <Badge title={outcome.text}>Stopped</Badge>
    case 'error':
      return (
        <Badge tone="error" title={outcome.text}>
          Ended in an error
        </Badge>
      )
    case 'unanswered':
      return (
        <Badge tone="error" title={outcome.text}>
          No answer
        </Badge>
      )
    default:
      return null
  }
}

interface DeletionProps extends Pick<SessionSummary, 'deletedAfter'> {
  now: Date
  /** Before the time: `goes`. */
  verb: string
}

/** When Gemini CLI deletes a session by itself, if it does within a week; leads to why, and to what keeps it. */
export function DeletionBadge({ deletedAfter, now, verb }: DeletionProps) {
  const when = describeDeletion(deletedAfter, now)
  if (deletedAfter === null || when === null) return null
  const isDue = Date.parse(deletedAfter) <= now.getTime()
  const start = isDue ? 'when it next starts' : `when it starts after ${formatDate(deletedAfter, now)}`
  return (
    <Link to="/doctor" hash="retention" className="badge-link">
      <Badge
        tone="leaving"
        icon={Hourglass}
        title={`Gemini CLI deletes it ${start}. Why, and how to keep it`}
      >
        {`${verb} ${when}`}
      </Badge>
    </Link>
  )
}

/** Says that files of a session cannot be read just now, why, and how old what is shown is. Nothing where they can. */
export function UnreadMark({ unread }: Pick<SessionSummary, 'unread'>) {
  if (unread === undefined) return null
  const { asOf, code } = unread
  const known = asOf === null ? 'Nothing was known of it before.' : 'What was known of it before is shown.'
  return (
    <Badge
      tone="warning"
      title={`The system does not let us read it just now (${code}). ${known} It is tried again.`}
    >
      {asOf === null ? `Not read: ${code}` : `As of ${formatDateTime(asOf)}: ${code}`}
    </Badge>
  )
}

/** Says that not even the server holds all of something, and where it is. Nothing where it does. */
export function NotHeld({ of }: { of: readonly (Cut | undefined)[] }) {
  const cut = of.find((each) => each?.raw !== undefined)
  if (cut?.raw === undefined) return null
  return (
    <p className="not-held">
      Of {formatSize(cut.raw.sizeBytes)} only the first {formatSize(cut.sizeBytes)} can be shown.{' '}
      <a className="link" href={cut.raw.href} download>
        Save the raw record
      </a>
    </p>
  )
}
