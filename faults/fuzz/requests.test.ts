import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listedRoutes } from '../../apps/gemini-dash/src/server/contract.ts'
import { openTestServer, type TestServer } from '../../apps/gemini-dash/test/open-test-server.ts'
import { rawHttp } from '../../apps/gemini-dash/test/raw-http.ts'
import { FUZZ_TIMEOUT, fuzz } from './keep-find.ts'

let server: TestServer
let key = ''
beforeAll(async () => {
  server = await openTestServer()
  key = (await server.store.sessions({ kind: 'all', sort: 'recent', limit: 1 })).sessions[0]?.key ?? ''
})
afterAll(() => server.close())

const PATTERNS = [...listedRoutes]
const NAMES = [
  'Host',
  'Cookie',
  'Origin',
  'Sec-Fetch-Site',
  'Accept',
  'Range',
  'If-None-Match',
  'Last-Event-ID',
  'Content-Length',
  'Transfer-Encoding',
  'Expect',
  'Upgrade',
  'Connection',
  'Accept-Encoding',
  'Content-Type',
]
const VALUES = [
  'HOST',
  'COOKIE',
  'null',
  'chunked',
  '0',
  '-1',
  '99999999999999',
  '100-continue',
  'websocket',
  'bytes=0-',
  '*',
  'gzip, br',
  'application/json',
  'application/x-ndjson',
  '"',
  'x'.repeat(9_000),
]
/** Placeholders for what a request needs to pass the guards. */
const OURS = ['Host: HOST', 'Cookie: COOKIE']

const bytes = fc.uint8Array({ maxLength: 30 }).map((values) => Buffer.from(values).toString('latin1'))
const segment = fc.oneof(
  fc.constantFrom(
    'KEY',
    '..',
    '%2e%2e%2f',
    '%00',
    '%c0%ae',
    '__proto__',
    'constructor',
    '-1',
    '1e9',
    '%',
    '%zz',
    '~2',
    '',
  ),
  bytes.map(encodeURIComponent),
)
const path = fc
  .tuple(
    fc.constantFrom(...PATTERNS),
    fc.array(segment, { minLength: 3, maxLength: 3 }),
    fc.oneof(fc.constant(''), segment, bytes),
    fc.constantFrom('offset', 'limit', 'q', 'around', 'path', 'a', 'cursor'),
  )
  .map(([pattern, segments, value, name]) => {
    let place = 0
    const filled = pattern.replaceAll(/:\w+|\*/g, () => segments[place++ % segments.length] ?? '')
    return value === '' ? filled : `${filled}?${name}=${value}`
  })
const line = fc
  .tuple(fc.oneof(fc.constantFrom(...NAMES), bytes), fc.oneof(fc.constantFrom(...VALUES), bytes))
  .map(([name, value]) => `${name}: ${value}`)
const request = fc
  .record({
    method: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS') },
      bytes,
    ),
    path: fc.oneof({ weight: 4, arbitrary: path }, bytes),
    own: fc.constantFrom(OURS, OURS, OURS, []),
    lines: fc.array(line, { maxLength: 4 }),
    body: fc.oneof(fc.constant(''), bytes, fc.json()),
  })
  .map(({ method, path: target, own, lines, body }) =>
    Buffer.from(
      `${method} ${target} HTTP/1.1\r\n${[...lines, ...own, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`,
      'latin1',
    ),
  )
  // streams stay open by design, so the test would never end
  .filter((input) => !input.includes('/api/events'))

/** Expects that no input makes the server fail, and that every answer has the security headers. */
async function holds(input: Buffer): Promise<void> {
  const text = input
    .toString('latin1')
    .replaceAll('HOST', `localhost:${server.port}`)
    .replaceAll('COOKIE', server.cookie)
    .replaceAll('KEY', key)
  const { status, headers } = await rawHttp(server.port, Buffer.from(text, 'latin1'), { isAll: true })
  expect(status).toBeLessThan(500)
  if (status >= 200) {
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  }
  expect(server.problems).toEqual([])
}

test('R4, R55: no headers, addresses or bodies make the server fail', FUZZ_TIMEOUT, async () => {
  await fuzz('requests', request, holds)
})
