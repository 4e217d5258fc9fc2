import { useEffect, useState } from 'react'
import type { Row } from './row.ts'

/** An answer that is still missing then will not come. */
const HOLD_MS = 2_000

/**
 * Rows are made of what the session says of its messages and of the messages, which come one after the other. Until both
 * tell of the same state, the rows of the state before stay: others would take away what the reader has opened or focused.
 */
export function useSettledRows(rows: readonly Row[], isSettled: boolean): readonly Row[] {
  const [held, setHeld] = useState(rows)
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    setIsLate(false)
    if (isSettled) return
    const timer = window.setTimeout(() => setIsLate(true), HOLD_MS)
    return () => window.clearTimeout(timer)
  }, [isSettled])
  const isShown = isSettled || isLate
  if (isShown && held !== rows) setHeld(rows)
  return isShown ? rows : held
}
