export type ZoneChoice = 'local' | 'utc'

const STORAGE_KEY = 'gemini-dash.time-zone'
const listeners = new Set<() => void>()
let chosen = remembered()

/** In which zone the reader wants times: their own or UTC, kept in this browser. Read through `useSyncExternalStore`. */
export const zoneChoice = {
  get: () => chosen,
  set(next: ZoneChoice) {
    chosen = next
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

/** The IANA name of the chosen zone, e.g. `Europe/Vienna`. */
export function timeZone(): string {
  return chosen === 'utc' ? 'UTC' : localTimeZone()
}

/** Asked for once: a page writes hundreds of times, and each answer takes a tenth of a millisecond. */
export function localTimeZone(): string {
  own ??= Intl.DateTimeFormat().resolvedOptions().timeZone
  return own
}

let own: string | undefined

function remembered(): ZoneChoice {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'utc' ? 'utc' : 'local'
  } catch {
    return 'local'
  }
}

function remember(next: ZoneChoice) {
  try {
    if (next === 'local') localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, next)
  } catch {
    // Storage can be switched off; the choice then lasts until the page is closed.
  }
}
