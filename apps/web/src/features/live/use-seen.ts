import type { SessionSummary } from 'gemini-sessions'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { tellSeen } from '../../api/marks.ts'
import { connection } from '../../api/request/connection.ts'

/** A look that is shorter saw nothing. */
const LOOK_MS = 1_000

interface Seen {
  sessionKey: string
  /** ISO time of the newest message at the last visit; null: there was none. */
  until: string | null
}

/**
 * Remembers until when a session was seen: once it has been looked at for a moment, and when the reader leaves it or its tab.
 * Gives until when it had been seen before, so that what came since can be told apart.
 *
 * @param isShown all of it is here, and it can still be read from disk
 */
export function useSeen({ key, endTime, mark }: SessionSummary, isShown: boolean): string | null {
  const [before, setBefore] = useState<Seen | null>(null)
  if (isShown && before?.sessionKey !== key) setBefore({ sessionKey: key, until: mark?.seen ?? null })
  const latest = useRef({ endTime, seen: mark?.seen })
  useLayoutEffect(() => {
    latest.current = { endTime, seen: mark?.seen }
  })

  useEffect(() => {
    if (!isShown) return undefined
    let wasLookedAt = false
    let leftAt: string | null = null
    const tell = () => {
      const { endTime: newest, seen } = latest.current
      if (!wasLookedAt || newest === null || connection.get() !== 'connected') return
      const until = new Date(newest).toISOString()
      if (until !== seen && until !== leftAt) tellSeen(key, until)
      leftAt = until
    }
    const turn = () => {
      if (document.hidden) tell()
      // what came while the tab was hidden was not seen
      else if (leftAt !== null) setBefore({ sessionKey: key, until: leftAt })
    }
    const look = () => {
      wasLookedAt = !document.hidden
      tell()
    }
    const timer = window.setTimeout(look, LOOK_MS)
    document.addEventListener('visibilitychange', turn)
    window.addEventListener('pagehide', tell)
    return () => {
      window.clearTimeout(timer)
      document.removeEventListener('visibilitychange', turn)
      window.removeEventListener('pagehide', tell)
      if (!document.hidden) tell()
    }
  }, [key, isShown])
  return before?.sessionKey === key ? before.until : null
}
