import { useCallback, useRef, useState } from 'react'
import { stopInSight } from '../../features/conversation/list/stop-in-sight.ts'
import { messageAnchor } from '../../features/conversation/part/message-link.ts'
import type { Reading } from './use-reading.ts'

/** The bar that finds in the session: how often it was asked for, and its end, after which reading goes on where it led. */
export function useFind({ target, find }: Reading) {
  const [count, setCount] = useState(0)
  const opener = useRef<Element | null>(null)
  const open = useCallback((): undefined => {
    const active = document.activeElement
    // asked for again from its own box it still goes back to where it was asked for first
    if (!active?.closest('.find-bar')) opener.current = active
    setCount((before) => before + 1)
  }, [])
  function close() {
    const message = target && document.getElementById(messageAnchor(target.messageKey))
    setCount(0)
    find('')
    const before = opener.current?.isConnected && opener.current !== document.body ? opener.current : null
    const back = message ?? before ?? stopInSight()
    if (back instanceof HTMLElement) back.focus({ preventScroll: true })
  }
  return { count, open, close }
}
