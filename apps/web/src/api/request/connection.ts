export type ConnectionState = 'connected' | 'lost' | 'forbidden'

let state: ConnectionState = 'connected'
const listeners = new Set<() => void>()

/** Whether the server is there and lets this browser in. Written by the event stream and by refused calls, read through `useSyncExternalStore`. */
export const connection = {
  get: (): ConnectionState => state,
  set(next: ConnectionState) {
    if (next === state) return
    state = next
    for (const notify of listeners) notify()
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}
