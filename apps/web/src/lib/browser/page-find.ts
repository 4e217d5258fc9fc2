/** Keys by which browsers open their own find, or go on with it. */
const KEYS = /^[fg]$/i

let isCalled = false
const listeners = new Set<() => void>()

/** Whether the browser's own find was called on the page that is read. Read through `useSyncExternalStore`. */
export const pageFind = {
  get: () => isCalled,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

/** Hears the browser's keys for its find, which stay its own. Returns what ends that, when the page is left. */
export function hearPageFind(onCall: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (key !== 'F3' && !(KEYS.test(key) && (ctrlKey || metaKey) && !altKey && !shiftKey)) return
    set(true)
    onCall()
  }
  window.addEventListener('keydown', onKey, { capture: true })
  return () => {
    window.removeEventListener('keydown', onKey, { capture: true })
    set(false)
  }
}

function set(next: boolean) {
  isCalled = next
  for (const notify of listeners) notify()
}
