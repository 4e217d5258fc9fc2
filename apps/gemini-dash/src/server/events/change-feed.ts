import type { LiveEvent } from '@gemini-dash/api'
import type { Store } from '../../store/store.ts'

/** Room for a thousand changes a millisecond, so that no later run of the server gives a number again. */
const NUMBERS_PER_MS = 1_000

/**
 * Changes in their order, each with a number. A page that knows up to where it was told compares: what it missed is not
 * replayed, it asks again for what it shows.
 */
export class ChangeFeed {
  readonly #listeners = new Set<(at: number, event: LiveEvent) => void>()
  readonly #endSubscription: () => void
  #at = Date.now() * NUMBERS_PER_MS

  constructor(store: Store) {
    this.#endSubscription = store.subscribe((event) => this.tell(event))
  }

  /** Numbers a change, whoever knows of it. */
  tell(event: LiveEvent): void {
    this.#at += 1
    for (const listener of this.#listeners) listener(this.#at, event)
  }

  /** The number of the last change. */
  get at(): number {
    return this.#at
  }

  subscribe(listener: (at: number, event: LiveEvent) => void): void {
    this.#listeners.add(listener)
  }

  close(): void {
    this.#endSubscription()
    this.#listeners.clear()
  }
}
