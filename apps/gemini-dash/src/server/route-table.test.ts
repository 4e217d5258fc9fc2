import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '../../test/open-test-server.ts'
import { openTestServer } from '../../test/open-test-server.ts'
import { getWith, rawHttp } from '../../test/raw-http.ts'
import { assertListed, listedRoutes, methodsOf } from './contract.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

/** An address that matches the route. */
const addressOf = (pattern: string) => pattern.replace(/:\w+/g, 'x').replace('*', 'x')

test('R8: a route that is not in the table cannot be registered', async () => {
  const app = fastify()
  app.addHook('onRoute', assertListed)
  expect(() => app.get('/api/secret', async () => 'everything')).toThrow(
    '/api/secret is not in the route table',
  )
  expect(() => app.delete('/api/sessions', async () => 'gone')).toThrow(
    'DELETE /api/sessions is not in the route table',
  )
})

test('the server has every route of the table, by GET and HEAD alone or by its one method', () => {
  for (const url of listedRoutes) {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((method) =>
      server.app.hasRoute({ url, method }),
    )
    expect([url, methods]).toEqual([url, methodsOf(url)])
  }
})

test.each(listedRoutes)('%s is refused without a cookie', async (pattern) => {
  for (const method of ['GET', 'HEAD']) {
    const answer = await rawHttp(
      server.port,
      `${method} ${addressOf(pattern)} HTTP/1.1\r\nHost: localhost:${server.port}\r\nConnection: close\r\n\r\n`,
    )
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
  }
})

test.each(listedRoutes)('R5, R6: %s gives nothing to another origin', async (pattern) => {
  for (const method of ['GET', 'OPTIONS']) {
    const answer = await rawHttp(
      server.port,
      [
        `${method} ${addressOf(pattern)} HTTP/1.1`,
        `Host: localhost:${server.port}`,
        `Cookie: ${server.cookie}`,
        'Origin: http://evil.example',
        'Access-Control-Request-Method: GET',
        'Connection: close\r\n\r\n',
      ].join('\r\n'),
    )
    expect(answer.status).toBe(403)
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})

test('R6: a session that is there and one that is not look alike from elsewhere', async () => {
  const { sessions } = await server.store.sessions({ kind: 'all', sort: 'recent', limit: 1 })
  const lines = [`Host: localhost:${server.port}`, 'Sec-Fetch-Site: cross-site', `Cookie: ${server.cookie}`]
  const [there, missing] = await Promise.all(
    [sessions[0]?.key, 'nowhere'].map((key) => getWith(server.port, `/api/sessions/${key}`, lines)),
  )
  const comparable = (answer: typeof there) => ({ ...answer, headers: { ...answer?.headers, date: '' } })
  expect(comparable(there)).toEqual(comparable(missing))
})
