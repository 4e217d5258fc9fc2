import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiError, type Otherwise, questionPath, searchResultSchema } from '@gemini-dash/api'
import { cutQuery } from '@gemini-dash/api/cut-query'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openTestServer, type TestServer } from './open-test-server.ts'
import { programEnvironment, runProgram } from './run-program.ts'

const COMMANDS = [
  'git commit -m "wip: turnip"',
  'rm -rf turnips dist',
  'tar -xzf turnips.tgz',
  'docker run -it --rm -p 8080:80 turnip',
  'curl -X POST -H "Accept: text/plain" localhost:3000',
  'find . -name "*.turnip" -mtime -1',
]

/** Lines of a stack trace: 20 kB. */
const FRAMES = Array.from(
  { length: 280 },
  (_, at) => `    at plantTurnip${at} (file:///home/mia/garden/src/plant-${at}.ts:${at}:5)`,
)
const TRACE = `Error: -no turnip OR nothing: is:error\n${FRAMES.join('\n')}`

/** Each is a session of prompts; the first is the oldest. */
const SESSIONS = [
  COMMANDS,
  ['Write the unboxing page', 'Who is Borrowman?'],
  ['Borrowman called', 'He liked the unboxing'],
  ['A page without both: unboxing alone', 'It calls getAccountBalanceById'],
  ['See file:///home/mia/turnip.txt for more'],
  [TRACE],
  [`The logo: data:image/svg+xml;base64,${Buffer.from('<svg>turnip</svg>'.repeat(9)).toString('base64')}`],
]

let folder: string
let server: TestServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
  const chats = join(folder, '.gemini', 'tmp', 'shop', 'chats')
  mkdirSync(chats, { recursive: true })
  SESSIONS.forEach((prompts, at) => {
    const startTime = `2026-10-0${at + 1}T10:00:00.000Z`
    const sessionId = `0000000${at}-0000-4000-8000-000000000000`
    const records = [
      { sessionId, projectHash: 'f'.repeat(64), startTime, lastUpdated: startTime },
      ...prompts.map((text, place) => ({
        ...{ id: `m${place}`, timestamp: startTime, type: 'user', content: [{ text }] },
      })),
    ]
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
    writeFileSync(join(chats, `session-2026-10-0${at + 1}T10-00-0000000${at}.jsonl`), text)
  })
  const saved = { callId: 'c1', at: '2026-10-08T10:00:00.000Z' }
  const call = {
    ...{ id: saved.callId, name: 'run_shell_command', args: { command: 'cat all.log' }, status: 'success' },
    result: [
      {
        functionResponse: {
          ...{ id: saved.callId, name: 'run_shell_command' },
          response: {
            output: `line 1\n[Full output saved to: /home/mia/.gemini/tmp/shop/tool-outputs/run_1.txt]`,
          },
        },
      },
    ],
  }
  const logs = [
    { sessionId: 'saved', projectHash: 'f'.repeat(64), startTime: saved.at, lastUpdated: saved.at },
    { id: 'm1', timestamp: saved.at, type: 'user', content: [{ text: 'Show the whole log' }] },
    { id: 'm2', timestamp: saved.at, type: 'gemini', content: 'Here', toolCalls: [call] },
  ]
  writeFileSync(
    join(chats, 'session-2026-10-08T10-00-saved.jsonl'),
    logs.map((record) => `${JSON.stringify(record)}\n`).join(''),
  )
  server = await openTestServer({ home: folder })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function search(q: string, rest: Record<string, string> = {}) {
  const path = questionPath('search', { q, ...rest })
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { cookie: server.cookie } })
  const { otherwise = [], ...result } = searchResultSchema.parse(await answer.json())
  return { ...result, otherwise }
}

const DATA = 'Words are not looked for in the base64 data of 1 message.'
const SAVED = 'Outputs that Gemini CLI saved to separate files are not searched: those of 1 message.'

const sentences = (otherwise: Otherwise[]) => otherwise.map(({ sentence }) => sentence)

describe('a pasted command', () => {
  test.each(COMMANDS)('%s is text, as it is there', async (command) => {
    const { total, hits, filters, notes } = await search(command)
    expect(total).toBe(1)
    expect(hits[0]?.snippet).toContain(command)
    expect(filters).toEqual([])
    expect(notes).toEqual([
      expect.stringMatching(/^“-.* searched for as text, because this exact text was found\.$/),
    ])
  })

  test('that is not there names what was read as words to leave out', async () => {
    const { total, otherwise } = await search('turnip carrot -rf -D')
    expect(total).toBe(0)
    expect(otherwise[0]).toEqual({
      kind: 'read',
      sentence: '“-rf” and “-D” were read as words to leave out.',
      total: null,
      sessions: [],
    })
  })

  test('is not what a word to leave out is for, where there are results', async () => {
    const { total, otherwise } = await search('unboxing -alone')
    expect([total, otherwise]).toEqual([2, []])
  })
})

