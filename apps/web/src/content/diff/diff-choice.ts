export type DiffLayout = 'unified' | 'split'

const STORAGE_KEY = 'gemini-dash.diff'
const listeners = new Set<() => void>()
let chosen: DiffLayout = remembered()

/** How the reader wants to see diffs, kept in this browser. Read through `useSyncExternalStore`. */
export const diffChoice = {
  get: (): DiffLayout => chosen,
  set(next: DiffLayout) {
    chosen = next
    try {
      localStorage.setItem(STORAGE_KEY, next)
    } catch {
      // Storage can be switched off; the choice then lasts until the page is closed.
    }
    for (const notify of listeners) notify()
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

function remembered(): DiffLayout {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'split' ? 'split' : 'unified'
  } catch {
    return 'unified'
  }
}
