import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  messagePageSchema,
  questionPath,
  sessionListSchema,
  sessionPath,
  sessionQuestions,
} from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestServer, type TestServer } from './open-test-server.ts'

const TIME = '2026-11-21T20:00:00.000Z'
const MANY_KEYS = 400_000

/** JSON as text: V8 cannot serialize such deep nesting. */
const HOSTILE = {
  '0a0a0a0a': `{"deep":${'['.repeat(6_000)}1${']'.repeat(6_000)}}`,
  '0b0b0b0b': `{"deep":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
  '0d0d0d0d': `{"text":"${'word and text '.repeat(2_000_000)}"}`,
  '0c0c0c0c': `{${Array.from({ length: MANY_KEYS }, (_, at) => `"k${at}":${at}`).join(',')}}`,
}

let folder: string
let server: TestServer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-hostile-'))
  const chats = join(folder, '.gemini', 'tmp', 'webshop', 'chats')
  mkdirSync(chats, { recursive: true })
  for (const [name, args] of Object.entries(HOSTILE)) {
    const call = `{"id":"call-${name}","name":"odd_tool","args":${args},"status":"success","timestamp":"${TIME}"}`
    const lines = [
      `{"sessionId":"${name}-aaaa-4bbb-8ccc-0123456789ab","projectHash":"x","startTime":"${TIME}","lastUpdated":"${TIME}"}`,
      `{"id":"u1","timestamp":"${TIME}","type":"user","content":"session ${name}"}`,
      `{"id":"g1","timestamp":"${TIME}","type":"gemini","content":"done","toolCalls":[${call}]}`,
    ]
    writeFileSync(join(chats, `session-2026-11-21T20-00-${name}.jsonl`), `${lines.join('\n')}\n`)
  }
  server = await openTestServer({ home: folder })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

function ask(path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { cookie: server.cookie } })
}

async function keyOf(name: string): Promise<string> {
  const { sessions } = sessionListSchema.parse(await (await ask(questionPath('sessions'))).json())
  return sessions.find(({ sessionId }) => sessionId.startsWith(name))?.key ?? ''
}

describe.each(Object.keys(HOSTILE))('R21, R59, B10, B11: a session with a hostile argument (%s)', (name) => {
  test('answers every route', async () => {
    const key = await keyOf(name)
    const questions = sessionQuestions.filter((question) => !question.includes(':'))
    const parts = questions.map((question) => (question === 'find' ? '/find?q=done' : `/${question}`))
    expect(parts).toContain('/changes')
    for (const part of ['', ...parts, `/tool-calls/call-${name}/output`]) {
      const answer = await ask(`/api/sessions/${key}${part}`)
      expect([part, answer.status]).toEqual([part, 200])
      await answer.arrayBuffer()
    }
    expect((await ask('/api/search?q=done')).status).toBe(200)
  })

  test('has its record to be read raw, whole', async () => {
    const answer = await ask(sessionPath('messages/:messageKey/raw', await keyOf(name), { messageKey: 'g1' }))
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain(`"args":${HOSTILE[name as keyof typeof HOSTILE]}`)
  })

  test('comes to the page with an argument that fits it, and a link to the whole', async () => {
    const key = await keyOf(name)
    const page = messagePageSchema.parse(
      await (await ask(sessionPath('messages', key, { limit: 10 }))).json(),
    )
    const call = page.messages.at(-1)?.toolCalls[0]
    expect(JSON.stringify(call?.args).length).toBeLessThan(400_000)
    const isWhole = call?.cut === undefined && name === '0a0a0a0a'
    expect(
      isWhole || call?.cut?.href === sessionPath('messages/:messageKey/raw', key, { messageKey: 'g1' }),
    ).toBe(true)
  })
})
