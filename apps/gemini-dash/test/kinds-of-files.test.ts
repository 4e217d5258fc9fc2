import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  type Doctor,
  doctorSchema,
  messagePageSchema,
  searchResultSchema,
  sessionListSchema,
} from '@gemini-dash/api'
import { FILE_KINDS, type FileKind, fileKindSchema, type SessionSummary } from 'gemini-sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ISSUE_TEXTS } from '../src/store/doctor/build-doctor.ts'
import { type RunningProgram, runProgram, startProgram } from './run-program.ts'

// Every kind of file that can be found among sessions, derived from one good session: each is listed, and the doctor says what it is.

const START = '2026-03-01T10:00:00.000Z'
const METADATA = {
  sessionId: 'aaaa1111-0000-4000-8000-000000000001',
  projectHash: 'f'.repeat(64),
  startTime: START,
  kind: 'main',
}
const PROMPT = { id: 'p1', type: 'user', timestamp: START, content: 'count the pelicans' }
const ANSWER = {
  id: 'g1',
  type: 'gemini',
  timestamp: '2026-03-01T10:00:09.000Z',
  content: 'There are twelve pelicans.',
  model: 'gemini-2.5-pro',
}
const RECORDS = [METADATA, PROMPT, ANSWER]
const SESSION = { ...METADATA, lastUpdated: START, messages: [PROMPT, ANSWER] }
const TURNS = [PROMPT, ANSWER].map(({ type, content }) => ({
  role: type === 'user' ? 'user' : 'model',
  parts: [{ text: content }],
}))
const TYPED = {
  sessionId: METADATA.sessionId,
  messageId: 0,
  type: 'user',
  message: PROMPT.content,
  timestamp: START,
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2)
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')

