import { sessionListSchema, usageReportSchema } from '@gemini-dash/api'
import { questionPath } from '@gemini-dash/api/paths'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestServer, type TestServer } from '../../../test/open-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const get = (path: string, headers: Record<string, string> = { cookie: server.cookie }) =>
  fetch(`http://127.0.0.1:${server.port}${path}`, { headers })

test('usage is a CSV file to be kept, never a page to be shown', async () => {
  const answer = await get(questionPath('usage', { by: 'model', format: 'csv' }))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/)
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="gemini-usage-by-model.csv"')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  const { rows } = usageReportSchema.parse(await (await get(questionPath('usage', { by: 'model' }))).json())
  const lines = (await answer.text()).split('\r\n').slice(1, -1)
  expect(lines.map((line) => line.split(',')[0])).toEqual(rows.map(({ key }) => key))
})

test('N14: tables that are kept begin with a byte order mark, by which Excel knows UTF-8', async () => {
  const { sessions } = sessionListSchema.parse(await (await get(questionPath('sessions', {}))).json())
  const [key = ''] = sessions.map((session) => session.key)
  const csv = await get(questionPath('usage', { by: 'model', format: 'csv' }))
  const bytes = new Uint8Array(await csv.arrayBuffer())
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(bytes[3]).not.toBe(0xef)
  const markdown = await (await get(`/api/sessions/${key}/export?format=markdown`)).arrayBuffer()
  expect(new Uint8Array(markdown)[0]).not.toBe(0xef)
})

test('the file wants the cookie, and a form that exists', async () => {
  expect((await get(questionPath('usage', { format: 'csv' }), {})).status).toBe(403)
  expect((await get(questionPath('usage', { format: 'xlsx' }))).status).toBe(400)
  const foreign = { cookie: server.cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  expect((await get(questionPath('usage', { format: 'csv' }), foreign)).status).toBe(403)
})

test('a report may be cut to its largest rows, with the total of all', async () => {
  const ask = async (query: Record<string, string | number>) =>
    usageReportSchema.parse(await (await get(questionPath('usage', { by: 'session', ...query }))).json())
  const all = await ask({})
  const tokens = all.rows.map(({ usage }) => usage?.total ?? 0)
  expect(tokens.length).toBeGreaterThan(1)
  const cut = await ask({ limit: 1, order: 'tokens' })
  expect(cut.rows.map(({ usage }) => usage?.total)).toEqual([Math.max(...tokens)])
  expect(cut.total).toEqual(all.total)
  expect((await ask({ limit: 1 })).rows).toEqual(all.rows.slice(0, 1))
  expect((await get(questionPath('usage', { limit: 0 }))).status).toBe(400)
})
