import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import type { EventStream } from './events.ts'
import { openEventStream } from './events.ts'

test('R53: events are numbered lines of JSON that name what changed', async () => {
  const text = await readStream((stream) => {
    stream.send(7, { kind: 'changed', sessionKey: 'abc' })
    stream.send(8, { kind: 'index' })
    stream.close()
  })
  expect(text).toContain(
    'id: 7\ndata: {"kind":"changed","sessionKey":"abc"}\n\nid: 8\ndata: {"kind":"index"}\n\n',
  )
})

test('R53: an event tells every 15 s that the stream is alive, before a proxy that waits 30 s gives it up', () => {
  vi.useFakeTimers()
  try {
    const written: string[] = []
    const response = Object.assign(new EventEmitter(), {
      writable: true,
      writableLength: 0,
      write: (text: string) => written.push(text),
      end: () => undefined,
    })
    openEventStream(response as unknown as ServerResponse, () => undefined)
    written.length = 0
    vi.advanceTimersByTime(30_000)
    expect(written).toEqual(['event: alive\ndata: {}\n\n', 'event: alive\ndata: {}\n\n'])
    response.emit('close')
    vi.advanceTimersByTime(30_000)
    expect(written).toHaveLength(2)
  } finally {
    vi.useRealTimers()
  }
})

test('R53: a reader that takes nothing is dropped', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1')
  reader.on('error', () => undefined).pause()
  reader.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]

  await new Promise<void>((resolve) => {
    const stream = openEventStream(response, resolve)
    const sendMore = () => {
      for (let id = 0; id < 1000; id += 1) stream.send(id, { kind: 'changed', sessionKey: 'x'.repeat(1000) })
      if (!response.destroyed) setImmediate(sendMore)
    }
    sendMore()
  })
  expect(response.destroyed).toBe(true)
  reader.destroy()
  server.close()
})

async function readStream(use: (stream: EventStream) => void): Promise<string> {
  const server = createServer((_request, response) => use(openEventStream(response, () => undefined)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const text = await answer.text()
  server.close()
  return text
}