/** By file name in `chats/`, with its kind. */
const FOREIGN: Record<string, readonly [FileKind, string | Uint8Array]> = {
  'session-list-of-turns.json': ['saved-chat', pretty(TURNS)],
  'session-history.json': ['saved-chat', pretty({ history: TURNS, authType: 'oauth-personal' })],
  'session-history-on-one-line.json': ['saved-chat', JSON.stringify({ history: TURNS })],
  'session-history-cut.json': ['saved-chat', pretty({ history: TURNS }).slice(0, -40)],
  'session-history-utf16.json': ['saved-chat', utf16(pretty(TURNS))],
  'session-turns.jsonl': ['saved-chat', lines(...TURNS)],
  'session-restore.json': [
    'restore-point',
    pretty({
      history: [{ type: 'user', text: 'x' }],
      clientHistory: TURNS,
      commitHash: 'abc',
      toolCall: { name: 'replace', args: {} },
    }),
  ],
  'session-typed.json': ['prompt-log', pretty([TYPED])],
  'session-typed.jsonl': ['prompt-log', lines(TYPED, TYPED)],
  'session-export.json': [
    'gemini-dash-export',
    `${JSON.stringify({ schemaVersion: 1, session: { key: 'x', ...METADATA }, segments: [] }).slice(0, -1)},"messages":[\n${JSON.stringify(PROMPT)}\n]}\n`,
  ],
  'session-export.jsonl': [
    'gemini-dash-export',
    lines({ schemaVersion: 1, session: METADATA, segments: [] }, PROMPT, ANSWER),
  ],
  'session-vac.json': [
    'conversation-record',
    pretty({ version: '0.0.1', 'recording-agent': { name: 'gemini-dash' }, session: { entries: [] } }),
  ],
  'session-stream.jsonl': [
    'stream-json',
    `Loaded cached credentials.\n${lines({ type: 'init', timestamp: START, session_id: METADATA.sessionId, model: 'x' }, { type: 'message', timestamp: START, role: 'user', content: PROMPT.content }, { type: 'result', timestamp: START, status: 'success', stats: {} })}`,
  ],
  'session-stream-without-init.jsonl': [
    'stream-json',
    lines(
      { type: 'message', timestamp: START, role: 'assistant', content: 'There', delta: true },
      { type: 'tool_use', tool_name: 'x', tool_id: '1' },
    ),
  ],
  'session-output.json': [
    'json-output',
    pretty({ session_id: METADATA.sessionId, response: ANSWER.content, stats: { models: {} } }),
  ],
  'session-activity.jsonl': [
    'activity-log',
    lines({ type: 'console', payload: { type: 'log' }, sessionId: METADATA.sessionId, timestamp: START }),
  ],
  'session-telemetry.json': [
    'telemetry',
    `${pretty({ hrTime: [1, 2], resource: { attributes: {} }, attributes: { 'session.id': 'x', 'event.name': 'gemini_cli.user_prompt' } })}\n${pretty({ resource: {}, attributes: {} })}\n`,
  ],
  'session-claude.jsonl': [
    'claude-code',
    lines({
      parentUuid: null,
      isSidechain: false,
      sessionId: METADATA.sessionId,
      type: 'user',
      message: { role: 'user', content: 'hi' },
      uuid: 'u1',
      timestamp: START,
    }),
  ],
  'session-claude-summary.jsonl': [
    'claude-code',
    lines({ type: 'summary', summary: 'Pelicans', leafUuid: 'u1' }),
  ],
  'session-codex.jsonl': [
    'codex',
    lines(
      { timestamp: START, type: 'session_meta', payload: { id: 'x', cwd: '/code' } },
      { timestamp: START, type: 'response_item', payload: { type: 'message', role: 'user', content: [] } },
    ),
  ],
  'session-qwen.jsonl': [
    'qwen-code',
    lines({
      uuid: 'u1',
      parentUuid: null,
      sessionId: METADATA.sessionId,
      timestamp: START,
      type: 'user',
      cwd: '/code',
      message: { role: 'user', parts: [{ text: 'hi' }] },
    }),
  ],
  'session-roles.json': [
    'chat-of-another-tool',
    pretty([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello' },
    ]),
  ],
  'session-roles-in-messages.json': [
    'chat-of-another-tool',
    pretty({ model: 'x', messages: [{ role: 'user', content: 'hi' }] }),
  ],
  'session-page.json': ['html', '<!doctype html>\n<html lang="en"><body>count the pelicans</body></html>'],
  'session-text.json': ['markdown', '---\nid: "x"\n---\n\n# Pelicans\n'],
  'session-pointer.json': [
    'git-lfs-pointer',
    'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n',
  ],
  'session-packed.json': ['compressed', gzipSync(pretty(SESSION))],
  'session-database.json': [
    'database',
    Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(64, 1)]),
  ],
  'session-bytes.json': ['binary', Buffer.from(Array.from({ length: 200 }, (_, at) => (at * 37) % 256))],
  'session-zeros.jsonl': ['zeros', Buffer.alloc(500)],
  'session-comments.json': [
    'commented-json',
    `// A session\n${pretty(METADATA).replace('{', '{ /* id */')}\n\n// A message\n${pretty(PROMPT)}\n`,
  ],
  'session-null.json': ['json-value', 'null\n'],
  'session-number.jsonl': ['json-value', '12'],
  'session-string.json': ['json-value', '"count the pelicans"'],
  'session-list.json': ['json-list', '[1, 2, 3]'],
  'session-object.json': ['json-object', pretty({ name: 'package', version: '1.0.0' })],
  'session-empty-object.json': ['json-object', '{}'],
  'session-objects.jsonl': ['json-lines', lines({ a: 1 }, { b: 2 })],
  'session-words.json': ['text', 'Error: no space left on device\n'],
}

