import { ServerEvents } from './server-events.ts'
import { SharedEvents } from './shared-events.ts'
import type { Told } from './told.ts'

/**
 * Hears of the server's events for as long as the page is used. A page that is put into the back/forward cache or frozen
 * gives up everything that it holds, and comes again when it is woken.
 */
export function listen(tell: (told: Told) => void): { refused(): void } {
  let events: SharedEvents | OwnEvents | undefined
  const come = () => {
    events ??= 'locks' in navigator ? new SharedEvents(tell) : new OwnEvents(tell)
  }
  const leave = () => {
    events?.leave()
    events = undefined
  }
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', come)
  document.addEventListener('freeze', leave)
  document.addEventListener('resume', come)
  // Perhaps the reader has signed in elsewhere, or started the server again.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) events?.ask()
  })
  come()
  return { refused: () => events?.refused() }
}

/**
 * Where the browser has no locks, as on plain http from another machine, each tab listens for itself, but only while it is
 * seen: a browser opens six connections to one server, and hidden tabs would use them up.
 */
class OwnEvents {
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
