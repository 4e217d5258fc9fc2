import type { ServerResponse } from 'node:http'
import type { LiveEvent, StreamHello } from '@gemini-dash/api'
import type { Store } from '../store/store.ts'

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

/** Half of what proxies let pass without a word; a page takes three that are missing for a stream that is dead. */
const HEARTBEAT_MS = 15_000
const MAX_BUFFERED_BYTES = 1024 * 1024

export interface EventStream {
  greet(hello: StreamHello): void
  send(id: number, event: LiveEvent): void
  close(): void
}

/** Server-sent events on an open response. A reader that takes nothing for 1 MB of events is dropped. */
export function openEventStream(response: ServerResponse, onClose: () => void): EventStream {
  const heartbeat = setInterval(() => write('event: alive\ndata: {}\n\n'), HEARTBEAT_MS)
  heartbeat.unref()
  response.on('close', () => {
    clearInterval(heartbeat)
    onClose()
  })
  // A reset by the reader is told by `close`; unheard, the error would end the process.
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
