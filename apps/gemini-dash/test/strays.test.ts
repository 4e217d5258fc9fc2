import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Doctor, doctorSchema, searchResultSchema, sessionListSchema } from '@gemini-dash/api'
import { FILE_KINDS } from 'gemini-sessions'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ISSUE_TEXTS } from '../src/store/doctor/build-doctor.ts'
import { runProgram } from './run-program.ts'

// Nothing in the Gemini folder that looks like a conversation is skipped without a message.

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'strays-'))
  write('tmp/shop/.project_root', '/code/shop')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, content: unknown): void {
  const absolute = join(root, '.gemini', path)
  mkdirSync(dirname(absolute), { recursive: true })
  writeFileSync(absolute, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
}

const OWN = () => ['--home', root, '--cache-dir', join(root, 'cache'), '--data-dir', join(root, 'data')]
const run = (...args: string[]) => runProgram([...args, ...OWN()])

async function askDoctor(): Promise<{ code: number | null; report: Doctor; told: (path: string) => Told }> {
  const { code, stdout } = await run('doctor', '--json')
  const report = doctorSchema.parse(JSON.parse(stdout))
  const told = (path: string) =>
    report.files.skipped.find((each) => each.path === join(root, '.gemini', path))
  return { code, report, told }
}
type Told = Doctor['files']['skipped'][number] | undefined

const rows = async () =>
  sessionListSchema.parse(JSON.parse((await run('list', '--kind', 'all', '--json')).stdout)).sessions
const search = async (query: string) =>
  searchResultSchema.parse(JSON.parse((await run('search', query, '--json')).stdout))

const START = '2026-03-01T10:00:00.000Z'
const SESSION = {
  sessionId: 'aaaa1111-0000-4000-8000-000000000001',
  projectHash: 'f'.repeat(64),
  startTime: START,
  lastUpdated: START,
  messages: [{ id: 'p1', type: 'user', timestamp: START, content: 'count the pelicans' }],
}
const NAME = 'session-2026-03-01T10-00-aaaa1111.json'
const TURNS = [
  { role: 'user', parts: [{ text: 'why does the parrot importer fail' }] },
  { role: 'model', parts: [{ text: 'The export is a number.' }] },
]
const typed = (sessionId: string, message: string) => ({
  sessionId,
  messageId: 0,
  type: 'user',
  message,
  timestamp: START,
})

test('M1: a history of a bug report or an export in the folder of a project is a saved chat, goes by its first prompt, and is found', async () => {
  const names = ['bug-report-history-1769099805132', 'gemini-conversation-1769099805132']
  for (const name of names) write(`tmp/shop/${name}.json`, TURNS)
  write('tmp/shop/checkpoint-mine.json', { history: TURNS })
  const found = await rows()
  const prompt = TURNS[0]?.parts[0]?.text
  expect(found.map(({ kind, title }) => [kind, title]).sort()).toEqual([
    ['checkpoint', 'mine'],
    ['checkpoint', prompt],
    ['checkpoint', prompt],
  ])
  expect(new Set(found.map(({ key }) => key)).size).toBe(3)
  expect((await search('parrot')).sessionTotal).toBe(3)
  const { code, report } = await askDoctor()
  expect([code, report.files.skipped]).toEqual([0, []])
  for (const name of names) {
    const row = found.find(({ sessionId }) => sessionId === name)
    expect((await run('resume', row?.key ?? '')).stderr).toContain('checkpoint-NAME.json')
  }
})

describe('M2: doctor names', () => {
  test('sessions in folders that Gemini CLI does not read', async () => {
    const folders = [
      'tmp/shop/Chats',
      'tmp/shop/.chats',
      'tmp/shop/chats (1)',
      'tmp/shop/project/chats',
      'tmp/old/shop/chats',
      'tmp/shop/sessions',
      'chats',
      '.chats',
      'tmp.bak/shop/chats',
      'Tmp/shop/chats',
    ]
    for (const folder of folders) write(`${folder}/${NAME}`, SESSION)
    const { code, told } = await askDoctor()
    for (const folder of folders) {
      const reason = expect.stringContaining(NAME)
      expect([folder, told(folder)]).toMatchObject([
        folder,
        { needsAttention: true, sessionKey: null, reason },
      ])
    }
    expect(code).toBe(1)
    expect(await rows()).toEqual([])
  })

  test('a folder of many sessions in one line', async () => {
    for (const minute of [1, 2, 3])
      write(`tmp/shop/Chats/session-2026-03-01T10-0${minute}-aaaa111${minute}.json`, SESSION)
    const { report } = await askDoctor()
    expect(report.files.skipped.map(({ reason }) => reason)).toEqual([expect.stringContaining('3 sessions')])
  })

  const LINE = `${JSON.stringify({ type: 'init', session_id: 'x', timestamp: START })}\n`
  const RECORD = { resource: {}, attributes: { 'event.name': 'gemini_cli.user_prompt' } }
  test.each<[string, number, [string, unknown, keyof typeof FILE_KINDS][]]>([
    [
      'conversations',
      1,
      [
        ['tmp/shop/logs.jsonl', `${JSON.stringify(typed('lost', 'hi'))}\n`, 'prompt-log'],
        ['tmp/shop/checkpoint-x.jsonl', { history: TURNS }, 'saved-chat'],
        ['tmp/shop/shared.json', TURNS, 'saved-chat'],
        ['tmp/shop/run.jsonl', LINE, 'stream-json'],
      ],
    ],
    [
      'what needs no attention',
      0,
      [
        ['tmp/shop/telemetry.log', RECORD, 'telemetry'],
        ['tmp/shop/otel.json', { hrTime: [1, 2], resource: {}, attributes: {} }, 'telemetry'],
        ['telemetry.log', '{}', 'telemetry'],
        ['tmp/shop/gemini-conversation-1.md', '# Gemini\n', 'markdown'],
      ],
    ],
  ])('%s as what they are', async (_, exitCode, files) => {
    for (const [path, content] of files) write(path, content)
    const { code, told } = await askDoctor()
    for (const [path, , kind] of files) {
      const { reason, advice, needsAttention } = FILE_KINDS[kind]
      const absolute = join(root, '.gemini', path)
      expect(told(path)).toEqual({ path: absolute, reason, advice, needsAttention, sessionKey: null })
    }
    expect(code).toBe(exitCode)
  })

  test('a session where none is read', async () => {
    const paths = ['tmp/shop/mine.json', 'session-2026-03-01T10-00-aaaa1111.json', 'logs.json']
    for (const path of paths) write(path, SESSION)
    const { told } = await askDoctor()
    for (const path of paths) expect([path, told(path)]).toMatchObject([path, { needsAttention: true }])
  })

  test('nothing else in a home: what Gemini CLI keeps there is no stray', async () => {
    write('settings.json', { session: SESSION })
    write('oauth_creds.json', { access_token: 'x' })
    write('tmp/shop/shell_history', 'ls\n')
    write('tmp/shop/tool-outputs/session-x/a.json', SESSION)
    write('tmp/shop/logs/session-x.jsonl', '{}\n')
    write('tmp/shop/aaaa1111-0000-4000-8000-000000000001/tracker/abc123.json', {})
    write('tmp/shop/settings.json', { theme: 'dark' })
    write('tmp/bin/rg', 'x')
    write('history/shop/.project_root', '/code/shop')
    const { code, report } = await askDoctor()
    expect([code, report.files.skipped]).toEqual([0, []])
  })
})

describe('M3: a prompt log that is not as Gemini CLI writes it', () => {
  const ENTRIES = [typed('lost-1', 'lost whimbrel prompt'), typed('lost-2', 'lost godwit prompt')]
  const logOf = (name: string) => `tmp/${name.replaceAll(' ', '-')}/logs.json`

  test('is named, and its prompts are found', async () => {
    const contents = Object.entries<unknown>({
      cut: JSON.stringify(ENTRIES, null, 2).slice(0, -60),
      'in a field of an object': { logs: ENTRIES },
      'with an entry a line': ENTRIES.map((entry) => JSON.stringify(entry)).join('\n'),
      'with entries over several lines': ENTRIES.map((entry) => JSON.stringify(entry, null, 2)).join('\n'),
      'with other names': ENTRIES.map(({ sessionId, message }) => ({
        session_id: sessionId,
        prompt: message,
      })),
      'with something else among its entries': [...ENTRIES, { version: 2 }],
      'followed by zeros': `${JSON.stringify(ENTRIES)}\0\0\0`,
    })
    for (const [name, content] of contents) write(logOf(name), content)
    const { code, told } = await askDoctor()
    for (const [name] of contents)
      expect([name, told(logOf(name))?.reason]).toEqual([name, ISSUE_TEXTS['odd-prompt-log'].reason])
    expect(code).toBe(1)
    expect((await search('whimbrel')).sessionTotal).toBe(contents.length)
    const named = (await rows()).filter(({ titleSource }) => titleSource === 'file')
    expect(named).toHaveLength(contents.length)
    for (const row of named)
      expect(row).toMatchObject({ kind: 'prompts-only', title: 'logs.json', counts: { messages: 0 } })
  })

  test('is named as what it holds instead', async () => {
    const contents: [name: string, content: unknown, reason: string][] = [
      ['nothing', '', ISSUE_TEXTS['empty-file'].reason],
      ['zeros', '\0\0\0\0\0', FILE_KINDS.zeros.reason],
      ['another object', { version: 1 }, FILE_KINDS['json-object'].reason],
      ['words', 'no space left on device', FILE_KINDS.text.reason],
      ['a cut entry', '[\n  {\n    "sess', ISSUE_TEXTS['nothing-whole'].reason.replace('{at}', '')],
    ]
    for (const [name, content] of contents) write(logOf(name), content)
    const { told } = await askDoctor()
    for (const [name, , reason] of contents) expect([name, told(logOf(name))?.reason]).toEqual([name, reason])
  })

  test('is not one that is as it should be, or empty', async () => {
    for (const content of [[], ENTRIES]) {
      write('tmp/shop/logs.json', content)
      const { code, report } = await askDoctor()
      expect([code, report.files.skipped]).toEqual([0, []])
    }
  })
})

describe('a session file that somebody sent', () => {
  test.each([
    ['a session', SESSION, 'is a session of Gemini CLI', true],
    ['a saved chat', TURNS, 'is a saved chat of Gemini CLI', true],
    ['something else', '<!doctype html>', FILE_KINDS.html.reason, false],
  ])('%s: how it is read is said wherever it is named', async (_, content, what, isReadable) => {
    write('../sent/sent.json', content)
    const file = join(root, 'sent/sent.json')
    const own = ['--cache-dir', join(root, 'cache'), '--data-dir', join(root, 'data')]
    const named = await runProgram(['list', '--home', file, ...own])
    const shown = await run('show', file)
    for (const { code, stderr } of [named, shown]) {
      expect([code, stderr]).toEqual([1, expect.stringContaining(what)])
      expect(stderr.includes(`gemini-dash open ${file}`)).toBe(isReadable)
    }
    const listed = await run('list', file)
    expect([listed.code, listed.stderr]).toEqual([2, expect.stringContaining(`--file ${file}`)])
    const folder = await runProgram(['list', '--home', join(root, 'sent'), ...own])
    expect(folder.stderr).toContain(isReadable ? what : 'Use the folder that contains .gemini')
  })

  test('is read where the hint says', async () => {
    write('../sent/tmp/sent/chats/my-session.json', SESSION)
    const own = ['--cache-dir', join(root, 'cache'), '--data-dir', join(root, 'data')]
    const { code, stdout } = await runProgram(['list', '--home', join(root, 'sent'), ...own])
    expect([code, stdout]).toEqual([0, expect.stringContaining('count the pelicans')])
  })
})
