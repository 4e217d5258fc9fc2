import { useEffect, useState } from 'react'

/** True once `isActive` has been true for `delayMs` without a break. */
export function useDelayed(isActive: boolean, delayMs: number): boolean {
  const [isDue, setIsDue] = useState(false)
  useEffect(() => {
    if (!isActive) {
      setIsDue(false)
      return
    }
    const timer = window.setTimeout(() => setIsDue(true), delayMs)
    return () => window.clearTimeout(timer)
  }, [isActive, delayMs])
  return isActive && isDue
}
