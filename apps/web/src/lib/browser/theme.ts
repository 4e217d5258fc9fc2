export type Theme = 'system' | 'light' | 'dark'

const STORAGE_KEY = 'gemini-dash.theme' // public/theme.js reads it before the first paint
const listeners = new Set<() => void>()

/** The reader's choice of light or dark, kept in this browser. Read through `useSyncExternalStore`. */
export const theme = {
  get(): Theme {
    const chosen = document.documentElement.dataset.theme
    return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
  },
  set(next: Theme) {
    if (next === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
    remember(next)
    for (const notify of listeners) notify()
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

function remember(next: Theme) {
  try {
    if (next === 'system') localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, next)
  } catch {
    // Storage can be switched off; the choice then lasts until the page is closed.
  }
}
