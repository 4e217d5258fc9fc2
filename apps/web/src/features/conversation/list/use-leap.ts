import { startTransition, useCallback, useEffect, useState } from 'react'

/** True from a leap on to rows that are not drawn yet until these are: those beyond the window are drawn after them. */
export function useLeap() {
  const [isLeaping, setIsLeaping] = useState(false)
  useEffect(() => {
    if (isLeaping) startTransition(() => setIsLeaping(false))
  }, [isLeaping])
  const leap = useCallback(() => setIsLeaping(true), [])
  return { isLeaping, leap }
}
