import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestServer } from '../../test/open-test-server.ts'
import { openTestServer } from '../../test/open-test-server.ts'
import { getWith, rawHttp } from '../../test/raw-http.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const signedIn = () => [`Host: localhost:${server.port}`, `Cookie: ${server.cookie}`]

function send(requestLine: string, headerLines: string[] = [], body = '') {
  const lines = [requestLine, ...signedIn(), ...headerLines, 'Connection: close']
  return rawHttp(server.port, `${lines.join('\r\n')}\r\n\r\n${body}`)
}

describe('R9: methods', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'MKCOL'])(
    '%s is not allowed',
    async (method) => {
      for (const path of ['/', '/api/health', '/api/sessions', '/nowhere']) {
        const answer = await send(`${method} ${path} HTTP/1.1`)
        expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
      }
    },
  )

  test('R48: HEAD is GET without its body', async () => {
    for (const path of ['/', '/api/health', '/api/nowhere']) {
      const [get, head] = [await send(`GET ${path} HTTP/1.1`), await send(`HEAD ${path} HTTP/1.1`)]
      expect([head.status, head.headers['content-length'], head.body]).toEqual([
        get.status,
        get.headers['content-length'],
        '',
      ])
    }
  })
})

describe('R11: sizes', () => {
  test('a body over 64 KB is too large', async () => {
    const answer = await send('POST /api/sessions HTTP/1.1', [
      'Content-Length: 65537',
      'Content-Type: application/json',
    ])
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([413, 'too-large'])
  })

  test('an address over 8 KB is too long', async () => {
    const answer = await send(`GET /api/sessions?project=${'x'.repeat(8 * 1024)} HTTP/1.1`)
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([414, 'too-large'])
  })

  test('headers over 16 KB are too large', async () => {
    expect((await send('GET /api/health HTTP/1.1', [`X-Filler: ${'x'.repeat(17 * 1024)}`])).status).toBe(431)
  })
})

describe('R11: connections', () => {
  test('a request that never ends is closed', async () => {
    const http = server.app.server
    const { headersTimeout, requestTimeout } = http
    expect([headersTimeout, requestTimeout]).toEqual([9_000, 10_000])
    http.headersTimeout = 500
    const answer = await rawHttp(
      server.port,
      `GET /api/health HTTP/1.1\r\nHost: localhost:${server.port}\r\nX-Slow: `,
    )
    http.headersTimeout = headersTimeout
    expect(answer.status).toBe(408)
  })

  test('the hundred-and-first is closed', async () => {
    const sockets = await Promise.all(Array.from({ length: 100 }, () => openSocket(server.port)))
    const oneMore = await openSocket(server.port)
    await new Promise((resolve) => oneMore.once('close', resolve))
    expect(sockets.filter((socket) => socket.destroyed)).toEqual([])
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => openConnections(server)).toBe(0)
  })

  test('S9: the hundred-and-first is told why, and so are stderr and health', async () => {
    const streams = await holdStreams(100)
    const toldBefore = server.told.length
    const refusal = { error: { code: 'unavailable', message: expect.stringContaining('connections') } }
    for (const request of [`GET /api/health HTTP/1.1\r\n${signedIn().join('\r\n')}\r\n\r\n`, 'GET / HT']) {
      const answer = await rawHttp(server.port, request)
      expect([answer.status, answer.headers.connection, JSON.parse(answer.body)]).toEqual([
        503,
        'close',
        refusal,
      ])
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    }
    // more at once than the server waits for
    const many = await Promise.all(Array.from({ length: 60 }, () => rawHttp(server.port, 'GET /')))
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([503]))

    streams[0]?.destroy()
    await expect.poll(() => openConnections(server)).toBe(99)
    const health = await getWith(server.port, '/api/health', signedIn())
    expect([health.status, JSON.parse(health.body).warnings]).toEqual([
      200,
      [
        {
          code: 'connections-full',
          message: expect.stringMatching(/^All 100 connections .* so 6[23] were refused\.$/),
          advice: expect.stringContaining('Another program'),
        },
      ],
    ])
    // one line, however many there were
    expect([toldBefore <= 1, server.told]).toEqual([
      true,
      ['All 100 connections to the dashboard were in use, so 1 was refused.'],
    ])
    for (const stream of streams) stream.destroy()
    await expect.poll(() => openConnections(server)).toBe(0)
  })

  test('S9: two hundred half requests keep nobody out: the oldest of them makes room, no answer does', async () => {
    const streams = await holdStreams(10)
    const idle = await openSocket(server.port)
    const half: Socket[] = []
    for (let count = 0; count < 200; count += 1) {
      const socket = await openSocket(server.port)
      socket.on('error', () => {})
      socket.write(`GET /api/health HTTP/1.1\r\nHost: localhost:${server.port}\r\nX-Slow: `)
      half.push(socket)
    }
    const startMs = performance.now()
    await expect
      .poll(async () => (await getWith(server.port, '/api/health', signedIn()).catch(() => null))?.status, {
        timeout: 15_000,
      })
      .toBe(200)
    // Their own limit is nine seconds.
    expect(performance.now() - startMs).toBeLessThan(8_000)
    expect(half.some((socket) => !socket.destroyed)).toBe(true)
    expect([...streams, idle].filter((socket) => socket.destroyed)).toEqual([])
    for (const socket of [...half, ...streams, idle]) socket.destroy()
    await expect.poll(() => openConnections(server)).toBe(0)
  })

  test('R53: the twenty-first event stream of a browser is refused, and a closed one makes room', async () => {
    const url = `http://127.0.0.1:${server.port}/api/events`
    const open = () => {
      const leave = new AbortController()
      return { leave, answer: fetch(url, { headers: { cookie: server.cookie }, signal: leave.signal }) }
    }
    const streams = Array.from({ length: 20 }, open)
    expect((await Promise.all(streams.map(({ answer }) => answer))).map(({ status }) => status)).toEqual(
      Array(20).fill(200),
    )
    expect((await getWith(server.port, '/api/events', signedIn())).status).toBe(429)

    for (const { leave } of streams) leave.abort()
    await expect.poll(async () => (await fetchStatusAndLeave(url)) === 200).toBe(true)
  })
})

function openConnections({ app }: TestServer): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
}

async function fetchStatusAndLeave(url: string): Promise<number> {
  const leave = new AbortController()
  const { status } = await fetch(url, { headers: { cookie: server.cookie }, signal: leave.signal })
  leave.abort()
  return status
}

/** Event streams of several browsers, each on its own connection. */
async function holdStreams(count: number): Promise<Socket[]> {
  const streams: Socket[] = []
  for (let at = 0; at < count; at += 1) {
    const cookie = `gemini-dash-${server.port}=${server.access.browserSessions.issue()}`
    const socket = await openSocket(server.port)
    socket.write(`GET /api/events HTTP/1.1\r\nHost: localhost:${server.port}\r\nCookie: ${cookie}\r\n\r\n`)
    await new Promise((resolve) => socket.once('data', resolve))
    streams.push(socket)
  }
  return streams
}

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', reject)
  })
}
