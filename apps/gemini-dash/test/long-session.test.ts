import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  findResultSchema,
  messagePageSchema,
  questionPath,
  rawRecordSchema,
  sessionDetailSchema,
  sessionListSchema,
  sessionPath,
} from '@gemini-dash/api'
import { toolOutputSchema } from 'gemini-sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { openTestServer, type TestServer } from './open-test-server.ts'

const MESSAGES = 20_000
const CALLS_EVERY = 20
/** The 19,000th message: an answer with a call. */
const HIT = 18_999
const WORD = 'wolpertinger'

describe('a session of 20,000 messages', () => {
  let folder: string
  let server: TestServer
  let key: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-long-'))
    const chats = join(folder, '.gemini', 'tmp', 'webshop', 'chats')
    mkdirSync(chats, { recursive: true })
    writeFileSync(join(folder, '.gemini', 'tmp', 'webshop', '.project_root'), '/home/mia/webshop')
    writeFileSync(join(chats, 'session-2026-11-21T20-00-0a0a0a0a.jsonl'), longLog())
    server = await openTestServer({ home: folder })
    const { sessions } = await answerOf(questionPath('sessions'), sessionListSchema)
    key = sessions[0]?.key ?? ''
  })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })

  async function answerOf<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: { cookie: server.cookie },
    })
    const { schemaVersion, ...body } = (await answer.json()) as { schemaVersion?: number }
    expect([path, answer.status, schemaVersion]).toEqual([path, 200, 1])
    return schema.parse(body)
  }

  const pageOf = (query: Record<string, string | number>) =>
    answerOf(sessionPath('messages', key, query), messagePageSchema)

  test('is seen whole from above, and read page by page', async () => {
    const [detail, first] = await Promise.all([
      answerOf(questionPath('sessions/:key', { key }), sessionDetailSchema),
      pageOf({ limit: 100 }),
    ])
    expect(detail.messageTotal).toBe(MESSAGES)
    expect(detail.outline).toHaveLength(MESSAGES / 2)
    expect(detail.outline.at(-1)).toMatchObject({ firstOffset: MESSAGES - 2, messageCount: 2, toolErrors: 0 })
    expect(detail.outline.reduce((sum, turn) => sum + turn.toolCalls, 0)).toBe(MESSAGES / CALLS_EVERY)
    // From the shell's "success" with exit code 1.
    expect(detail.outline.reduce((sum, turn) => sum + turn.toolErrors, 0)).toBe(1)
    expect(first).toMatchObject({ total: MESSAGES, offset: 0, nextOffset: 100 })
    const last = await pageOf({ offset: MESSAGES - 100, limit: 100 })
    expect(last.nextOffset).toBeNull()
    expect(last.messages.map(({ id }) => id)).toEqual(
      Array.from({ length: 100 }, (_, n) => idOf(MESSAGES - 100 + n)),
    )
  })

  test('is searched to its end: a word in message 19,000', async () => {
    const { hits, total } = await answerOf(
      sessionPath('find', key, { q: WORD.toUpperCase() }),
      findResultSchema,
    )
    expect(total).toBe(1)
    expect(hits[0]).toMatchObject({ messageKey: idOf(HIT), offset: HIT, field: 'tool-output' })
    expect(hits[0]?.snippet).toContain(WORD)
    expect(
      (await answerOf(sessionPath('find', key, { q: '"answer 19999"' }), findResultSchema)).hits,
    ).toMatchObject([{ offset: 19_999, field: 'answer' }])
  })

  test('opens around that message, with its whole output, its record and its line', async () => {
    const page = await pageOf({ around: idOf(HIT), limit: 30 })
    const message = page.messages.find(({ id }) => id === idOf(HIT))
    expect(page.offset).toBe(HIT - 10)
    expect(message).toEqual(page.messages[10])
    const output = { kind: 'text', text: outputOf(HIT) }
    expect(message?.toolCalls[0]).toMatchObject({ exitCode: 1, failed: true, output })
    expect(
      await answerOf(
        sessionPath('tool-calls/:callId/output', key, { callId: callIdOf(HIT) }),
        toolOutputSchema,
      ),
    ).toEqual(output)
    const raw = await answerOf(
      sessionPath('messages/:messageKey/raw', key, { messageKey: idOf(HIT) }),
      rawRecordSchema,
    )
    expect(raw).toMatchObject({ line: HIT + 2, record: rowOf(HIT) })
  })
})

function longLog(): string {
  const metadata = {
    sessionId: '0a0a0a0a-1b1b-4c4c-8d8d-2e2e2e2e2e2e',
    projectHash: 'a'.repeat(64),
    startTime: timeOf(0),
    lastUpdated: timeOf(MESSAGES),
    kind: 'main',
  }
  const rows = Array.from({ length: MESSAGES }, (_, n) => rowOf(n))
  return [metadata, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('')
}

function rowOf(n: number) {
  const row = { id: idOf(n), timestamp: timeOf(n) }
  if (n % 2 === 0) return { ...row, type: 'user', content: [{ text: `prompt ${n}` }] }
  const tokens = { input: n, output: 5, cached: 0, thoughts: 0, tool: 0, total: n + 5 }
  const answer = { ...row, type: 'gemini', content: `answer ${n}`, tokens, model: 'gemini-2.5-pro' }
  return n % CALLS_EVERY === CALLS_EVERY - 1 ? { ...answer, toolCalls: [callOf(n)] } : answer
}

function callOf(n: number) {
  const id = callIdOf(n)
  const name = 'run_shell_command'
  const response = { output: outputOf(n) }
  return {
    id,
    name,
    args: { command: `npm run step-${n}` },
    result: [{ functionResponse: { id, name, response } }],
    status: 'success',
    timestamp: timeOf(n),
    resultDisplay: outputOf(n),
  }
}

/** Some KB: more than is held in memory for an opened session, and in total enough to be read by a thread of its own. */
function outputOf(n: number): string {
  const lines = Array.from({ length: 140 }, (_, at) => `step ${n}: line ${at} of what the command printed`)
  if (n === HIT) lines.splice(40, 0, `a ${WORD} in the middle`)
  return `${lines.join('\n')}\nExit Code: ${n === HIT ? 1 : 0}`
}

function idOf(n: number): string {
  return `message-${n}`
}

function callIdOf(n: number): string {
  return `run_shell_command_${n}`
}

function timeOf(n: number): string {
  return new Date(Date.UTC(2026, 10, 21, 20) + n * 1000).toISOString()
}
