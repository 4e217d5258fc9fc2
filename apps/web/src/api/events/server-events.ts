import type { LiveEvent, StreamHello } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { ApiRequestError } from '../request/api-request-error.ts'
import { fetchJson } from '../request/fetch-json.ts'
import type { Loss, Told } from './told.ts'

const FIRST_RETRY_MS = 500
/** So long at most while somebody looks, who wants the server's return to be seen at once; and while nobody does. */
const SEEN_RETRY_MS = 1_500
const HIDDEN_RETRY_MS = 8_000

/** The one connection to the server's events. It is opened again for as long as it is wanted. */
export class ServerEvents {
  readonly #tell: (told: Told) => void
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
    if (this.#state?.kind === 'loss' || this.#state?.kind === 'answers') this.#open()
  }

  /** Somebody looks at another tab, while this one may be hidden, and its clock slow. */
  seen(): void {
    if (this.#lostMs !== undefined && performance.now() - this.#lostMs >= SEEN_RETRY_MS) this.#open()
  }

  /** Listens anew: the server may have forgotten this browser, which an open stream does not notice. */
  again(): void {
    this.#open()
  }

  close(): void {
    this.#source?.close()
    this.#source = undefined
    this.#lostMs = undefined
    window.clearTimeout(this.#retryTimer)
  }

  #open(): void {
    this.close()
    const source = new EventSource(apiPaths.events())
    this.#source = source
    source.addEventListener('hello', ({ data }: MessageEvent<string>) => {
      const { at, page } = JSON.parse(data) as StreamHello
      this.#retryDelayMs = FIRST_RETRY_MS
      this.#reach({ kind: 'open', at, page })
    })
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      const at = Number(lastEventId)
      if (this.#state?.kind === 'open') this.#state = { ...this.#state, at }
      this.#tell({ kind: 'event', at, event: JSON.parse(data) as LiveEvent })
    }
    source.onerror = () => {
      source.close()
      this.#lostMs = performance.now()
      void this.#reportLoss(source)
      const longestMs = document.hidden ? HIDDEN_RETRY_MS : SEEN_RETRY_MS
      this.#retryTimer = window.setTimeout(() => this.#open(), Math.min(this.#retryDelayMs, longestMs))
      this.#retryDelayMs = Math.min(this.#retryDelayMs * 2, HIDDEN_RETRY_MS)
    }
  }

  async #reportLoss(source: EventSource): Promise<void> {
    const loss = await askForLoss()
    if (this.#source !== source) return
    if (loss !== null) this.#reach({ kind: 'loss', loss })
    else if (this.#state?.kind === 'loss') this.#reach({ kind: 'answers' })
  }

  #reach(state: Told): void {
    this.#state = state
    this.#tell(state)
  }
}

/** An EventSource does not tell why it failed; an ordinary call does. null: the server is there, and the next try will do. */
async function askForLoss(): Promise<Loss | null> {
  try {
    await fetchJson(apiPaths.health())
    return null
  } catch (error) {
    return error instanceof ApiRequestError && error.code === 'forbidden' ? 'forbidden' : 'lost'
  }
}