/** Incomplete sessions, with the issue that explains why; the rest of their content is shown. */
const DAMAGED: Record<string, readonly [keyof typeof ISSUE_TEXTS, string]> = {
  'session-2026-03-01T10-01-dd000001.json': ['empty-file', ''],
  'session-2026-03-01T10-01-dd000002.json': ['truncated-json', pretty(SESSION).slice(0, -80)],
  'session-2026-03-01T10-01-dd000003.json': ['nothing-whole', pretty(SESSION).slice(0, 330)],
  'session-2026-03-01T10-01-dd000004.json': ['text-behind', `${pretty(SESSION)}\n} rest of an older version`],
  'session-2026-03-01T10-01-dd000005.json': ['broken-json', pretty(SESSION).replace('"g1"', '"g1" x')],
  'session-2026-03-01T10-01-dd000006.jsonl': ['torn-tail', JSON.stringify(METADATA).slice(0, 60)],
}

/** Readable forms of the session itself, each with its own id. */
const READ: Record<string, readonly [keyof typeof ISSUE_TEXTS | null, (id: string) => string | Uint8Array]> =
  {
    'session-2026-03-01T10-02-ee000001.jsonl': [null, (id) => withId(id, lines(...RECORDS))],
    'session-2026-03-01T10-02-ee000002.json': [null, (id) => withId(id, pretty(SESSION))],
    'session-2026-03-01T10-02-ee000003.json': ['utf-16', (id) => utf16(withId(id, pretty(SESSION)))],
    'session-2026-03-01T10-02-ee000004.jsonl': [
      'utf-16',
      (id) => utf16(withId(id, lines(...RECORDS))).subarray(2),
    ],
    'session-2026-03-01T10-02-ee000005.jsonl': [
      'spread-record',
      (id) => withId(id, RECORDS.map(pretty).join('\n')),
    ],
    'session-2026-03-01T10-02-ee000006.json': [
      null,
      (id) => withId(id, pretty({ ...SESSION, messages: [{ ...PROMPT, type: 'human' }, ANSWER] })),
    ],
  }

function withId(id: string, text: string): string {
  return text.replaceAll(METADATA.sessionId, id)
}

let root: string
let rows: SessionSummary[]
let doctor: Doctor
let doctorCode: number | null
let serving: RunningProgram
/** Its address. */
let server: string
const CHATS = 'home/.gemini/tmp/shop/chats'
const OWN = (home = 'home') => [
  '--home',
  join(root, home),
  '--cache-dir',
  join(root, 'cache'),
  '--data-dir',
  join(root, 'data'),
]

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'kinds-'))
  write('home/.gemini/tmp/shop/.project_root', '/code/shop')
  for (const [name, [, content]] of [...Object.entries(FOREIGN), ...Object.entries(DAMAGED)])
    write(`${CHATS}/${name}`, content)
  for (const [name, [, content]] of Object.entries(READ)) write(`${CHATS}/${name}`, content(idOf(name)))
  const list = await runProgram(['list', '--kind', 'all', '--limit', '1000', '--json', ...OWN()])
  rows = sessionListSchema.parse(JSON.parse(list.stdout)).sessions
  const report = await runProgram(['doctor', '--json', ...OWN()])
  doctor = doctorSchema.parse(JSON.parse(report.stdout))
  doctorCode = report.code
  serving = startProgram(['serve', '--no-open', '--no-token', '--port', '0', '--json', ...OWN()])
  server = JSON.parse(await serving.firstLine).url
})
afterAll(async () => {
  serving.child.kill('SIGTERM')
  await serving.finished
  rmSync(root, { recursive: true, force: true })
})

const idOf = (name: string) => `${/[0-9a-f]{8}(?=\.)/.exec(name)?.[0]}-0000-4000-8000-000000000001`
const rowOf = (name: string) => rows.find(({ files }) => files.some(({ path }) => path.endsWith(`/${name}`)))
const skippedOf = (name: string) => doctor.files.skipped.find(({ path }) => path.endsWith(`/chats/${name}`))

