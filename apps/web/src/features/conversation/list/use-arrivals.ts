import { useEffect, useState } from 'react'

/** Messages that came since the reader last followed the end. */
export function useArrivals(total: number, isFollowing: boolean): number {
  const [seen, setSeen] = useState(total)
  useEffect(() => {
    if (isFollowing) setSeen(total)
  }, [total, isFollowing])
  return isFollowing ? 0 : Math.max(total - seen, 0)
}
