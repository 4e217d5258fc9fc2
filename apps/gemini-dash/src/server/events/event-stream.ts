import type { ServerResponse } from 'node:http'
import type { LiveEvent, StreamHello } from '@gemini-dash/api'

const HEARTBEAT_MS = 15_000
const MAX_BUFFERED_BYTES = 1024 * 1024

export interface EventStream {
  greet(hello: StreamHello): void
  send(id: number, event: LiveEvent): void
  close(): void
}

/** Server-sent events on an open response. A reader that takes nothing for 1 MB of events is dropped. */
export function openEventStream(response: ServerResponse, onClose: () => void): EventStream {
  const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS)
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
