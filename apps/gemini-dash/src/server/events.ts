import type { ServerResponse } from 'node:http'
import type { LiveEvent, StreamHello } from '@gemini-dash/api'
import type { Store } from '../store/store.ts'

/** Room for a thousand changes per millisecond, so that a later run of the server never reuses a number. */
const NUMBERS_PER_MS = 1_000

/**
 * Changes in order, each with a number. A page compares it with the last number it received: missed changes are not replayed, the page
 * reloads what it shows.
 */
export class ChangeFeed {
  readonly #listeners = new Set<(at: number, event: LiveEvent) => void>()
  readonly #endSubscription: () => void
  #at = Date.now() * NUMBERS_PER_MS

  constructor(store: Store) {
    this.#endSubscription = store.subscribe((event) => this.tell(event))
  }

  /** Assigns a number to a change and announces it, whatever its source. */
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

/** Half the idle time that proxies allow; a page considers a stream dead after three missing heartbeats. */
const HEARTBEAT_MS = 15_000
const MAX_BUFFERED_BYTES = 1024 * 1024

export interface EventStream {
  greet(hello: StreamHello): void
  send(id: number, event: LiveEvent): void
  close(): void
}

/** Server-sent events on an open response. A reader that falls 1 MB behind is dropped. */
export function openEventStream(response: ServerResponse, onClose: () => void): EventStream {
  const heartbeat = setInterval(() => write('event: alive\ndata: {}\n\n'), HEARTBEAT_MS)
  heartbeat.unref()
  response.on('close', () => {
    clearInterval(heartbeat)
    onClose()
  })
  // A reset by the reader also emits `close`; without a listener, the error would end the process.
  response.on('error', () => response.destroy())

  function write(text: string): void {
    if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy()
    else if (response.writable) response.write(text)
  }

  write('retry: 2000\n\n')
  return {
    greet: (hello) => write(`event: hello\nid: ${hello.at}\ndata: ${JSON.stringify(hello)}\n\n`),
    send: (id, event) => write(`id: ${id}\ndata: ${JSON.stringify(event)}\n\n`),
    close: () => void response.end(),
  }
}
