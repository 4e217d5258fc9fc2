import { startTransition, useEffect, useState } from 'react'

/** false in the first render, then true: what waits for it is drawn after the rest is there, in pieces that hold nothing up. */
export function useDrawnLater(): boolean {
  const [isDrawn, setIsDrawn] = useState(false)
  useEffect(() => startTransition(() => setIsDrawn(true)), [])
  return isDrawn
}
