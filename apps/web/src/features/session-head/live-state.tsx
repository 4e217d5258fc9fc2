import './live-state.css'
import type { SessionDetail } from '@gemini-dash/api'
import { Bell, BellOff, BellRing } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { watchedSessions } from '../../api/live/live-events.ts'
import { formatAgo } from '../../lib/figures/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { TimeText } from '../../ui/figures/time-text.tsx'
import { LiveWord } from '../../ui/signs/live-word.tsx'
import { describeActivity } from './describe-activity.ts'
import { findRunEnd } from './find-run-end.ts'
import { sessionName } from './session-name.ts'

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

function notify(title: string, body: string, tag: string) {
  try {
    const notification = new Notification(title, { body, tag })
    notification.onclick = () => {
      window.focus()
      notification.close()
    }
  } catch {
    // Browsers of phones offer it, and refuse it to a page.
  }
}

interface RunEndNotice {
  /** blocked: the browser was told never to show notifications of this page. */
  state: 'unsupported' | 'off' | 'on' | 'blocked'
  toggle: () => void
}

/** A notification of the browser when the run ends or fails while its tab is hidden. Off until the reader asks for it. */
function useRunEndNotice({ session, activity }: SessionDetail): RunEndNotice {
  const [isOn, setIsOn] = useState(false)
  const [isBlocked, setIsBlocked] = useState(false)
  const run = useRef({ state: activity.state, ended: session.ended })

  useEffect(() => (isOn ? watchedSessions.watch(session.key) : undefined), [isOn, session.key])

  useEffect(() => {
    const now = { state: activity.state, ended: session.ended }
    const sentence = findRunEnd(run.current, now)
    run.current = now
    if (sentence === null || !isOn || !document.hidden) return
    notify(sessionName(session), sentence, session.key)
  }, [activity.state, session, isOn])

  async function turnOn() {
    const permission = await Notification.requestPermission()
    setIsOn(permission === 'granted')
    setIsBlocked(permission === 'denied')
  }

  if (!('Notification' in window)) return { state: 'unsupported', toggle: () => undefined }
  const state = isBlocked ? 'blocked' : isOn ? 'on' : 'off'
  return { state, toggle: () => (isOn ? setIsOn(false) : void turnOn()) }
}
