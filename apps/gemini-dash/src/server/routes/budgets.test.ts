import { apiErrorSchema, apiPaths, budgetReportSchema, questionPath } from '@gemini-dash/api'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTestServer, type TestServer } from '../../../test/open-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())
afterEach(async () => {
  for (const { project } of (await budgets()).budgets) await put(project?.key ?? 'all', { usdPerMonth: null })
})

async function send(path: string, init: RequestInit = {}) {
  const headers = { cookie: server.cookie, 'content-type': 'application/json', ...init.headers }
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { ...init, headers })
  return { status: answer.status, body: await answer.json() }
}

const put = (scope: string, body: unknown, headers = {}) =>
  send(apiPaths.budget(scope, { tz: 'UTC' }), { method: 'PUT', body: JSON.stringify(body), headers })
const budgets = async () =>
  budgetReportSchema.parse((await send(questionPath('budgets', { tz: 'UTC' }))).body)

test('a budget for all and one for a project are set, changed and taken back', async () => {
  const [project] = server.store.projects().projects
  if (project === undefined) throw new Error('no project')
  const { key, name } = project
  await put('all', { usdPerMonth: 20 })
  const { status, body } = await put(key, { usdPerMonth: 0.5 })
  expect(status).toBe(200)
  expect(budgetReportSchema.parse(body).budgets).toMatchObject([
    { project: null, usdPerMonth: 20 },
    { project: { key, name }, usdPerMonth: 0.5 },
  ])
  await put('all', { usdPerMonth: 30 })
  await put(key, { usdPerMonth: null })
  expect((await budgets()).budgets).toMatchObject([{ project: null, usdPerMonth: 30 }])
})

test.each([{ usdPerMonth: 0 }, { usdPerMonth: -3 }, { usdPerMonth: '5' }, { usdPerMonth: 1e12 }, {}, []])(
  '%j is no budget, and says why',
  async (body) => {
    const answer = await put('all', body)
    expect(answer.status).toBe(400)
    expect(apiErrorSchema.parse(answer.body).error.message).not.toBe('')
    expect((await budgets()).budgets).toEqual([])
  },
)

test.each(['nowhere', '__proto__'])('there is no project "%s" to set one for', async (scope) => {
  expect((await put(scope, { usdPerMonth: 5 })).status).toBe(404)
})

test('another site, a form and a stranger set none', async () => {
  const body = { usdPerMonth: 5 }
  const answers = await Promise.all([
    put('all', body, { origin: 'http://evil.example' }),
    put('all', body, { 'content-type': 'text/plain' }),
    put('all', body, { cookie: 'none=1' }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([403, 415, 403])
  expect((await budgets()).budgets).toEqual([])
})
