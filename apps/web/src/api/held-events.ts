import type { LiveEvent } from '@gemini-dash/api'

/** Events of the time when nobody looks: of each kind and session only the last, in their order. */
export class HeldEvents {
  readonly #events = new Map<string, LiveEvent>()

  add(event: LiveEvent): void {
    const subject = event.sessionKey === undefined ? event.kind : `session ${event.sessionKey}`
    this.#events.delete(subject)
    this.#events.set(subject, event)
  }

  takeAll(): LiveEvent[] {
    const events = [...this.#events.values()]
    this.#events.clear()
    return events
  }
}
