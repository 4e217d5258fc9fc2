import type { LiveEvent } from '@gemini-dash/api'

/** Events of the time when nobody looks: of each kind and session only the last, in their order. */
export class HeldEvents {
  readonly #events = new Map<string, LiveEvent>()
  #areComplete = true

  add(event: LiveEvent): void {
    const subject = event.sessionKey === undefined ? event.kind : `session ${event.sessionKey}`
    this.#events.delete(subject)
    this.#events.set(subject, event)
  }

  /** Something else was announced, and nobody knows what. */
  missSome(): void {
    this.#areComplete = false
  }

  takeAll(): { events: LiveEvent[]; areComplete: boolean } {
    const taken = { events: [...this.#events.values()], areComplete: this.#areComplete }
    this.#events.clear()
    this.#areComplete = true
    return taken
  }
}
