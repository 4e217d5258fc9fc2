import { useEffect, useState } from 'react'

/** True for `forMs` after each change of `version`. */
export function useRecentChange(version: number, forMs: number): boolean {
  const [settled, setSettled] = useState(version)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(version), forMs)
    return () => window.clearTimeout(timer)
  }, [version, forMs])
  return settled !== version
}
