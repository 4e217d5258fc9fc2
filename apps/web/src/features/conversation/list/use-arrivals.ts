import { useEffect, useState } from 'react'

/** Messages that came since the reader was last at the end. */
export function useArrivals(total: number, isAtEnd: boolean): number {
  const [seen, setSeen] = useState(total)
  useEffect(() => {
    if (isAtEnd) setSeen(total)
  }, [total, isAtEnd])
  return isAtEnd ? 0 : Math.max(total - seen, 0)
}
