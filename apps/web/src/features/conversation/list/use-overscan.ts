import { startTransition, useEffect, useState } from 'react'

const OVERSCAN = 8
const FIRST_OVERSCAN = 1

/** Rows that are drawn beyond the window: few while the page comes to be, as each takes its time. */
export function useOverscan(isLoaded: boolean): number {
  const [isDrawn, setIsDrawn] = useState(false)
  useEffect(() => {
    if (isLoaded) startTransition(() => setIsDrawn(true))
  }, [isLoaded])
  return isDrawn ? OVERSCAN : FIRST_OVERSCAN
}
