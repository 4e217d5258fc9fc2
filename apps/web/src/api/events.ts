import type { LiveEvent, StreamHello } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { ApiRequestError, ask, type ConnectionState } from './request.ts'

/**
 * Hears of the server's events while the tab is seen. A hidden tab, one in the back/forward cache and a frozen one hold nothing,
 * and come again later. `isHeardHidden`: whether the tab goes on listening although nobody sees it.
 */
export function listen(tell: (told: Told) => void, isHeardHidden: () => boolean): { refused(): void } {
  let events: SharedEvents | ServerEvents | undefined
  let isAway = false

  function follow() {
    const isWanted = !isAway && (!document.hidden || isHeardHidden())
    if (!isWanted) {
      events?.close()
      events = undefined
      // Without locks, as on plain http from another machine, each tab has a stream of its own.
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
    // One that listened while it was hidden did not ask for everything meanwhile.
    if (!document.hidden) wake()
    follow()
  })
  window.addEventListener('online', wake)
  follow()
  return { refused: () => events?.again() }
}

const SILENT_AFTER_MS = 45_000
/** What is opened anew is there by then, or waits for a connection that leads nowhere. */
const OPEN_WITHIN_MS = 10_000
const LOOK_INTERVAL_MS = 5_000

/**
 * Whether a stream is alive: a tunnel, a relay or a proxy may pass nothing on any more and close nothing, which a browser does
 * not notice. Goes by the clock on the wall, as the other one may stop while the computer sleeps.
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

  /** When the server was heard last; before that, when the watch began. */
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

  /** To be asked every `LOOK_INTERVAL_MS`. `woken`: nobody was awake to ask. The clock of a hidden tab is slow by itself. */
  look(isHidden: boolean): 'alive' | 'silent' | 'woken' {
    const now = this.#now()
    const wasAsleep = !isHidden && now - this.#lookedMs > 4 * LOOK_INTERVAL_MS
    this.#lookedMs = now
    if (now - this.#sinceMs >= this.#limitMs) return 'silent'
    return wasAsleep ? 'woken' : 'alive'
  }
}

const FIRST_RETRY_MS = 500
/** At most: somebody looks, who wants the server's return to be seen at once. */
const LONGEST_RETRY_MS = 1_500

/** The one connection to the server's events. It is opened again for as long as it is wanted. */
class ServerEvents {
  readonly #tell: (told: Told) => void
  readonly #watch = new StreamWatch()
  readonly #watchTimer = window.setInterval(() => this.#look(), LOOK_INTERVAL_MS)
  #source: EventSource | undefined
  #retryTimer: number | undefined
  #retryDelayMs = FIRST_RETRY_MS
  /** When it was lost last; undefined while it is open or being opened. */
  #lostMs: number | undefined
  #state: Told | undefined

  constructor(tell: (told: Told) => void) {
    this.#tell = tell
    this.#open()
  }

  /** What somebody who just came has to know; who comes is a reason to try again at once, too: perhaps it has just signed in. */
  tellState(): void {
    if (this.#state !== undefined) this.#tell(this.#state)
    if (this.#state?.kind === 'loss' || this.#state?.kind === 'answers') this.again()
  }

  /** Somebody looks at another tab, while this one is hidden and listens all the same: its clock is slow. */
  seen(): void {
    if (this.#lostMs !== undefined && performance.now() - this.#lostMs >= LONGEST_RETRY_MS) this.again()
  }

  /** Listens anew: the server may have forgotten this browser, or is out of reach, which an open stream does not notice. */
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

  #reach(state: Told): void {
    this.#state = state
    this.#tell(state)
  }
}

/** An EventSource does not tell why it failed; an ordinary call does. null: the server is there, and the next try will do. */
async function askForLoss(): Promise<Exclude<Loss, 'silent'> | null> {
  try {
    await ask('health')
    return null
  } catch (error) {
    return error instanceof ApiRequestError && error.code === 'forbidden' ? 'forbidden' : 'lost'
  }
}

/** Why nothing is heard of the server: it does not answer, this browser is not signed in, or nothing comes on an open stream. */
type Loss = Exclude<ConnectionState, 'connected'>

/** What the tab that listens tells the others. `at`: the number of the last change. */
export type Told =
  | { kind: 'event'; at: number; event: LiveEvent }
  | { kind: 'open'; at: number; page: string | null }
  /** `heardMs`: when the server was heard last. */
  | { kind: 'loss'; loss: Loss; heardMs: number }
  /** After a loss it answers calls again, and no events yet: something between may keep those back for good. */
  | { kind: 'answers' }

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
 * The server's events for all tabs of a browser that are seen, over one connection: a browser opens six to one server. The tab
 * that holds the lock listens and tells the others. The browser hands the lock on when that tab goes or crashes; from one that
 * does not answer it is taken.
 */
class SharedEvents {
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

  /** Listens anew: the server refused this browser. */
  again(): void {
    if (this.#events === undefined) this.#say({ kind: 'refused' })
    else this.#events.again()
  }

  /** Somebody is back, or the network is: asks for the present state, or listens anew. */
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
