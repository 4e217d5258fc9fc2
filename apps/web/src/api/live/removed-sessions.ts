const keys = new Set<string>()
const listeners = new Set<() => void>()

/** Keys of the sessions whose files were deleted while a page showed them. Read through `useSyncExternalStore`. */
export const removedSessions = {
  has: (sessionKey: string): boolean => keys.has(sessionKey),
  mark(sessionKey: string, isRemoved: boolean) {
    if (keys.has(sessionKey) === isRemoved) return
    if (isRemoved) keys.add(sessionKey)
    else keys.delete(sessionKey)
    for (const notify of listeners) notify()
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}
