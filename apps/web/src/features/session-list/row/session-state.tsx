import type { SessionSummary } from 'gemini-sessions'
import { KindBadge } from '../../../content/badges/kind-badge.tsx'
import { OutcomeBadge } from '../../../content/badges/outcome-badge.tsx'
import { UnreadMark } from '../../../content/badges/unread-mark.tsx'
import { formatPlural } from '../../../lib/figures/format.ts'
import { Badge } from '../../../ui/signs/badge.tsx'
import { isUnreadable } from './row-figures.ts'
import { unreadableReason } from './unreadable-reason.ts'

/** What is special about a session, in a word: unreadable, cut short, rewound to nothing, how many sub-agents. */
export function SessionState({ session, reason }: { session: SessionSummary; reason: string | undefined }) {
  if (isUnreadable(session)) {
    const text = unreadableReason(reason)
    return (
      <Badge tone="warning" title={text}>
        {text}
      </Badge>
    )
  }
  return (
    <>
      <UnreadMark unread={session.unread} />
      <OutcomeBadge outcome={session.outcome} />
      {session.buried && <Badge title="The CLI's final state is empty; the log is not">Rewound</Badge>}
      <KindBadge kind={session.kind} />
      {session.subagentKeys.length > 0 && (
        <Badge>{formatPlural(session.subagentKeys.length, 'sub-agent')}</Badge>
      )}
    </>
  )
}
