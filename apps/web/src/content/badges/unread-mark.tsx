import type { SessionSummary } from 'gemini-sessions'
import { formatDateTime } from '../../lib/figures/format.ts'
import { Badge } from '../../ui/signs/badge.tsx'

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
