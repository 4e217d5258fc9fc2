import {
  apiErrorSchema,
  doctorNotesSchema,
  doctorSchema,
  findResultSchema,
  healthSchema,
  messagePageSchema,
  projectListSchema,
  questionPath,
  rawRecordSchema,
  searchResultSchema,
  sessionDetailSchema,
  sessionListSchema,
  sessionPath,
  usageReportSchema,
} from '@gemini-dash/api'
import { toolOutputSchema } from 'gemini-sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { TestServer } from '../../../test/open-test-server.ts'
import { openTestServer } from '../../../test/open-test-server.ts'

let server: TestServer
let key: string
beforeAll(async () => {
  server = await openTestServer()
  const list = await answerOf(questionPath('sessions', { sort: 'messages' }), sessionListSchema)
  key = list.sessions[0]?.key ?? ''
})
afterAll(() => server.close())

async function get(path: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { cookie: server.cookie } })
  return { status: answer.status, body: await answer.json() }
}

/** The answer, checked to match its schema exactly and to include the version. */
async function answerOf<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> {
  const { status, body } = await get(path)
  const { schemaVersion, ...answer } = body as { schemaVersion?: number }
  expect([path, status, schemaVersion, schema.safeParse(answer).error]).toEqual([path, 200, 1, undefined])
  return schema.parse(answer)
}

async function failureOf(path: string) {
  const { status, body } = await get(path)
  return { status, ...apiErrorSchema.parse(body).error }
}

