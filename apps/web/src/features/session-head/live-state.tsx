import './live-state.css'
import type { SessionDetail } from '@gemini-dash/api'
import { Bell, BellOff, BellRing } from 'lucide-react'
import { formatAgo } from '../../lib/figures/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { TimeText } from '../../ui/figures/time-text.tsx'
import { LiveWord } from '../../ui/signs/live-word.tsx'
import { describeActivity } from './describe-activity.ts'
import { useRunEndNotice } from './use-run-end-notice.ts'

const AGE_MS = 10_000

/** Whether the session is being written, what it waits for, and a bell for its end. Nothing for one of the past. */
export function LiveState({ detail }: { detail: SessionDetail }) {
  const { session, activity } = detail
  const now = useNow(AGE_MS)
  const notice = useRunEndNotice(detail)
  const described = describeActivity(session, activity, now)
  if (!session.live && described === null) return null
  return (
    <span className="live-state">
      {session.live && <LiveWord />}
      {described !== null && <span title={described.why}>{described.words},</span>}
      {activity.since !== null && (
        <span>
          last record <TimeText time={activity.since}>{formatAgo(activity.since, now)}</TimeText>
        </span>
      )}
      {notice.state !== 'unsupported' && (
        <IconButton
          icon={notice.state === 'on' ? BellRing : notice.state === 'blocked' ? BellOff : Bell}
          label="Notify me when this run ends"
          aria-pressed={notice.state === 'on'}
          onClick={notice.toggle}
        />
      )}
      {notice.state === 'blocked' && (
        <span className="live-notice" role="status">
          Your browser blocks notifications of this page.
        </span>
      )}
    </span>
  )
}
