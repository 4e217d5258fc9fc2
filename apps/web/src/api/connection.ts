/** The last change of the server's state that this page knows; reports missed changes. */
class ChangePosition {
  /** Position of the first answer: it was requested before any event arrived. */
  #answeredAt: number | undefined
  #openedAt: number | undefined
  #at: number | undefined
  #onMissed = () => {}

  whenMissed(onMissed: () => void): void {
    this.#onMissed = onMissed
  }

  /** An answer was requested after change `at`; it may lack everything later. */
  answered(at: number): void {
    if (this.#answeredAt !== undefined) return
    this.#answeredAt = at
    if (this.#openedAt !== undefined && at < this.#openedAt) this.#onMissed()
  }

  /** Events arrive from change `at` on. Returns false if some were missed. */
  opened(at: number): boolean {
    const knownAt = this.#at ?? this.#answeredAt ?? at
    this.#openedAt ??= at
    this.#at = at
    return knownAt === at
  }

  /** False for a duplicate event, and for one that follows a gap. */
  heard(at: number): boolean {
    const knownAt = this.#at ?? at - 1
    if (at <= knownAt) return false
    this.#at = at
    if (at === knownAt + 1) return true
    this.#onMissed()
    return false
  }
}

export const changePosition = new ChangePosition()

/** `silent`: the stream seems open but nothing arrives. */
export type ConnectionState = 'connected' | 'lost' | 'forbidden' | 'silent'

let state: ConnectionState = 'connected'
let heardMs = 0
const listeners = new Set<() => void>()
const waiting = new Set<(wasMissed: boolean) => void>()

/**
 * Whether the server is up and accepts this browser. Written by the event stream and by refused requests, read through
 * `useSyncExternalStore`.
 */
export const connection = {
  get: (): ConnectionState => state,
  /** When the data on screen was last current, while disconnected. */
  heardMs: (): number => heardMs,
  set(next: ConnectionState, untilMs = Date.now()) {
    if (next === state) return
    state = next
    heardMs = untilMs
    for (const notify of listeners) notify()
  },
  /** The server is up, perhaps after an outage too short to be reported. */
  found() {
    const wasMissed = state !== 'connected'
    connection.set('connected')
    for (const notify of [...waiting]) notify(wasMissed)
  },
  /** For failed requests: notified whenever a retry makes sense. `wasMissed`: the page had reported the server as away. */
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
