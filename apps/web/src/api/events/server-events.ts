import type { LiveEvent, StreamHello } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { ApiRequestError } from '../request/api-request-error.ts'
import { fetchJson } from '../request/fetch-json.ts'
import type { Loss, Told } from './told.ts'

const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 8_000

/** The one connection to the server's events. It is opened again for as long as it is wanted. */
export class ServerEvents {
  readonly #tell: (told: Told) => void
  #source: EventSource | undefined
  #retryTimer: number | undefined
  #retryDelayMs = FIRST_RETRY_MS
  #state: Told | undefined

  constructor(tell: (told: Told) => void) {
    this.#tell = tell
    this.#open()
  }

  /** What somebody who just came has to know; who comes is a reason to try again at once, too: perhaps it has just signed in. */
  tellState(): void {
    if (this.#state !== undefined) this.#tell(this.#state)
    if (this.#state?.kind === 'loss') this.#open()
  }

  /** Listens anew: the server may have forgotten this browser, which an open stream does not notice. */
  again(): void {
    this.#open()
  }

  close(): void {
    this.#source?.close()
    this.#source = undefined
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
      void this.#reportLoss(source)
      this.#retryTimer = window.setTimeout(() => this.#open(), this.#retryDelayMs)
      this.#retryDelayMs = Math.min(this.#retryDelayMs * 2, LAST_RETRY_MS)
    }
  }

  async #reportLoss(source: EventSource): Promise<void> {
    const loss = await askForLoss()
    if (this.#source === source && loss !== null) this.#reach({ kind: 'loss', loss })
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
