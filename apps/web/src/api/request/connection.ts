export type ConnectionState = 'connected' | 'lost' | 'forbidden'

let state: ConnectionState = 'connected'
const listeners = new Set<() => void>()
const waiting = new Set<(wasMissed: boolean) => void>()

/** Whether the server is there and lets this browser in. Written by the event stream and by refused calls, read through `useSyncExternalStore`. */
export const connection = {
  get: (): ConnectionState => state,
  set(next: ConnectionState) {
    if (next === state) return
    state = next
    for (const notify of listeners) notify()
  },
  /** It is there, or there again: it may have been away for so short a time that nobody was told. */
  found() {
    const wasMissed = state !== 'connected'
    connection.set('connected')
    for (const notify of [...waiting]) notify(wasMissed)
  },
  /** For what failed: told each time that it may be tried again. `wasMissed`: the reader was told that it is away. */
  whenFound(listener: (wasMissed: boolean) => void) {
    waiting.add(listener)
    return () => void waiting.delete(listener)
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}
