import { useCallback, useEffect, useState } from 'react'
import type { WindowOffset } from './window-offset.ts'

/** Nearer to the end than this, new messages are followed. */
export const AT_END_PX = 64

interface EndHold {
  /** The reader went to the end: it is held from then on, wherever they are near it. */
  hasGoneToEnd: boolean
  /** They asked for it. */
  hold: () => void
}

/** A short session is at its end when it opens; held there, whatever grows in it would move its title out of sight. */
export function useEndHold(windowOffset: WindowOffset, isEndKnown: boolean): EndHold {
  const [hasGoneToEnd, setGone] = useState(false)
  const hold = useCallback(() => setGone(true), [])
  useEffect(
    () => (isEndKnown ? windowOffset.listen(() => isNearEnd() && setGone(true)) : undefined),
    [windowOffset, isEndKnown],
  )
  return { hasGoneToEnd, hold }
}

function isNearEnd(): boolean {
  return document.documentElement.scrollHeight - window.innerHeight - window.scrollY <= AT_END_PX
}
