import { type RefObject, useLayoutEffect, useRef } from 'react'

/** What keys go on from: whoever changes what is shown writes it here as well, so that a key before the next drawing goes on from there. */
export function useLatest<Shown>(shown: Shown): RefObject<Shown> {
  const latest = useRef(shown)
  useLayoutEffect(() => {
    latest.current = shown
  }, [shown])
  return latest
}
