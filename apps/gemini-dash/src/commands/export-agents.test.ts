import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ExportReview, exportReviewSchema, sessionsToExportSchema } from '@gemini-dash/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixtureHome, openTestServer, type TestServer } from '../../test/open-test-server.ts'

const MAIN = 'a9e47000-aaaa-4bbb-8ccc-000000000001'
const AGENT = 'a9e47000-aaaa-4bbb-8ccc-000000000002'
const NESTED = 'a9e47000-aaaa-4bbb-8ccc-000000000003'
const LARGE = 'a9e47000-aaaa-4bbb-8ccc-000000000004'
const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`

let folder: string
let server: TestServer
let keys: Map<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-export-agents-'))
  const home = join(folder, 'home')
  cpSync(fixtureHome('0.61.0'), home, { recursive: true })
  const chats = join(home, '.gemini/tmp/webshop/chats')
  mkdirSync(join(chats, MAIN))
  writeFileSync(
    join(chats, 'session-2026-11-22T10-00-a9e47000.jsonl'),
    log(MAIN, 'main', 1, ['Look around', 'Of main.'], [AGENT, AGENT, LARGE]),
  )
  const ofAgent = log(AGENT, 'subagent', 2, ['Look into src', `The agent saw ${TOKEN}.`], [NESTED, NESTED])
  writeFileSync(join(chats, MAIN, `${AGENT}.jsonl`), ofAgent)
  const ofNested = log(NESTED, 'subagent', 3, ['Look deeper', 'The nested one answers.'], [])
  writeFileSync(join(chats, MAIN, `${NESTED}.jsonl`), ofNested)
  const ofLarge = log(LARGE, 'subagent', 4, ['Look at all', 'much '.repeat(500_000)], [])
  writeFileSync(join(chats, MAIN, `${LARGE}.jsonl`), ofLarge)
  server = await openTestServer({ home })
  const { sessions } = (await (await get('/api/sessions?kind=all&limit=100')).json()) as {
    sessions: { key: string; sessionId: string }[]
  }
  keys = new Map(sessions.map(({ key, sessionId }) => [sessionId, key]))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** A prompt, and an answer that starts these sub-agents. */
function log(
  sessionId: string,
  kind: string,
  minute: number,
  [asked, said]: [string, string],
  agentIds: string[],
): string {
  const time = (second: number) => `2026-11-22T10:0${minute}:0${second}.000Z`
  const toolCalls = agentIds.map((agentId, index) => ({
    id: `${sessionId}-call-${index}`,
    name: 'invoke_agent',
    args: { prompt: 'Go' },
    status: 'success',
    timestamp: time(3),
    agentId,
    result: [{ functionResponse: { id: 'call', name: 'invoke_agent', response: { output: 'went' } } }],
  }))
  const tokens = { input: 10, output: 2, cached: 0, thoughts: 0, tool: 0, total: 12 }
  const records = [
    { sessionId, projectHash: 'f'.repeat(64), startTime: time(0), lastUpdated: time(5), kind },
    { id: `${sessionId}-p`, timestamp: time(1), type: 'user', content: [{ text: asked }] },
    {
      id: `${sessionId}-g`,
      timestamp: time(2),
      type: 'gemini',
      content: said,
      model: 'm',
      tokens,
      toolCalls,
    },
  ]
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

const get = (path: string) =>
  fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { cookie: server.cookie } })
const exported = async (query: string) =>
  (await get(`/api/sessions/${keys.get(MAIN)}/export?${query}`)).text()
const timesIn = (text: string, words: string) => text.split(words).length - 1

test('a sub-agent’s conversation leaves folded in the call that started it, once, the nested one in it', async () => {
  const text = await exported('format=markdown')
  expect(text.match(/^#+ (?:You|Gemini|Task|Sub-agent)\b/gm)).toEqual([
    '## You',
    '## Gemini',
    '### Task',
    '### Sub-agent',
    '#### Task',
    '#### Sub-agent',
  ])
  expect(['Of main.', 'Look into src', 'The nested one answers.'].map((said) => timesIn(text, said))).toEqual(
    [1, 1, 1],
  )
  expect(timesIn(text, '<details>')).toBe(timesIn(text, '</details>'))
  expect(timesIn(text, '<summary>Its conversation, 2 messages</summary>')).toBe(2)
  // an agent too large to be included is exported as a session of its own
  expect(text).toContain(`*Its conversation is a session of its own: ${keys.get(LARGE)}*`)
  expect(text).not.toContain('much much')
  expect(await exported('format=markdown&depth=talk')).not.toContain('Look into src')
})

test('R22: a sub-agent’s conversation leaves without its secrets, and the review counts them', async () => {
  expect(await exported('format=markdown')).not.toContain(TOKEN)
  expect(await exported('format=markdown&redact=off')).toContain(TOKEN)
  const reviewOf = async (format: string) => {
    const path = `/api/sessions/${keys.get(MAIN)}/export/review?format=${format}`
    const { changes } = exportReviewSchema.parse((await (await get(path)).json()) as ExportReview)
    return changes.find(({ kind }) => kind === 'secret')
  }
  const secrets = await reviewOf('markdown')
  expect(secrets).toMatchObject({ count: 1, examples: [{ value: TOKEN, messageKey: `${MAIN}-g` }] })
  expect(await reviewOf('vac')).toBeUndefined()
  expect(await exported(`format=markdown&keep=${secrets?.examples[0]?.id}`)).toContain(TOKEN)
})

test('of several that leave together it is told which, so that each can be reviewed', async () => {
  const asked = `/api/export/sessions?keys=${keys.get(NESTED)},${keys.get(MAIN)}`
  const { sessions } = sessionsToExportSchema.parse(await (await get(asked)).json())
  expect(sessions).toEqual([
    { key: keys.get(NESTED), title: 'Look deeper' },
    { key: keys.get(MAIN), title: 'Look around' },
  ])
})

test('a sub-agent that stands in the call of another one that leaves is no file of its own, unless it is asked for by its key', async () => {
  const leaving = async (query: string) => {
    const { sessions } = sessionsToExportSchema.parse(
      await (await get(`/api/export/sessions?${query}`)).json(),
    )
    return [MAIN, AGENT, NESTED, LARGE].filter((id) => sessions.some(({ key }) => key === keys.get(id)))
  }
  expect(await leaving('project=webshop&format=markdown')).toEqual([MAIN, LARGE])
  expect(await leaving('project=webshop&format=html')).toEqual([MAIN, LARGE])
  // an agent that no call refers to is exported as a session of its own
  const all = [MAIN, AGENT, NESTED, LARGE]
  expect(await leaving('project=webshop&format=json')).toEqual(all)
  expect(await leaving('project=webshop&format=markdown&depth=talk')).toEqual(all)
  expect(await leaving('q=nested&format=markdown')).toEqual([NESTED])
  expect(await leaving(`keys=${all.map((id) => keys.get(id))}&format=markdown`)).toEqual(all)
})