describe('every resource answers in the form of the contract', () => {
  test('health', async () => {
    const health = await answerOf(questionPath('health'), healthSchema)
    expect(health.index.state).toBe('ready')
    expect(health.homes.map(({ exists }) => exists)).toEqual([true])
  })

  test('projects', async () => {
    const { projects, total } = await answerOf(questionPath('projects'), projectListSchema)
    expect(projects.length).toBe(total)
    expect(total).toBeGreaterThan(0)
  })

  test('sessions, by pages', async () => {
    const all = await answerOf(questionPath('sessions', { kind: 'all' }), sessionListSchema)
    const keys: string[] = []
    let cursor: string | undefined
    do {
      const page = await answerOf(
        questionPath('sessions', { kind: 'all', limit: 1, cursor }),
        sessionListSchema,
      )
      keys.push(...page.sessions.map((session) => session.key))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(keys).toEqual(all.sessions.map((session) => session.key))
    expect(all.total).toBe(keys.length)
  })

  test('a session with its messages, outputs and records', async () => {
    const detail = await answerOf(questionPath('sessions/:key', { key }), sessionDetailSchema)
    const { messages, total } = await answerOf(
      sessionPath('messages', key, { limit: 1000 }),
      messagePageSchema,
    )
    expect(messages.length).toBe(total)
    expect(detail.session.counts?.messages).toBe(total)

    const [message] = messages
    await answerOf(
      sessionPath('messages/:messageKey/raw', key, { messageKey: message?.key ?? '' }),
      rawRecordSchema,
    )
    const calls = messages.flatMap(({ toolCalls }) => toolCalls)
    for (const call of calls)
      await answerOf(sessionPath('tool-calls/:callId/output', key, { callId: call.id }), toolOutputSchema)
    expect(calls.length).toBeGreaterThan(0)
  })

  test('search, find, usage and doctor', async () => {
    const result = await answerOf(questionPath('search', { q: 'the' }), searchResultSchema)
    expect(result.hits.length).toBeGreaterThan(0)
    await answerOf(sessionPath('find', key, { q: 'the' }), findResultSchema)
    for (const by of ['day', 'model', 'project', 'tool', 'session']) {
      const report = await answerOf(questionPath('usage', { by }), usageReportSchema)
      expect(report.rows.length).toBeGreaterThan(0)
    }
    const doctor = await answerOf(questionPath('doctor'), doctorSchema)
    const { isComplete, isWell, retention, files } = doctor
    expect(await answerOf(questionPath('doctor/notes'), doctorNotesSchema)).toEqual({
      isComplete,
      isWell,
      missedFiles: files.skipped.filter(({ needsAttention }) => needsAttention).length,
      unknownNames: doctor.drift.length,
      dueSessions: new Set([...retention.expiring, ...retention.atRisk].map(({ sessionKey }) => sessionKey))
        .size,
      maxAgeDays: retention.maxAgeDays,
      reasons: files.skipped.flatMap(({ path, reason, sessionKey }) =>
        sessionKey ? [{ path, reason }] : [],
      ),
    })
  })
})

describe('what cannot be answered', () => {
  test('an unknown session, message, call or part is not found', async () => {
    for (const path of [
      questionPath('sessions/:key', { key: 'nowhere' }),
      sessionPath('messages', 'nowhere'),
      sessionPath('find', 'nowhere', { q: 'x' }),
      sessionPath('messages/:messageKey/raw', key, { messageKey: 'nowhere' }),
      sessionPath('messages/:messageKey/parts/:index', key, { messageKey: 'nowhere', index: 0 }),
      sessionPath('tool-calls/:callId/output', key, { callId: 'nowhere' }),
    ]) {
      expect(await failureOf(path)).toMatchObject({ status: 404, code: 'not-found' })
    }
  })

  test.each([
    ['/api/sessions?kind=moon', 'kind'],
    ['/api/sessions?from=yesterday', 'from'],
    ['/api/sessions?tz=Mars/Olympus', 'tz'],
    ['/api/sessions?project=a&project=b', 'project'],
    ['/api/usage?by=hour', 'by'],
    ['/api/search?mode=fuzzy', 'mode'],
    [`/api/search?model=${'x'.repeat(1001)}`, 'model'],
    ['/api/sessions/x/messages/y/parts/first', 'index'],
    ['/api/sessions/x/tool-calls/y/output?of=everything', 'of'],
  ])('%s names the field that is wrong', async (path, field) => {
    const failure = await failureOf(path)
    expect(failure).toMatchObject({ status: 400, code: 'bad-request' })
    expect(failure.message).toMatch(new RegExp(`^${field}: `))
  })

  test('a limit that is too large is clamped, one that is none is the default', async () => {
    for (const limit of ['999999', '-5', 'many', '1.5', ''])
      await answerOf(`/api/sessions?limit=${limit}`, sessionListSchema)
  })

  test.each([
    '..',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e%2f',
    '..%5c..%5c',
    '%5c%5chost%5cshare',
    '%00',
    'x%00.json',
    '....//',
    '%c0%ae%c0%ae',
    '%2fetc%2fpasswd',
    'C:%5cWindows',
    '__proto__',
    'constructor',
  ])('"%s" leads nowhere, wherever a key may stand', async (text) => {
    for (const path of [
      `/api/sessions/${text}`,
      `/api/sessions/${text}/messages`,
      `/api/sessions/${key}/messages/${text}/raw`,
      `/api/sessions/${key}/messages/${text}/parts/0`,
      `/api/sessions/${key}/tool-calls/${text}/output`,
      `/assets/${text}`,
    ]) {
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        headers: { cookie: server.cookie },
      })
      const body = await answer.text()
      // `..` is resolved by fetch itself and may end at a list or at the page.
      if (text !== '..') expect([path, [400, 404].includes(answer.status)]).toEqual([path, true])
      expect(body).not.toContain('root:')
    }
  })

  test('R45, R50: an unforeseen error shows an id, and nothing of what happened', async () => {
    const { sessions } = server.store
    server.store.sessions = async () => {
      throw new Error('secret text of /home/ada/.gemini/tmp/x.json')
    }
    const failure = await failureOf(questionPath('sessions'))
    server.store.sessions = sessions
    expect(failure).toMatchObject({ status: 500, code: 'internal' })
    expect(failure.message).not.toContain('secret')
    expect(server.problems.map(({ id, route }) => [failure.message.includes(id), route])).toEqual([
      [true, 'GET /api/sessions'],
    ])
  })
})

test('an event stream says hello and stays open', async () => {
  const leave = new AbortController()
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/events`, {
    headers: { cookie: server.cookie },
    signal: leave.signal,
  })
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const [hello] = await readEvents(answer)
  expect(hello).toEqual({ kind: 'hello', at: expect.any(Number), page: null })
  leave.abort()
})

/** The events in the first chunk that contains a message. */
async function readEvents(answer: Response): Promise<unknown[]> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('data: ')) text += (await reader?.read())?.value ?? ''
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
}
