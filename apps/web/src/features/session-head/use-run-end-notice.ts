import type { SessionDetail } from '@gemini-dash/api'
import { useEffect, useRef, useState } from 'react'
import { watchedSessions } from '../../api/live/watched-sessions.ts'
import { findRunEnd } from './find-run-end.ts'
import { sessionName } from './session-name.ts'

export interface RunEndNotice {
  /** blocked: the browser was told never to show notifications of this page. */
  state: 'unsupported' | 'off' | 'on' | 'blocked'
  toggle: () => void
}

/** A notification of the browser when the run ends or fails while its tab is hidden. Off until the reader asks for it. */
export function useRunEndNotice({ session, activity }: SessionDetail): RunEndNotice {
  const [isOn, setIsOn] = useState(false)
  const [isBlocked, setIsBlocked] = useState(false)
  const run = useRef({ state: activity.state, ended: session.ended })

  useEffect(() => (isOn ? watchedSessions.watch(session.key) : undefined), [isOn, session.key])

  useEffect(() => {
    const now = { state: activity.state, ended: session.ended }
    const sentence = findRunEnd(run.current, now)
    run.current = now
    if (sentence === null || !isOn || !document.hidden) return
    const notification = new Notification(sessionName(session), { body: sentence, tag: session.key })
    notification.onclick = () => {
      window.focus()
      notification.close()
    }
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
