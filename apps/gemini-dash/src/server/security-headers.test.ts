import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '../../test/open-test-server.ts'
import { openTestServer } from '../../test/open-test-server.ts'
import { getWith, rawHttp } from '../../test/raw-http.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types gemini-dash"

const SAME_EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
  'x-robots-tag': 'noindex',
}

const JSON_TYPE = 'application/json; charset=utf-8'
const HTML_TYPE = 'text/html; charset=utf-8'
const NO_STORE = 'private, no-store'

const ANSWERS: [name: string, path: string, status: number, type: string, cacheControl: string][] = [
  ['the page', '/', 200, HTML_TYPE, 'no-cache'],
  ['the page of a session', '/s/x', 200, HTML_TYPE, 'no-cache'],
  ['a page that is not there', '/nowhere', 404, HTML_TYPE, NO_STORE],
  [
    'a hashed file',
    '/assets/page-0123abcd.js',
    200,
    'application/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ],
  ['a file beside the page', '/icon.svg', 200, 'image/svg+xml', 'no-cache'],
  ['a file that is not there', '/assets/none.js', 404, JSON_TYPE, NO_STORE],
  ['data', '/api/health', 200, JSON_TYPE, NO_STORE],
  ['an unknown resource', '/api/nowhere', 404, JSON_TYPE, NO_STORE],
  ['an unknown session', '/api/sessions/nowhere', 404, JSON_TYPE, NO_STORE],
  ['a bad question', '/api/usage?by=moon', 400, JSON_TYPE, NO_STORE],
  ['an address that cannot be decoded', '/%zz', 400, JSON_TYPE, NO_STORE],
]

test.each(ANSWERS)('%s', async (_name, path, status, type, cacheControl) => {
  const answer = await getWith(server.port, path, [
    `Host: localhost:${server.port}`,
    `Cookie: ${server.cookie}`,
  ])
  expect(answer.status).toBe(status)
  expect(answer.headers).toMatchObject({
    ...SAME_EVERYWHERE,
    'content-security-policy': POLICY,
    'content-type': type,
    'cache-control': cacheControl,
  })
  expectNoTellTale(answer.headers)
})

test('R12: a refused address', async () => {
  const answer = await getWith(server.port, '/', ['Host: evil.example'])
  expect(answer.headers).toMatchObject({
    ...SAME_EVERYWHERE,
    'content-security-policy': POLICY,
    'cache-control': NO_STORE,
  })
  expectNoTellTale(answer.headers)
})

test('R12: the sign-in page, which may use its one style by its hash', async () => {
  const answer = await getWith(server.port, '/', [`Host: localhost:${server.port}`])
  expect(answer.headers).toMatchObject({ ...SAME_EVERYWHERE, 'cache-control': NO_STORE })
  expect(answer.headers['content-security-policy']?.replace(/ 'sha256-[\w+/=]{44}'/, '')).toBe(POLICY)
  expectNoTellTale(answer.headers)
})

test('R12: an event stream', async () => {
  const answer = await rawHttp(
    server.port,
    `HEAD /api/events HTTP/1.1\r\nHost: localhost:${server.port}\r\nCookie: ${server.cookie}\r\nConnection: close\r\n\r\n`,
  )
  expect(answer.headers).toMatchObject({
    ...SAME_EVERYWHERE,
    'content-security-policy': POLICY,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': NO_STORE,
  })
})

test('R12, R58: a request that is not HTTP', async () => {
  const answer = await rawHttp(server.port, 'nonsense\r\n\r\n')
  expect(answer.status).toBe(400)
  expect(answer.headers).toMatchObject({ ...SAME_EVERYWHERE, 'content-security-policy': POLICY })
})

function expectNoTellTale(headers: Record<string, string>): void {
  const names = Object.keys(headers)
  expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([])
  expect(names).not.toContain('server')
  expect(names).not.toContain('x-powered-by')
  expect(names).not.toContain('strict-transport-security')
}
