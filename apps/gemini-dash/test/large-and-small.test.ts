import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messagePageSchema, questionPath, sessionListSchema, sessionPath } from '@gemini-dash/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestServer, type TestServer } from './open-test-server.ts'

/** More than the thread for small sessions reads. */
const LARGE_CHARS = 17 * 1024 * 1024

let folder: string
let server: TestServer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-large-'))
  const chats = join(folder, '.gemini', 'tmp', 'webshop', 'chats')
  mkdirSync(chats, { recursive: true })
  writeSession(chats, '0a0a0a0a', 'The small one', 10)
  writeSession(chats, '0b0b0b0b', 'The large one', LARGE_CHARS)
  server = await openTestServer({ home: folder })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

function writeSession(chats: string, name: string, prompt: string, answerChars: number): void {
  const time = '2026-11-21T20:00:00.000Z'
  const records = [
    {
      sessionId: `${name}-aaaa-4bbb-8ccc-0123456789ab`,
      projectHash: 'x',
      startTime: time,
      lastUpdated: time,
    },
    { id: `${name}-1`, timestamp: time, type: 'user', content: prompt },
    {
      id: `${name}-2`,
      timestamp: time,
      type: 'gemini',
      content: `${prompt} answers ${'.'.repeat(answerChars)}`,
    },
  ]
  const lines = records.map((record) => `${JSON.stringify(record)}\n`)
  writeFileSync(join(chats, `session-2026-11-21T20-00-${name}.jsonl`), lines.join(''))
}

async function answerOf(path: string): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { cookie: server.cookie } })
  expect([path, answer.status]).toEqual([path, 200])
  return answer.json()
}

test('a small session is read before, after and beside a large one', async () => {
  const { sessions } = sessionListSchema.parse(await answerOf(questionPath('sessions')))
  const read = async (title: string) => {
    const key = sessions.find((session) => session.title === title)?.key ?? ''
    const { messages } = messagePageSchema.parse(await answerOf(sessionPath('messages', key, { limit: 10 })))
    return messages.map(({ content }) => {
      const text = content.map((part) => ('text' in part ? part.text : '')).join('')
      return text.replace(/\.+$/, '').trim()
    })
  }
  const small = ['The small one', 'The small one answers']
  const large = ['The large one', 'The large one answers']
  expect(await read('The small one')).toEqual(small)
  expect(await read('The large one')).toEqual(large)
  expect(await Promise.all(['The small one', 'The large one'].map(read))).toEqual([small, large])
})
