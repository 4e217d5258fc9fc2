import { startTransition, useEffect, useState } from 'react'

const FIRST_OVERSCAN = 1

/** Rows that are drawn beyond the window: few while the page comes to be, as each takes its time, `overscan` afterwards. */
export function useOverscan(isLoaded: boolean, overscan: number): number {
  const [isDrawn, setIsDrawn] = useState(false)
  useEffect(() => {
    if (isLoaded) startTransition(() => setIsDrawn(true))
  }, [isLoaded])
  return isDrawn ? overscan : FIRST_OVERSCAN
}
