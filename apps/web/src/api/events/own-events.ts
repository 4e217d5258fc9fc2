import { ServerEvents } from './server-events.ts'
import type { Told } from './told.ts'

/**
 * Where the browser has no locks, as on plain http from another machine, each tab listens for itself, but only while it is
 * seen: a browser opens six connections to one server, and hidden tabs would use them up.
 */
export class OwnEvents {
  readonly #tell: (told: Told) => void
  #events: ServerEvents | undefined

  constructor(tell: (told: Told) => void) {
    this.#tell = tell
    document.addEventListener('visibilitychange', this.#follow)
    this.#follow()
  }

  ask(): void {
    this.#events?.tellState()
  }

  refused(): void {
    this.#events?.again()
  }

  leave(): void {
    document.removeEventListener('visibilitychange', this.#follow)
    this.#stop()
  }

  readonly #follow = (): void => {
    if (document.hidden) this.#stop()
    else this.#events ??= new ServerEvents(this.#tell)
  }

  #stop(): void {
    this.#events?.close()
    this.#events = undefined
  }
}
