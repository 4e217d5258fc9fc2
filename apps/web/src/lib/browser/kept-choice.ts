/** A choice of the reader that their browser keeps, for all of its tabs. Read through `useSyncExternalStore`. */
export interface KeptChoice<Value> {
  get: () => Value
  set: (next: Value) => void
  subscribe: (listener: () => void) => () => void
}

/** `read` makes a value of what was kept, also of nothing and of nonsense; `write` what is kept, null where that is nothing. */
export function keptChoice<Value>(
  storageKey: string,
  read: (kept: string | null) => Value,
  write: (value: Value) => string | null,
): KeptChoice<Value> {
  const listeners = new Set<() => void>()
  let chosen = read(kept(storageKey))
  const become = (next: Value) => {
    chosen = next
    for (const notify of listeners) notify()
  }
  // another tab chose; tests of what is pure run without a browser
  globalThis.addEventListener?.('storage', (event) => {
    if (event instanceof StorageEvent && (event.key === storageKey || event.key === null))
      become(read(kept(storageKey)))
  })
  return {
    get: () => chosen,
    set(next) {
      keep(storageKey, write(next))
      become(next)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

function kept(storageKey: string): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

function keep(storageKey: string, text: string | null) {
  try {
    if (text === null) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, text)
  } catch {
    // Storage can be switched off; the choice then lasts until the page is closed.
  }
}