test('a pasted address is text where it is there, and else its filter is named', async () => {
  expect((await search('file:///home/mia/turnip.txt')).total).toBe(1)
  const { total, otherwise } = await search('file:///home/mia/carrot.txt')
  expect(total).toBe(0)
  expect(sentences(otherwise)).toEqual(['“file:///home/mia/carrot.txt” was read as a filter.'])
})

test('words of one conversation in different messages name its sessions, the newest first', async () => {
  const { total, otherwise } = await search('unboxing Borrowman')
  expect(total).toBe(0)
  expect(otherwise).toEqual([
    {
      kind: 'sessions',
      sentence: '2 sessions have all these words, in different messages.',
      total: 2,
      sessions: [
        { key: expect.any(String), title: 'Borrowman called' },
        { key: expect.any(String), title: 'Write the unboxing page' },
      ],
    },
  ])
  expect((await search('unboxing Borrowman after:2026-10-03')).otherwise).toMatchObject([{ total: 1 }])
  expect(sentences((await search('unboxing xylophone')).otherwise)).toEqual([DATA, SAVED])
  expect((await search('unboxing OR Borrowman')).otherwise).toEqual([])
})

test('a part of a symbol has so many results as exact text', async () => {
  const { total, otherwise } = await search('AccountBalance')
  expect([total, sentences(otherwise)]).toEqual([0, ['Exact text has 1 result.']])
  const { total: exact } = await search('AccountBalance', { mode: 'substring' })
  expect(otherwise[0]?.total).toBe(exact)
})

test('N1: data that words are not looked for in is counted, of what the filters leave', async () => {
  const { total, otherwise } = await search('xylophone')
  expect([total, otherwise]).toEqual([
    0,
    [
      { kind: 'data', sentence: DATA, total: 1, sessions: [] },
      { kind: 'saved', sentence: SAVED, total: 1, sessions: [] },
    ],
  ])
  expect((await search('has:data')).total).toBe(1)
  expect((await search('has:saved')).hits).toMatchObject([{ messageKey: expect.any(String) }])
  expect((await search('xylophone before:2026-10-03')).otherwise).toEqual([])
  expect((await search('before:2026-09-01')).otherwise).toEqual([])
})

test.each([
  ['1.5 kB', TRACE.slice(0, 1_500)],
  ['1.5 kB on one line, as the box has it', TRACE.slice(0, 1_500).replaceAll('\n', ' ')],
  ['20 kB', TRACE],
])('a stack trace of %s is found by its words', async (size, trace) => {
  const { total, hits, filters, notes } = await search(cutQuery(trace))
  expect([total, filters]).toEqual([1, []])
  expect(hits[0]?.sessionKey).toBe((await search('plantTurnip7')).hits[0]?.sessionKey)
  const cut =
    size === '20 kB' ? [expect.stringMatching(/^Only its first 3,\d{3} characters were searched for\.$/)] : []
  expect(notes).toEqual([...cut, 'Only the first 32 words were searched for.'])
})

test('an address that is too long gets a page, and programs JSON', async () => {
  const address = `http://127.0.0.1:${server.port}/search?q=${'x'.repeat(9_000)}`
  const page = await fetch(address, { headers: { cookie: server.cookie, accept: 'text/html' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([414, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain('<h1>This address is too long</h1>')
  const answer = await fetch(address, { headers: { cookie: server.cookie } })
  const refused = (await answer.json()) as ApiError
  expect([answer.status, refused.error.code]).toEqual([414, 'too-large'])
})

test('the command line and agents have the same', async () => {
  const own = ['--home', folder, '--cache-dir', join(folder, 'c'), '--data-dir', join(folder, 'd')]
  const { otherwise } = await search('unboxing Borrowman')
  const told = await runProgram(['search', 'unboxing Borrowman', ...own])
  expect(told.stderr).toContain(otherwise[0]?.sentence)
  for (const { key } of otherwise[0]?.sessions ?? []) expect(told.stderr).toContain(key)
  const part = await runProgram(['search', 'AccountBalance', ...own])
  expect(part.stderr).toContain('Exact text has 1 result. Search for it with --mode substring.')

  const pasted = await runProgram(['search', TRACE, '--json', ...own])
  expect(JSON.parse(pasted.stdout)).toMatchObject({ total: 1 })

  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(inject('program'), 'cli.js'), 'mcp', ...own],
      env: programEnvironment(),
    }),
  )
  const answer = await client.callTool({
    name: 'search_sessions',
    arguments: { q: 'unboxing Borrowman', include_running: true },
  })
  await client.close()
  const [{ text = '' } = {}] = answer.content as { text?: string }[]
  expect(JSON.parse(text).otherwise).toEqual(otherwise)
})
