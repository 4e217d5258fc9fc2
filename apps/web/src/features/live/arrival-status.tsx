import { useEffect, useRef, useState } from 'react'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'

/** One sentence at most in this time: a busy session must not talk over the reader, and must not be silent either. */
const QUIET_MS = 5_000

/** Tells screen readers that messages came, while they come; not what they say. */
export function ArrivalStatus({ total }: { total: number }) {
  const said = useRef({ total, atMs: Number.NEGATIVE_INFINITY })
  const timer = useRef<number>(undefined)
  const latest = useRef(total)
  const [text, setText] = useState('')
  useEffect(() => {
    latest.current = total
    // what comes while a sentence waits is told with it
    if (total <= said.current.total || timer.current !== undefined) return
    const waitMs = Math.max(0, said.current.atMs + QUIET_MS - performance.now())
    timer.current = window.setTimeout(() => {
      timer.current = undefined
      const arrived = latest.current - said.current.total
      said.current = { total: latest.current, atMs: performance.now() }
      // with the number of all, as a sentence that is said a second time is not heard
      if (arrived > 0)
        setText(`${formatPlural(arrived, 'new message')}, ${formatCount(latest.current)} in all`)
    }, waitMs)
  }, [total])
  useEffect(() => {
    return () => {
      window.clearTimeout(timer.current)
      timer.current = undefined
    }
  }, [])
  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  )
}
