import { startTransition, useCallback, useEffect, useState } from 'react'
import type { WindowOffset } from './window-offset.ts'

export interface Leap {
  /** True from a leap on until the rows in the window are drawn: those beyond it are drawn after them. */
  isLeaping: boolean
  /** Moves the window by so many px, to rows of which most are not drawn yet where that is further than it is high. */
  leapBy: (distance: number) => void
}

export function useLeap(windowOffset: WindowOffset): Leap {
  const [isLeaping, setIsLeaping] = useState(false)
  useEffect(() => {
    if (isLeaping) startTransition(() => setIsLeaping(false))
  }, [isLeaping])
  const leapBy = useCallback(
    (distance: number) => {
      if (Math.abs(distance) > window.innerHeight) setIsLeaping(true)
      windowOffset.moveWindow(distance)
    },
    [windowOffset],
  )
  return { isLeaping, leapBy }
}
