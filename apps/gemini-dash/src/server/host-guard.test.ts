import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestServer } from '../../test/open-test-server.ts'
import { openTestServer } from '../../test/open-test-server.ts'
import { getWith, rawHttp } from '../../test/raw-http.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const PATHS = [
  '/',
  '/index.html',
  '/assets/page-0123abcd.js',
  '/api/health',
  '/api/events',
  '/api/nowhere',
  '/nowhere',
  '/s/x',
]

const OURS = ['127.0.0.1:PORT', 'localhost:PORT', '[::1]:PORT', 'LOCALHOST:PORT', 'LocalHost:PORT']

const FOREIGN = [
  '',
  ':PORT',
  'PORT',
  '127.0.0.1',
  'localhost',
  '[::1]',
  '::1',
  '127.0.0.1:1',
  '127.0.0.1:PORT0',
  '127.0.0.1:0PORT',
  '127.0.0.1:PORT:PORT',
  '127.0.0.1:',
  '127.0.0.2:PORT',
  '127.1:PORT',
  '2130706433:PORT',
  '0x7f000001:PORT',
  '0.0.0.0:PORT',
  '[::]:PORT',
  '[::ffff:127.0.0.1]:PORT',
  '[0:0:0:0:0:0:0:1]:PORT',
  '192.168.1.5:PORT',
  'evil.example',
  'evil.example:PORT',
  '127.0.0.1.nip.io:PORT',
  'localhost.evil.example:PORT',
  'localhost.:PORT',
  'app.localhost:PORT',
  '127.0.0.1.:PORT',
  'user@127.0.0.1:PORT',
  '127.0.0.1:PORT@evil.example',
  'evil.example#127.0.0.1:PORT',
  'http://127.0.0.1:PORT',
  '127.0.0.1:PORT/',
  '127.0.0.1:PORT,evil.example',
  'evil.example, 127.0.0.1:PORT',
  'locаlhost:PORT',
]

const withPort = (host: string) =>
  Buffer.from(host.replaceAll('PORT', String(server.port))).toString('latin1')

describe('R2: Host', () => {
  test.each(OURS)('%s is ours', async (host) => {
    const answer = await getWith(server.port, '/api/health', [
      `Host: ${withPort(host)}`,
      `Cookie: ${server.cookie}`,
    ])
    expect(answer.status).toBe(200)
  })

  test.each(FOREIGN)('"%s" is refused on every route, whatever cookie comes with it', async (host) => {
    for (const path of PATHS) {
      const answer = await getWith(server.port, path, [`Host: ${withPort(host)}`, `Cookie: ${server.cookie}`])
      expect([answer.status, answer.body]).toEqual([
        403,
        '{"error":{"code":"forbidden","message":"This address is not served."}}',
      ])
    }
  })

  test.each(['POST', 'OPTIONS', 'PROPFIND', 'DELETE'])(
    '%s with a foreign Host is refused alike',
    async (method) => {
      const answer = await rawHttp(
        server.port,
        `${method} /api/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
      )
      expect(answer.status).toBe(403)
    },
  )

  test('two Host headers are refused, even if both are ours', async () => {
    const ours = `Host: 127.0.0.1:${server.port}`
    for (const lines of [
      [ours, 'Host: evil.example'],
      ['Host: evil.example', ours],
      [ours, ours],
    ]) {
      const answer = await getWith(server.port, '/api/health', [...lines, `Cookie: ${server.cookie}`])
      expect([400, 403]).toContain(answer.status)
    }
  })

  test('no Host at all is refused', async () => {
    expect((await getWith(server.port, '/', [])).status).toBe(403)
    const old = await rawHttp(server.port, `GET /api/health HTTP/1.0\r\nCookie: ${server.cookie}\r\n\r\n`)
    expect(old.status).toBe(403)
  })

  test('an absolute request line is refused, whatever Host says', async () => {
    for (const authority of ['evil.example', `127.0.0.1:${server.port}`]) {
      const answer = await getWith(server.port, `http://${authority}/api/health`, [
        `Host: 127.0.0.1:${server.port}`,
        `Cookie: ${server.cookie}`,
      ])
      expect(answer.status).toBe(403)
    }
  })

  test('an upgrade with a foreign Host is refused', async () => {
    const answer = await rawHttp(
      server.port,
      'GET /api/events HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
    )
    expect(answer.status).toBe(403)
  })
})
