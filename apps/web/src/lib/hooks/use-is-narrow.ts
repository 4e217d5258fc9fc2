import { useSyncExternalStore } from 'react'

const narrow = window.matchMedia('(max-width: 47.5em)')

/** One column: phones, and windows as narrow as one. The same bound as in the style sheets, which grows with the reader’s text. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches)
}

function subscribe(listener: () => void) {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}
