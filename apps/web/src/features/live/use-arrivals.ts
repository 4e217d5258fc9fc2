import type { SessionDetail } from '@gemini-dash/api'
import { useCallback, useState } from 'react'

interface Counted {
  sessionKey: string
  messageTotal: number
  arrivals: number
}

/** Messages that were appended since the reader last saw the end of the session. A filter changes nothing about them. */
export function useArrivals({ session, messageTotal }: SessionDetail) {
  const [counted, setCounted] = useState<Counted>({ sessionKey: session.key, messageTotal, arrivals: 0 })
  if (counted.sessionKey !== session.key) {
    setCounted({ sessionKey: session.key, messageTotal, arrivals: 0 })
  } else if (counted.messageTotal !== messageTotal) {
    // only what is being written grows by messages that are new
    const grown = session.live ? messageTotal - counted.messageTotal : 0
    setCounted({ ...counted, messageTotal, arrivals: Math.max(counted.arrivals + grown, 0) })
  }
  const markSeen = useCallback(
    () => setCounted((current) => (current.arrivals === 0 ? current : { ...current, arrivals: 0 })),
    [],
  )
  return { arrivals: counted.arrivals, markSeen }
}
