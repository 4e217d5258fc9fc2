import type { LiveEvent, StreamHello } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import type { ConnectionState } from './connection.ts'
import { ApiRequestError, ask } from './request.ts'

/**
 * Subscribes to server events while the tab is visible. A hidden, frozen or back/forward-cached tab disconnects and reconnects later.
 * `isHeardHidden`: whether the tab keeps listening while hidden.
 */
export function listen(
  tell: (message: PageMessage) => void,
  isHeardHidden: () => boolean,
): { refused(): void } {
  let events: SharedEvents | ServerEvents | undefined
  let isAway = false

  function follow() {
    const isWanted = !isAway && (!document.hidden || isHeardHidden())
    if (!isWanted) {
      events?.close()
      events = undefined
      // Without locks (plain http from another machine), each tab has its own stream.
    } else events ??= 'locks' in navigator ? new SharedEvents(tell) : new ServerEvents(tell)
  }
  function goAway(isGone: boolean) {
    isAway = isGone
    follow()
  }
  const wake = () => (events instanceof SharedEvents ? events.wake() : events?.again())
  window.addEventListener('pagehide', () => goAway(true))
  window.addEventListener('pageshow', () => goAway(false))
  document.addEventListener('freeze', () => goAway(true))
  document.addEventListener('resume', () => goAway(false))
  document.addEventListener('visibilitychange', () => {
    // A tab that listened while hidden skipped its refetches meanwhile.
    if (!document.hidden) wake()
    follow()
  })
  window.addEventListener('online', wake)
  follow()
  return { refused: () => events?.again() }
}

const SILENT_AFTER_MS = 45_000
/** A new connection that is not open by then hangs. */
const OPEN_WITHIN_MS = 10_000
const LOOK_INTERVAL_MS = 5_000

/**
 * Detects a dead stream: a tunnel or proxy may stop forwarding without closing the connection, and the browser does not notice. Uses
 * wall-clock time, as the monotonic clock may stop while the computer sleeps.
 */
export class StreamWatch {
  readonly #now: () => number
  #heardMs: number
  #sinceMs: number
  #lookedMs: number
  #limitMs = SILENT_AFTER_MS

  constructor(now: () => number = Date.now) {
    this.#now = now
    this.#heardMs = this.#sinceMs = this.#lookedMs = now()
  }

  /** When the server was last heard; before that, when the watch began. */
  get heardMs(): number {
    return this.#heardMs
  }

  heard(): void {
    this.#heardMs = this.#sinceMs = this.#now()
    this.#limitMs = SILENT_AFTER_MS
  }

  openedAnew(): void {
    this.#sinceMs = this.#now()
    this.#limitMs = OPEN_WITHIN_MS
  }

  /** Call every `LOOK_INTERVAL_MS`. `woken`: the computer was asleep. The timers of a hidden tab are slow anyway. */
  look(isHidden: boolean): 'alive' | 'silent' | 'woken' {
    const now = this.#now()
    const wasAsleep = !isHidden && now - this.#lookedMs > 4 * LOOK_INTERVAL_MS
    this.#lookedMs = now
    if (now - this.#sinceMs >= this.#limitMs) return 'silent'
    return wasAsleep ? 'woken' : 'alive'
  }
}

const FIRST_RETRY_MS = 500
/** Upper limit: the server's return should be visible at once. */
const LONGEST_RETRY_MS = 1_500

/** The single connection to the server's events, reopened until it is closed. */
class ServerEvents {
  readonly #tell: (message: PageMessage) => void
  readonly #watch = new StreamWatch()
  readonly #watchTimer = window.setInterval(() => this.#look(), LOOK_INTERVAL_MS)
  #source: EventSource | undefined
  #retryTimer: number | undefined
  #retryDelayMs = FIRST_RETRY_MS
  /** When it was last lost; undefined while open or opening. */
  #lostMs: number | undefined
  #state: PageMessage | undefined

  constructor(tell: (message: PageMessage) => void) {
    this.#tell = tell
    this.#open()
  }

