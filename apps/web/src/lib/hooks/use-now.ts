import { useEffect, useState } from 'react'
import { currentTime } from '../figures/current-time.ts'

/** The current time, fresh every minute while the page is visible. A hidden page has no timer. */
export function useNow(intervalMs = 60_000): Date {
  const [now, setNow] = useState(currentTime)
  useEffect(() => {
    let timer: number | undefined
    const follow = () => {
      window.clearInterval(timer)
      if (document.hidden) return
      setNow(currentTime())
      timer = window.setInterval(() => setNow(currentTime()), intervalMs)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', follow)
    }
  }, [intervalMs])
  return now
}
