import { useEffect, useRef, useState } from 'react'
import { formatPlural } from '../../lib/figures/format.ts'

/** One sentence at most in this time: a busy session must not talk over the reader. */
const QUIET_MS = 5_000

/** Tells screen readers that messages came, not what they say. */
export function ArrivalStatus({ total }: { total: number }) {
  const said = useRef(total)
  const [text, setText] = useState('')
  useEffect(() => {
    if (total <= said.current) return
    const timer = window.setTimeout(() => {
      setText(formatPlural(total - said.current, 'new message'))
      said.current = total
    }, QUIET_MS)
    return () => window.clearTimeout(timer)
  }, [total])
  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  )
}