describe('T10, M5: a file that is no session', () => {
  test.each(Object.entries(FOREIGN))(
    '%s is listed by its name, and the doctor says what it is',
    (name, [kind]) => {
      expect(rowOf(name)).toMatchObject({
        title: name,
        titleSource: 'file',
        issues: 1,
        counts: { messages: 0 },
      })
      const { reason, advice, needsAttention } = FILE_KINDS[kind]
      expect(skippedOf(name)).toMatchObject({ reason, advice, needsAttention, sessionKey: rowOf(name)?.key })
    },
  )

  test('is of every kind there is, and only a pointer is said to be one', () => {
    expect(new Set(Object.values(FOREIGN).map(([kind]) => kind))).toEqual(new Set(fileKindSchema.options))
    const reasons = doctor.files.skipped.filter(({ reason, advice }) =>
      `${reason} ${advice}`.includes('Git LFS'),
    )
    expect(reasons.map(({ path }) => basename(path))).toEqual(['session-pointer.json'])
    expect(new Set(Object.values(FILE_KINDS).map(({ reason }) => reason)).size).toBe(
      fileKindSchema.options.length,
    )
  })

  test('brings no name that is new to this version, and no drift', () => {
    expect(doctor.drift).toEqual([])
  })
})

/** Whether a session has messages, by the answer of a server. */
async function isShown(key: string): Promise<boolean> {
  const answer = await fetch(`${server}api/sessions/${key}/messages`)
  return messagePageSchema.parse(await answer.json()).messages.length > 0
}

test.each(Object.entries(DAMAGED))(
  'T10: %s says what is wrong with it, and claims no messages that are not shown',
  async (name, [code]) => {
    const [before] = ISSUE_TEXTS[code].reason.split('{')
    const told = skippedOf(name)
    expect(told?.reason.startsWith(before ?? '')).toBe(true)
    expect(told?.advice).toBe(ISSUE_TEXTS[code].advice)
    const hasMessages = await isShown(rowOf(name)?.key ?? '')
    expect(/are shown; /.test(told?.reason ?? '')).toBe(hasMessages)
    expect(rowOf(name)?.title).toBe(hasMessages ? PROMPT.content : name)
  },
)

test.each(Object.entries(READ))('T10, T11: %s is read', async (name, [code]) => {
  const row = rowOf(name)
  expect(row).toMatchObject({
    title: PROMPT.content,
    titleSource: 'prompt',
    counts: { prompts: 1, answers: 1 },
    issues: code === null ? 0 : 1,
  })
  expect(skippedOf(name)).toBeUndefined()
  const found = doctor.issues.find((issue) => issue.code === code)
  if (code !== null) expect(found?.partlyRead.first.map(({ sessionKey }) => sessionKey)).toContain(row?.key)
})

test('M5: every row has a title, and a search finds an unreadable one by it', async () => {
  expect(rows.filter(({ title }) => title === '')).toEqual([])
  const { stdout } = await runProgram(['search', 'session-stream.jsonl', '--json', ...OWN()])
  const { hits } = searchResultSchema.parse(JSON.parse(stdout))
  expect(hits.map(({ sessionKey }) => sessionKey)).toContain(rowOf('session-stream.jsonl')?.key)
})

test('the exit code is 1 for what somebody may miss', () => expect(doctorCode).toBe(1))

test('T10, T11: the exit code is 0 where every other file holds nothing of Gemini CLI', async () => {
  const home = 'harmless/.gemini/tmp/shop'
  write(`${home}/.project_root`, '/code/shop')
  const human = { ...PROMPT, type: 'human' }
  const call = { id: 'c', name: 'read_file', args: {}, status: 'pending' }
  write(
    `${home}/chats/session-2026-03-01T10-02-ee000006.json`,
    pretty({ ...SESSION, messages: [human, { ...ANSWER, toolCalls: [call] }] }),
  )
  for (const [name, [kind, content]] of Object.entries(FOREIGN))
    if (!FILE_KINDS[kind].needsAttention) write(`${home}/chats/${name}`, content)
  const { code, stdout } = await runProgram(['doctor', '--json', ...OWN('harmless')])
  const report = doctorSchema.parse(JSON.parse(stdout))
  expect([code, report.isWell, report.drift, report.issues]).toEqual([0, true, [], []])
  expect(report.files.skipped.length).toBeGreaterThan(5)
})
