import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTestServer, type TestServer } from '../../test/open-test-server.ts'
import { getWith } from '../../test/raw-http.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())
afterEach(async () => {
  for (const socket of held.splice(0)) socket.destroy()
  await expect.poll(() => openConnections()).toBe(0)
})

const held: Socket[] = []

const host = () => `Host: 127.0.0.1:${server.port}`
const ask = (path = '/api/health') => getWith(server.port, path, [host(), `Cookie: ${server.cookie}`])
const newCookie = () => `gemini-dash-${server.port}=${server.access.browserSessions.issue()}`

/** Connections that have sent a request. With `isAnswered`, the first bytes of the answer have arrived. */
async function hold(count: number, request: string, { isAnswered = true } = {}): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(server.port, '127.0.0.1'))
  held.push(...sockets)
  const begun = sockets.map(
    (socket) =>
      new Promise((resolve, reject) => {
        socket
          .on('error', reject)
          .once(isAnswered ? 'data' : 'connect', resolve)
          .write(request)
      }),
  )
  await Promise.all(begun)
  return sockets
}

const events = () => ['GET /api/events HTTP/1.1', host(), `Cookie: ${newCookie()}`, '', ''].join('\r\n')

test('R11: while a hundred are being answered, a hundred more are told to come back, and health says so', async () => {
  const streams: Socket[] = []
  for (let browser = 0; browser < 5; browser++) streams.push(...(await hold(20, events())))
  const searches = Array.from({ length: 100 }, () => ask('/api/search?q=the'))
  for (const { status, headers, body } of await Promise.all(searches)) {
    expect([status, headers['retry-after'], headers.connection]).toEqual([503, '1', 'close'])
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
    expect(JSON.parse(body)).toEqual({
      error: { code: 'unavailable', message: 'Too many connections are open. Try again in a moment.' },
    })
  }
  expect(streams.filter((socket) => socket.destroyed)).toEqual([])
  streams[0]?.destroy()
  await expect.poll(async () => (await ask()).status).toBe(200)
  expect(JSON.parse((await ask()).body).warnings).toMatchObject([{ code: 'connections-full' }])
})

test('R11: idle connections of strangers make room for who is signed in, and those of the signed-in stay', async () => {
  const own = await hold(
    15,
    ['GET /api/health HTTP/1.1', host(), `Cookie: ${newCookie()}`, '', ''].join('\r\n'),
  )
  const strangers = await hold(85, 'GET / HTTP/1.1\r\nX-Slow: ', { isAnswered: false })
  const first = Promise.race(
    strangers.map((socket) => new Promise((resolve) => socket.once('data', (data) => resolve(String(data))))),
  )
  await expect.poll(async () => (await ask()).status).toBe(200)
  expect(await first).toMatch(/^HTTP\/1.1 503 /)
  expect(own.filter((socket) => socket.destroyed)).toEqual([])
})

function openConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    server.app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
}
