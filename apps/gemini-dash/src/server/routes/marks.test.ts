import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  apiErrorSchema,
  apiPaths,
  type LiveEvent,
  markAnswerSchema,
  markListSchema,
  messagePageSchema,
  questionPath,
  type SessionQuery,
  searchQuerySchema,
  sessionPath,
  sessionQuerySchema,
  viewListSchema,
} from '@gemini-dash/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestServer, type TestServer } from '../../../test/open-test-server.ts'

let server: TestServer
let key: string
beforeAll(async () => {
  server = await openTestServer()
  const list = await server.store.sessions({ kind: 'main', sort: 'recent', limit: 1 })
  key = list.sessions[0]?.key ?? ''
})
afterAll(() => server.close())

async function send(path: string, init: RequestInit = {}) {
  const headers = { cookie: server.cookie, 'content-type': 'application/json', ...init.headers }
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { ...init, headers })
  return { status: answer.status, body: await answer.json() }
}
const put = (path: string, body: unknown, headers = {}) =>
  send(path, { method: 'PUT', body: JSON.stringify(body), headers })
const marks = async () => markListSchema.parse((await send(questionPath('marks'))).body).marks

test('a session and a message of it are marked, by any form of the key, and the marks taken back', async () => {
  const page = messagePageSchema.parse((await send(sessionPath('messages', key))).body)
  const messageKey = page.messages[0]?.key ?? ''
  await put(apiPaths.mark(key.slice(0, 8)), { star: true, tags: ['proxy'], note: 'Wo es klappte' })
  const { status, body } = await put(apiPaths.messageMark(key, messageKey), { note: 'here' })
  expect(status).toBe(200)
  const mark = {
    star: true,
    note: 'Wo es klappte',
    tags: ['proxy'],
    title: null,
    seen: null,
    messages: { [messageKey]: { star: false, note: 'here' } },
  }
  expect(markAnswerSchema.parse(body).mark).toEqual(mark)
  expect(await marks()).toEqual({ [key]: mark })
  await put(apiPaths.messageMark(key, messageKey), { note: '' })
  await put(apiPaths.mark(key), { star: false, tags: [], note: '' })
  expect(await marks()).toEqual({})
})

test('I2: a session whose earliest file is gone has the key that it had, and what was said of it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'gemini-dash-marks-'))
  const chats = join(home, '.gemini', 'tmp', 'shop', 'chats')
  mkdirSync(chats, { recursive: true })
  const sessionId = '0b5e1d52-6f0e-4c9f-8f43-2f0f6f2f1a10'
  const file = (hour: number) => join(chats, `session-2026-01-01T${hour}-00-0b5e1d52.jsonl`)
  for (const hour of [10, 12]) {
    const time = `2026-01-01T${hour}:00:00.000Z`
    const head = { sessionId, projectHash: 'a'.repeat(64), startTime: time, lastUpdated: time, kind: 'main' }
    const said = [10, 12].map((at) => ({
      ...{
        id: `m${at}`,
        timestamp: `2026-01-01T${at}:00:00.000Z`,
        type: 'user',
        content: [{ text: `at ${at}` }],
      },
    }))
    const records = [head, ...said.slice(0, hour === 10 ? 1 : 2)]
    writeFileSync(file(hour), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  }
  const own = await openTestServer({ home })
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { cookie: own.cookie, 'content-type': 'application/json' }
    const answer = await fetch(`http://127.0.0.1:${own.port}${path}`, { ...init, headers })
    return markListSchema.or(markAnswerSchema).parse(await answer.json())
  }
  const [early = '', ...others] = (await own.store.sessions(sessionQuerySchema.parse({}))).sessions.map(
    (row) => row.key,
  )
  expect(others).toEqual([])
  const body = (said: object) => ({ method: 'PUT', body: JSON.stringify(said) })
  await ask(apiPaths.mark(early), body({ title: 'Mine' }))
  await ask(apiPaths.messageMark(early, 'm12'), body({ star: true }))
  rmSync(file(10))
  own.lookAgain()
  const rowNow = () => own.store.sessions(sessionQuerySchema.parse({})).then(({ sessions }) => sessions[0])
  await expect.poll(() => rowNow().then((row) => row?.files.length)).toBe(1)
  const late = (await rowNow())?.key ?? ''
  expect(late).toBe(early)
  await ask(apiPaths.messageMark(late, 'm12'), body({ note: 'here' }))
  const mark = {
    ...{ star: false, note: '', tags: [], title: 'Mine', seen: null },
    messages: { m12: { star: true, note: 'here' } },
  }
  for (const asked of [
    questionPath('marks'),
    questionPath('marks', { session: late }),
    questionPath('marks', { session: early }),
  ])
    expect(await ask(asked)).toMatchObject({ marks: { [late]: mark } })
  await own.close()
  rmSync(home, { recursive: true })
})

