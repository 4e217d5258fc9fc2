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

const host = () => `Host: 127.0.0.1:${server.port}`
const cookie = () => `Cookie: ${server.cookie}`

interface Refusal {
  name: string
  status: number
  request: () => string
}

/** Each requests keep-alive, the default of HTTP/1.1. */
const REFUSALS: Refusal[] = [
  { name: 'a foreign Host', status: 403, request: () => asked('GET / HTTP/1.1', ['Host: evil.example']) },
  { name: 'no Host', status: 403, request: () => asked('GET / HTTP/1.1', []) },
  {
    name: 'a foreign Origin',
    status: 403,
    request: () => asked('GET /api/health HTTP/1.1', [host(), cookie(), 'Origin: http://evil.example']),
  },
  { name: 'data without a cookie', status: 403, request: () => asked('GET /api/health HTTP/1.1', [host()]) },
  { name: 'a page without a cookie', status: 403, request: () => asked('GET / HTTP/1.1', [host()]) },
  { name: 'a code that is unknown', status: 403, request: () => asked('GET /?code=x HTTP/1.1', [host()]) },
  {
    name: 'another method',
    status: 405,
    request: () => asked('DELETE /api/sessions HTTP/1.1', [host(), cookie()]),
  },
  {
    name: 'a large body',
    status: 413,
    request: () => asked('POST /api/sessions HTTP/1.1', [host(), cookie(), 'Content-Length: 70000']),
  },
  {
    name: 'a long address',
    status: 414,
    request: () => asked(`GET /${'x'.repeat(9_000)} HTTP/1.1`, [host(), cookie()]),
  },
  {
    name: 'an address that cannot be decoded',
    status: 400,
    request: () => asked('GET /%zz HTTP/1.1', [host(), cookie()]),
  },
  {
    name: 'headers that are too long',
    status: 431,
    request: () => asked('GET / HTTP/1.1', [host(), `X-Filler: ${'x'.repeat(17 * 1024)}`]),
  },
  { name: 'what is not HTTP', status: 400, request: () => 'nonsense\r\n\r\n' },
  {
    name: 'an expectation',
    status: 417,
    request: () => asked('GET /api/health HTTP/1.1', [host(), cookie(), 'Expect: x']),
  },
  {
    name: 'an expectation of a foreign Host',
    status: 403,
    request: () => asked('GET /api/health HTTP/1.1', ['Host: evil.example', 'Expect: x']),
  },
  {
    name: 'a foreign Host that waits before it sends a body',
    status: 403,
    request: () =>
      asked('POST /api/health HTTP/1.1', ['Host: evil.example', 'Expect: 100-continue', 'Content-Length: 5']),
  },
  {
    name: 'a foreign Host with an address that cannot be decoded',
    status: 403,
    request: () => asked('GET /%zz HTTP/1.1', ['Host: evil.example']),
  },
]

describe('R57, B12: what is refused loses its connection', () => {
  // rawHttp resolves when the server has closed: the client never closes
  test.each(REFUSALS)('$name', async ({ status, request }) => {
    const answer = await rawHttp(server.port, request())
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({
      connection: 'close',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-store',
    })
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
  })

  test('F6: a request that is too long is refused with its limit and what to do', async () => {
    const long = asked(`GET /api/search?q=${'x'.repeat(30_000)} HTTP/1.1`, [host(), cookie()])
    const { status, body } = await rawHttp(server.port, long)
    expect([status, body]).toEqual([
      431,
      expect.stringMatching(/longer than 16 KB\. Ask with a shorter address/),
    ])
  })

  test.each(REFUSALS)(
    '110 times $name, kept open on the other side, shut nobody out',
    async ({ request }) => {
      const bytes = request()
      const sockets: Socket[] = []
      for (let count = 0; count < 110; count++) sockets.push(await refuseAndHold(bytes))
      const answer = await getWith(server.port, '/api/health', [host(), cookie()])
      expect(answer.status).toBe(200)
      for (const socket of sockets) socket.destroy()
    },
  )
})

test('who is let in keeps the connection, and is told to go on with a body', async () => {
  const kept = [asked('GET /api/health HTTP/1.1', [host(), cookie()])]
  const last = asked('GET /api/nowhere HTTP/1.1', [host(), cookie(), 'Connection: close'])
  const answer = await rawHttp(server.port, [...kept, last].join(''))
  expect(answer.status).toBe(200)
  expect(answer.headers.connection).toBe('keep-alive')
  expect(answer.body).toContain('404 Not Found')

  const going = await rawHttp(
    server.port,
    `${asked('POST /api/health HTTP/1.1', [host(), cookie(), 'Expect: 100-continue', 'Content-Length: 2'])}{}`,
  )
  expect(going.status).toBe(100)
})

function asked(requestLine: string, headerLines: string[]): string {
  return `${[requestLine, ...headerLines].join('\r\n')}\r\n\r\n`
}

/** Waits for the answer, and never closes its own side. */
function refuseAndHold(bytes: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true }, () =>
      socket.write(bytes),
    )
    socket.once('data', () => resolve(socket))
    socket.on('error', (error) => (socket.destroyed ? resolve(socket) : reject(error)))
    socket.on('close', () => resolve(socket))
  })
}