  /** Sends the current state to a tab that just joined. A join is also a reason to retry at once: the tab may have just signed in. */
  tellState(): void {
    if (this.#state !== undefined) this.#tell(this.#state)
    if (this.#state?.kind === 'loss' || this.#state?.kind === 'answers') this.again()
  }

  /** Another tab is visible while this hidden one listens; the timers of this tab are slow. */
  seen(): void {
    if (this.#lostMs !== undefined && performance.now() - this.#lostMs >= LONGEST_RETRY_MS) this.again()
  }

  /** Reconnects: the server may have forgotten this browser or be unreachable, which an open stream does not notice. */
  again(): void {
    this.#watch.openedAnew()
    this.#open()
  }

  close(): void {
    window.clearInterval(this.#watchTimer)
    this.#drop()
  }

  #look(): void {
    const state = this.#watch.look(document.hidden)
    if (state === 'alive') return
    if (state === 'silent' && this.#state?.kind !== 'loss') this.#lose('silent')
    this.again()
  }

  #drop(): void {
    this.#source?.close()
    this.#source = undefined
    this.#lostMs = undefined
    window.clearTimeout(this.#retryTimer)
  }

  #open(): void {
    this.#drop()
    const source = new EventSource(apiPaths.events())
    this.#source = source
    source.addEventListener('hello', ({ data }: MessageEvent<string>) => {
      const { at, page } = JSON.parse(data) as StreamHello
      this.#retryDelayMs = FIRST_RETRY_MS
      this.#watch.heard()
      this.#reach({ kind: 'open', at, page })
    })
    source.addEventListener('alive', () => this.#watch.heard())
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      this.#watch.heard()
      const at = Number(lastEventId)
      if (this.#state?.kind === 'open') this.#state = { ...this.#state, at }
      this.#tell({ kind: 'event', at, event: JSON.parse(data) as LiveEvent })
    }
    source.onerror = () => {
      source.close()
      this.#lostMs = performance.now()
      void this.#reportLoss(source)
      this.#retryTimer = window.setTimeout(() => this.again(), this.#retryDelayMs)
      this.#retryDelayMs = Math.min(this.#retryDelayMs * 2, LONGEST_RETRY_MS)
    }
  }

  async #reportLoss(source: EventSource): Promise<void> {
    const loss = await askForLoss()
    if (this.#source !== source) return
    if (loss !== null) this.#lose(loss)
    else if (this.#state?.kind !== 'open' && this.#state?.kind !== 'answers') this.#reach({ kind: 'answers' })
  }

  #lose(loss: Loss): void {
    this.#reach({ kind: 'loss', loss, heardMs: this.#watch.heardMs })
  }

  #reach(state: PageMessage): void {
    this.#state = state
    this.#tell(state)
  }
}

/** An EventSource does not report why it failed; a plain request does. null: the server is up and the next retry will work. */
async function askForLoss(): Promise<Exclude<Loss, 'silent'> | null> {
  try {
    await ask('health')
    return null
  } catch (error) {
    return error instanceof ApiRequestError && error.code === 'forbidden' ? 'forbidden' : 'lost'
  }
}

/** Why no events arrive: the server is down, this browser is not signed in, or an open stream is silent. */
type Loss = Exclude<ConnectionState, 'connected'>

/** What the listening tab broadcasts to the others. `at`: number of the last change. */
export type PageMessage =
  | { kind: 'event'; at: number; event: LiveEvent }
  | { kind: 'open'; at: number; page: string | null }
  /** `heardMs`: when the server was last heard. */
  | { kind: 'loss'; loss: Loss; heardMs: number }
  /** The server answers requests again but sends no events yet; a proxy may hold those back for good. */
  | { kind: 'answers' }

const NAME = 'gemini-dash.events'
/** How often a visible tab pings the listening one. */
const CHECK_INTERVAL_MS = 600
/** After this many unanswered pings the listening tab is considered hung or frozen. */
const UNANSWERED_MAX = 2

type Message =
  | { kind: 'relayed'; message: PageMessage }
  /** A tab joined or became visible again. */
  | { kind: 'came' }
  | { kind: 'refused' }
  | { kind: 'listening?' }
  | { kind: 'listening' }

/**
 * Shares one event connection among all visible tabs, because a browser opens at most six to a server. The tab that holds the lock listens
 * and broadcasts. The browser passes the lock on when that tab closes or crashes; other tabs steal it if that tab stops responding.
 */
class SharedEvents {
  readonly #tell: (message: PageMessage) => void
  readonly #channel = new BroadcastChannel(NAME)
  readonly #checkTimer: number
  #waiting = new AbortController()
  #events: ServerEvents | undefined
  #giveUpLock = () => {}
  #unanswered = 0
  #isLeft = false

  constructor(tell: (message: PageMessage) => void) {
    this.#tell = tell
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#hear(data)
    this.#checkTimer = window.setInterval(() => this.#check(), CHECK_INTERVAL_MS)
    this.#say({ kind: 'came' })
    void this.#wait()
  }

  /** Reconnects: the server refused this browser. */
  again(): void {
    if (this.#events === undefined) this.#say({ kind: 'refused' })
    else this.#events.again()
  }

  /** The reader or the network is back: requests the current state or reconnects. */
  wake(): void {
    if (this.#events === undefined) this.#say({ kind: 'came' })
    else this.#events.again()
  }

  close(): void {
    this.#isLeft = true
    window.clearInterval(this.#checkTimer)
    this.#stopListening()
    this.#waiting.abort()
    this.#channel.close()
  }

  #hear(message: Message): void {
    if (message.kind === 'relayed' || message.kind === 'listening') this.#unanswered = 0
    if (message.kind === 'relayed') this.#tell(message.message)
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

  /** Listens once this tab has the lock, until it is released or stolen; then waits for it again. */
  async #wait(how: { steal?: true } = {}): Promise<void> {
    this.#unanswered = 0
    this.#waiting.abort()
    const waiting = new AbortController()
    this.#waiting = waiting
    const options: LockOptions = how.steal ? { steal: true } : { signal: waiting.signal }
    try {
      await navigator.locks.request(NAME, options, () => this.#listen())
    } catch {
      // Another tab took it, or waiting was aborted.
      this.#stopListening()
      if (!waiting.signal.aborted && !this.#isLeft) void this.#wait()
    }
  }

  #listen(): Promise<void> {
    if (this.#isLeft) return Promise.resolve()
    this.#events?.close()
    this.#events = new ServerEvents((message) => {
      this.#say({ kind: 'relayed', message })
      this.#tell(message)
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