test('rows show what a person said, lists and searches use it, and an event names it', async () => {
  const heard: LiveEvent[] = []
  const end = server.store.subscribe((event) => heard.push(event))
  const list = async (query: Partial<SessionQuery>) => {
    const { sessions } = await server.store.sessions(sessionQuerySchema.parse({ limit: 100, ...query }))
    return sessions
  }
  const [before] = (await list({})).filter((row) => row.key === key)
  await put(apiPaths.mark(key), { star: true, title: 'Wo der Proxy ging', tags: ['Proxy'], note: 'Hier!' })
  const [row] = await list({ starred: 'true' })
  const mark = { star: true, note: 'Hier!', tags: ['Proxy'], title: 'Wo der Proxy ging', seen: null }
  expect(row).toEqual({
    ...before,
    title: 'Wo der Proxy ging',
    titleSource: 'user',
    mark: { ...mark, messages: { starred: 0, noted: 0 } },
  })
  expect(heard).toEqual([{ kind: 'marked', sessionKey: key }])
  expect((await server.store.content.session(key))?.session).toEqual(row)
  expect(await list({ tag: 'proxy', title: 'der proxy' })).toEqual([row])
  for (const q of ['is:starred', 'tag:proxy', 'note:hier']) {
    const found = await server.store.search(searchQuerySchema.parse({ q, limit: 1 }))
    expect([q, Object.keys(found.sessions), found.sessions[key]?.title]).toEqual([
      q,
      [key],
      'Wo der Proxy ging',
    ])
  }
  await put(apiPaths.mark(key), { star: false, title: null, tags: [], note: '' })
  expect((await list({})).find((other) => other.key === key)).toEqual(before)
  end()
})

test.each([
  { star: 1 },
  { tags: ['a,b'] },
  { tags: [''] },
  { title: ' ' },
  { seen: 'now' },
  { other: true },
  [],
])('%j says nothing of a session, and why', async (body) => {
  const answer = await put(apiPaths.mark(key), body)
  expect(answer.status).toBe(400)
  expect(apiErrorSchema.parse(answer.body).error.message).not.toBe('')
  expect(await marks()).toEqual({})
})

test.each(['nowhere', '__proto__'])(
  'there is no session "%s" to mark, and nothing is said of it',
  async (unknown) => {
    expect((await put(apiPaths.mark(unknown), { star: true })).status).toBe(404)
    const { body } = await send(questionPath('marks', { session: unknown }))
    expect(markListSchema.parse(body).marks).toEqual({})
  },
)

test('views keep their order; an address elsewhere is none', async () => {
  const views = [
    { name: 'Failed this week', href: '/?has=errors&days=7' },
    { name: 'Costly', href: '/?sort=cost' },
  ]
  expect(viewListSchema.parse((await put(questionPath('views'), { views })).body).views).toEqual(views)
  for (const href of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])
    expect((await put(questionPath('views'), { views: [{ name: 'x', href }] })).status).toBe(400)
  expect(viewListSchema.parse((await send(questionPath('views'))).body).views).toEqual(views)
})

test('views that others saved or removed meanwhile stay so', async () => {
  const named = (...names: string[]) => names.map((name) => ({ name, href: `/?q=${name}` }))
  const change = async (views: object[], seen: string[]) =>
    viewListSchema
      .parse((await put(questionPath('views'), { views, seen })).body)
      .views.map(({ name }) => name)
  await put(questionPath('views'), { views: named('a', 'b', 'c') })
  // two changes to the same list: one saves d, one removes a and saves e, one moves c to the front
  expect(await change(named('a', 'b', 'c', 'd'), ['a', 'b', 'c'])).toEqual(['a', 'b', 'c', 'd'])
  expect(await change(named('b', 'c', 'e'), ['a', 'b', 'c'])).toEqual(['b', 'c', 'e', 'd'])
  expect(await change(named('c', 'a', 'b'), ['a', 'b', 'c'])).toEqual(['c', 'b', 'e', 'd'])
  const many = named(...Array.from({ length: 199 }, (_, at) => `view ${at}`))
  const { status, body } = await put(questionPath('views'), { views: many, seen: [] })
  expect([status, JSON.stringify(body)]).toEqual([
    503,
    expect.stringContaining(': there may be 200 views at most.'),
  ])
})

test('another site, a form and a stranger mark nothing', async () => {
  const answers = await Promise.all([
    put(apiPaths.mark(key), { star: true }, { origin: 'http://evil.example' }),
    put(apiPaths.mark(key), { star: true }, { 'content-type': 'text/plain' }),
    put(apiPaths.mark(key), { star: true }, { cookie: 'none=1' }),
  ])
  expect(answers.every(({ status }) => status >= 400)).toBe(true)
  expect(await marks()).toEqual({})
})
