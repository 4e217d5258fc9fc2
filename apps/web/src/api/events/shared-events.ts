import { ServerEvents } from './server-events.ts'
import type { Told } from './told.ts'

const NAME = 'gemini-dash.events'
/** A tab that is seen wants to hear of the listening one so often. */
const CHECK_INTERVAL_MS = 600
/** So many questions without an answer: the tab that listens hangs, or was put to sleep without a word. */
const UNANSWERED_MAX = 2

type Message =
  | { kind: 'told'; told: Told }
  /** A tab came, or is seen again. */
  | { kind: 'came' }
  | { kind: 'refused' }
  | { kind: 'listening?' }
  | { kind: 'listening' }

/**
 * The server's events for all tabs of a browser over one connection: the tab that holds the lock listens and tells the
 * others. The browser hands the lock on when that tab goes or crashes; from one that does not answer it is taken.
 */
export class SharedEvents {
  readonly #tell: (told: Told) => void
  readonly #channel = new BroadcastChannel(NAME)
  readonly #checkTimer: number
  #waiting = new AbortController()
  #events: ServerEvents | undefined
  #giveUpLock = () => {}
  #unanswered = 0
  #isLeft = false

  constructor(tell: (told: Told) => void) {
    this.#tell = tell
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#hear(data)
    this.#checkTimer = window.setInterval(() => this.#check(), CHECK_INTERVAL_MS)
    this.#say({ kind: 'came' })
    void this.#wait()
  }

  /** Tells the present state once more. */
  ask(): void {
    if (this.#events === undefined) this.#say({ kind: 'came' })
    else this.#events.tellState()
  }

  /** The server refused this browser. */
  refused(): void {
    if (this.#events === undefined) this.#say({ kind: 'refused' })
    else this.#events.again()
  }

  leave(): void {
    this.#isLeft = true
    window.clearInterval(this.#checkTimer)
    this.#stopListening()
    this.#waiting.abort()
    this.#channel.close()
  }

  #hear(message: Message): void {
    if (message.kind === 'told' || message.kind === 'listening') this.#unanswered = 0
    if (message.kind === 'told') this.#tell(message.told)
    if (this.#events === undefined) return
    if (message.kind === 'came') this.#events.tellState()
    if (message.kind === 'refused') this.#events.again()
    if (message.kind === 'listening?') {
      this.#say({ kind: 'listening' })
      this.#events.seen()
    }
  }

  #say(message: Message): void {
    if (!this.#isLeft) this.#channel.postMessage(message)
  }

  #check(): void {
    if (this.#events !== undefined || document.hidden) {
      this.#unanswered = 0
    } else if (this.#unanswered >= UNANSWERED_MAX) {
      void this.#wait({ steal: true })
    } else {
      this.#unanswered += 1
      this.#say({ kind: 'listening?' })
    }
  }

  /** Listens as soon as the lock is ours, until it is given up or taken; then waits for it again. */
  async #wait(how: { steal?: true } = {}): Promise<void> {
    this.#unanswered = 0
    this.#waiting.abort()
    const waiting = new AbortController()
    this.#waiting = waiting
    const options: LockOptions = how.steal ? { steal: true } : { signal: waiting.signal }
    try {
      await navigator.locks.request(NAME, options, () => this.#listen())
    } catch {
      // Taken by another tab, or not waited for any more.
      this.#stopListening()
      if (!waiting.signal.aborted && !this.#isLeft) void this.#wait()
    }
  }

  #listen(): Promise<void> {
    if (this.#isLeft) return Promise.resolve()
    this.#events?.close()
    this.#events = new ServerEvents((told) => {
      this.#say({ kind: 'told', told })
      this.#tell(told)
    })
    return new Promise((resolve) => {
      this.#giveUpLock = resolve
    })
  }

  #stopListening(): void {
    this.#events?.close()
    this.#events = undefined
    this.#giveUpLock()
  }
}
