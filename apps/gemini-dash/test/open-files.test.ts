import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { healthSchema, type SessionList, sessionListSchema } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { isSessionPlace } from '../src/environment/session-file-hint.ts'
import { fixtureHome } from './open-test-server.ts'
import { runProgram, startProgram } from './run-program.ts'

// Received files are shown separately: in no list, no search and no usage, and they are gone afterwards.

const CHATS = join(fixtureHome('0.61.0'), '.gemini/tmp/webshop/chats')
const SESSION = join(CHATS, 'session-2026-11-21T20-30-3e7a7b68.jsonl')
const SAVED_CHAT = join(
  fixtureHome('0.61.0-interactive'),
  '.gemini/tmp/bookshop/checkpoint-my%20tag%2F1.json',
)

let folder: string
/** The folder for the program's temporary files, to see what is left there. */
let temporary: string
let history: SessionList['sessions']
let dataFiles: string[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
  temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  history = await listed(
    '--home',
    fixtureHome('0.61.0'),
    '--cache-dir',
    join(folder, 'cache'),
    '--kind',
    'all',
  )
  dataFiles = readdirSync(join(folder, 'data'))
})
afterAll(async () => {
  await (await serving)?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function run(...args: string[]) {
  return runProgram([...args, '--data-dir', join(folder, 'data')], { HOME: folder, TMPDIR: temporary })
}

async function listed(...args: string[]): Promise<SessionList['sessions']> {
  const { code, stdout, stderr } = await run('list', ...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return sessionListSchema.parse(JSON.parse(stdout)).sessions
}

/** What characterizes a session, wherever its file is. */
const facts = (sessions: SessionList['sessions']) =>
  sessions
    .map(({ key, kind, title, counts, usage, withSubagents, parentKey, project }) => ({
      ...{ key, kind, title, counts, usage, parentKey, withSubagents, project: project.name },
    }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))

describe('--file reads one session file', () => {
  test('list, show, usage, export and handover', async () => {
    const [session] = await listed('--file', SESSION)
    const known = history.find(({ key }) => key === session?.key)
    expect(session?.title).toBe(known?.title)
    const shown = await run('show', '--file', SESSION)
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('Map the whole codebase')])
    const usage = await run('usage', '--file', SESSION)
    expect([usage.code, usage.stdout]).toEqual([0, expect.stringContaining('in 1 session')])
    const exported = await run('export', '--file', SESSION)
    expect([exported.code, exported.stdout]).toEqual([0, expect.stringContaining(`key: "${session?.key}"`)])
    const brief = await run('handover', '--file', SESSION, '--json')
    expect([brief.code, JSON.parse(brief.stdout).text]).toEqual([
      0,
      expect.stringContaining('Map the whole codebase'),
    ])
  })

  test('resume says that it cannot be resumed here, and what to do instead', async () => {
    const { code, stdout, stderr } = await run('resume', '--file', SESSION)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('An opened file can’t be resumed here')
    expect(stderr).toContain('gemini-dash handover --file PATH')
  })

  test('nothing of it is kept: no cache, no data, no copy', () => {
    expect(readdirSync(temporary)).toEqual([])
    expect([readdirSync(folder).sort(), readdirSync(join(folder, 'data'))]).toEqual([
      ['cache', 'data', 'temporary'],
      dataFiles,
    ])
  })

  test('of several sessions, show asks which one', async () => {
    const { code, stderr } = await run('show', '--file', CHATS)
    expect([code, stderr.split('\n')[0]]).toEqual([2, '9 sessions were opened. Which one?'])
    const one = await run('show', '3e7a7b68', '--file', CHATS)
    expect([one.code, one.stdout]).toEqual([0, expect.stringContaining('Map the whole codebase')])
  })

  test('what is about a Gemini folder is refused beside it', async () => {
    const { code, stderr } = await run('list', '--file', SESSION, '--home', folder)
    expect([code, stderr]).toEqual([2, expect.stringContaining('Remove --home.')])
  })
})

describe('every form of session is the one that it was in its history', () => {
  test('a folder of session files with sub-agents', async () => {
    expect(facts(await listed('--file', CHATS))).toEqual(facts(history))
  })

  test.each([
    ['json', 'json.zip'],
    ['jsonl', 'jsonl/'],
    ['raw', 'raw/'],
  ])('an export as %s to %s', async (format, out) => {
    const path = join(folder, 'exports', out)
    mkdirSync(dirname(path), { recursive: true })
    const home = ['--home', fixtureHome('0.61.0'), '--cache-dir', join(folder, 'cache')]
    const exported = await run('export', '--project', 'webshop', '--format', format, '--out', path, ...home)
    expect(exported.code).toBe(0)
    const opened = await listed('--file', path)
    expect(facts(opened)).toEqual(facts(history))
    rmSync(join(folder, 'exports'), { recursive: true })
  })

  test('the messages of an export are those of the session', async () => {
    const [key = ''] = history
      .filter(({ title }) => title.startsWith('Fix the rounding'))
      .map((row) => row.key)
    const home = ['--home', fixtureHome('0.61.0'), '--cache-dir', join(folder, 'cache')]
    const file = join(folder, 'one.json')
    await run('export', key, '--format', 'json', '--out', file, ...home)
    const messagesOf = async (...args: string[]): Promise<Message[]> =>
      JSON.parse((await run('show', key, '--json', ...args)).stdout).messages
    const plain = (messages: Message[]) =>
      messages.map(({ source: _, ...message }) => ({
        ...message,
        toolCalls: message.toolCalls.map(({ agentKey: __, ...call }) => call),
      }))
    expect(plain(await messagesOf('--file', file))).toEqual(plain(await messagesOf(...home)))
    rmSync(file)
  })

  test('a chat of /chat save, one of /chat share, one of /bug, and the older form', async () => {
    const turns = JSON.parse(readFileSync(SAVED_CHAT, 'utf8'))
    const list = Array.isArray(turns) ? turns : turns.history
    const chats = join(folder, 'chats')
    mkdirSync(chats)
    writeFileSync(join(chats, 'x.json'), JSON.stringify(list))
    writeFileSync(join(chats, 'bug-report-history-1795293056000.json'), JSON.stringify({ history: list }))
    cpSync(SAVED_CHAT, join(chats, basename(SAVED_CHAT)))
    const opened = await listed('--file', chats)
    expect(opened.map(({ kind, title, counts }) => [kind, title, counts?.messages]).sort()).toEqual([
      ['checkpoint', expect.any(String), 3],
      ['checkpoint', 'my tag/1', 3],
      ['checkpoint', 'x', 3],
    ])
    rmSync(chats, { recursive: true })
  })

  test('documents of the first versions', async () => {
    const chats = join(fixtureHome('0.4.1'), '.gemini/tmp')
    const opened = await listed('--file', join(chats, readdirSync(chats)[0] ?? ''))
    expect(opened.length).toBeGreaterThan(0)
    expect(opened.every(({ verdict }) => verdict?.kind !== 'damaged')).toBe(true)
  })
})

/** What is left of opened files; a server that was sent some keeps its folder until it ends or they are closed. */
const leftFiles = () =>
  readdirSync(temporary, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/^gemini-dash-opened-[^/\\]+(?:[/\\](?:tmp|settings\.json))?$/.test(name),
  )

/** A server that is sent files as a browser sends them; started by the first test that needs it. */
let serving: Promise<{ url: string; stop: () => Promise<unknown> }> | undefined
function server() {
  const start = async () => {
    const { child, firstLine, finished } = startProgram(
      [
        ...['serve', '--home', fixtureHome('0.61.0'), '--cache-dir', join(folder, 'cache')],
        ...['--data-dir', join(folder, 'data'), '--no-token', '--port', '0', '--no-open', '--json'],
      ],
      { HOME: folder, TMPDIR: temporary },
    )
    const stop = () => {
      child.kill('SIGTERM')
      return finished
    }
    return { url: String(JSON.parse(await firstLine).url), stop }
  }
  serving ??= start()
  return serving
}

function post(at: string, name: string, body: Uint8Array | string, headers = {}): Promise<Response> {
  return fetch(`${at}api/open?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', ...headers },
    body,
  })
}

interface Answered {
  url: string
  total: number
  error?: { message: string }
}

async function answered(response: Response): Promise<Answered> {
  return JSON.parse(await response.text())
}

const CLOSE = ['sent.jsonl', '{"close":true}', { 'content-type': 'application/json' }] as const

/** The reason why a file is refused, or the number of sessions in it. */
async function sent(name: string, content: Uint8Array | string) {
  const { url } = await server()
  const response = await post(url, name, content)
  const { url: opened, error } = await answered(response)
  const { status } = response
  if (error !== undefined) return { status, message: error.message }
  const at = new URL('/', opened).href
  const { total } = await answered(await fetch(`${at}api/sessions?kind=all`))
  await post(at, ...CLOSE)
  await expect.poll(leftFiles).toEqual([])
  return { status, sessions: total }
}

describe('what cannot be opened is refused with its reason, and nothing is left', () => {
  const refusals: [string, string | Uint8Array, string][] = [
    ['notes.md', '# Notes\n', 'notes.md cannot be opened: this is a Markdown text'],
    ['empty.jsonl', '', 'empty.jsonl cannot be opened: it is empty.'],
    ['page.html', '<!doctype html><p>x', 'this is an HTML page'],
    ['zeros.jsonl', new Uint8Array(100), 'the file contains only zero bytes'],
    ['other.json', '{"a":1}', 'this is JSON without the id and the messages that a session has.'],
    ['claude.jsonl', '{"uuid":"1","parentUuid":null,"type":"user"}\n', 'this is a log of Claude Code.'],
    [
      'claude-id.jsonl',
      '{"parentUuid":null,"sessionId":"0b9a4b0e","type":"user","message":{"role":"user","content":"a"},"uuid":"1"}\n',
      'this is a log of Claude Code.',
    ],
    [
      'empty.zip',
      Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`),
      'has no session: there is no .json or .jsonl file',
    ],
    [
      'export.json',
      '{"schemaVersion":1,"session":{"sessionId":"a","kind":"main"},"segments":[],"messages":[\n{"key":"a"',
      'it is an export of gemini-dash that is cut off or damaged.',
    ],
    [
      'changed.json',
      '{"schemaVersion":1,"session":{"sessionId":"a"},"messages":[{"key":"a"}]}',
      'was made by another version or changed since.',
    ],
  ]
  test.each(refusals)('%s', async (name, content, reason) => {
    expect(await sent(name, content)).toEqual({ status: 400, message: expect.stringContaining(reason) })
    expect(leftFiles()).toEqual([])
  })

  test('the command line says the same, with the path', async () => {
    const path = join(folder, 'notes.md')
    writeFileSync(path, '# Notes\n')
    const { code, stderr, stdout } = await run('list', '--file', path)
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('this is a Markdown text')])
    expect(stderr.startsWith(path)).toBe(true)
    rmSync(path)
    expect(leftFiles()).toEqual([])
  })

  test('a path that leads nowhere, a Gemini folder, a folder without sessions', async () => {
    const nowhere = await run('open', join(folder, 'nowhere.jsonl'))
    expect([nowhere.code, nowhere.stderr]).toEqual([
      1,
      expect.stringContaining('there is no such file or folder.'),
    ])
    const home = await run('open', fixtureHome('0.61.0'))
    expect([home.code, home.stderr]).toEqual([
      1,
      expect.stringContaining(`gemini-dash --home ${fixtureHome('0.61.0')}`),
    ])
    const bare = await run('list', '--file', temporary)
    expect([bare.code, bare.stderr]).toEqual([1, expect.stringContaining('has no session')])
    for (const args of [['open'], ['open', ''], ['list', '--file', '']]) {
      const none = await run(...args)
      expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('Which files?')])
    }
    for (const path of [join(folder, 'nowhere.jsonl'), '/dev/null']) {
      const served = await run('serve', path, '--no-open')
      expect([served.code, served.stderr]).toEqual([1, expect.stringMatching(/no such file|is not a file/)])
    }
  })

  test('a link is followed, and a project’s own folders do not make it a Gemini folder', async () => {
    const project = join(folder, 'project')
    for (const name of ['tmp', '.gemini']) mkdirSync(join(project, name), { recursive: true })
    writeFileSync(join(project, '.gemini', 'settings.json'), '{}')
    symlinkSync(SESSION, join(project, 'link.jsonl'))
    expect(await listed('--file', join(project, 'link.jsonl'))).toHaveLength(1)
    cpSync(SESSION, join(project, 'sent.jsonl'))
    expect(await listed('--file', project)).toHaveLength(1)
    rmSync(project, { recursive: true })
  })

  test('a session file or a chats folder in place of a Gemini folder', async () => {
    const file = await run('list', '--home', SESSION)
    expect([file.code, file.stderr]).toEqual([1, expect.stringContaining(`gemini-dash open ${SESSION}`)])
    const zip = join(folder, 'sent.zip')
    writeFileSync(zip, await zipOf({ 'a.jsonl': readFileSync(SESSION) }))
    const zipped = await run('list', '--home', zip)
    expect([zipped.code, zipped.stderr]).toEqual([1, expect.stringContaining(`gemini-dash open ${zip}`)])
    rmSync(zip)
    const chats = await run('serve', '--home', CHATS)
    expect([chats.code, chats.stderr]).toEqual([
      1,
      expect.stringContaining(`Use the Gemini folder: --home ${join(fixtureHome('0.61.0'), '.gemini')}`),
    ])
    const variable = await runProgram(['list'], { HOME: folder, GEMINI_SESSIONS_DIR: CHATS })
    expect([variable.code, variable.stderr]).toEqual([
      1,
      expect.stringContaining('(from GEMINI_SESSIONS_DIR) is a folder of session files'),
    ])
    const word = await run('list', SESSION)
    expect([word.code, word.stderr]).toEqual([2, expect.stringContaining(`--file ${SESSION}`)])
  })
})

async function zipOf(entries: Record<string, string | Uint8Array>, mode = 0o100644): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name, { mode })
  zip.end()
  return buffer(zip.outputStream)
}

describe('a zip', () => {
  const session = readFileSync(SESSION)

  test('names that lead out of it lead nowhere', async () => {
    const zip = await zipOf({ 'xx/xx/escape.jsonl': session })
    const hostile = Buffer.from(zip.toString('latin1').replaceAll('xx/xx/escape', '../../escape'), 'latin1')
    expect(await sent('sent.zip', hostile)).toEqual({ status: 200, sessions: 1 })
    expect(readdirSync(folder)).not.toContain('escape.jsonl')
    expect(leftFiles()).toEqual([])
  })

  test('links in it are left out', async () => {
    const zip = await zipOf({ 'link.jsonl': '/etc/passwd' }, 0o120777)
    expect(await sent('sent.zip', zip)).toEqual({
      status: 400,
      message: expect.stringContaining('has no session'),
    })
  })

  test('a bomb is refused before it is unpacked, and one that lies about its size at its size', async () => {
    const bomb = await zipOf({ 'bomb.jsonl': Buffer.alloc(4_000_000) })
    expect(await sent('sent.zip', bomb)).toEqual({
      status: 400,
      message: expect.stringContaining('like a zip bomb.'),
    })
    const liar = Buffer.from(bomb)
    liar.writeUInt32LE(1000, liar.lastIndexOf('PK\x01\x02') + 24)
    expect(await sent('sent.zip', liar)).toEqual({
      status: 400,
      message: expect.stringContaining('is damaged'),
    })
  })

  test('too many files, a cut end, a changed byte, a password', async () => {
    const many = await zipOf({ 'a.jsonl': session })
    many.writeUInt16LE(10_001, many.lastIndexOf('PK\x05\x06') + 10)
    expect(await sent('sent.zip', many)).toEqual({
      status: 400,
      message: expect.stringContaining('at most 10,000'),
    })
    const whole = await zipOf({ 'a.jsonl': session })
    expect(await sent('sent.zip', whole.subarray(0, -30))).toEqual({
      status: 400,
      message: expect.stringContaining('its end is missing'),
    })
    const changed = Buffer.from(whole)
    changed.writeUInt8((changed[100] ?? 0) ^ 0xff, 100)
    expect(await sent('sent.zip', changed)).toEqual({
      status: 400,
      message: expect.stringContaining('a.jsonl in it is damaged'),
    })
    const locked = Buffer.from(whole)
    locked.writeUInt16LE(1, locked.lastIndexOf('PK\x01\x02') + 8)
    expect(await sent('sent.zip', locked)).toEqual({
      status: 400,
      message: expect.stringContaining('is encrypted'),
    })
  })
})

test('serve takes a folder of nothing but sessions, chats and exports for files, any other for a project', () => {
  const place = join(folder, 'received')
  mkdirSync(place)
  expect(isSessionPlace(place)).toBe(false)
  const put = (name: string, content: string) => writeFileSync(join(place, name), content)
  put('2026-11-21-prices.json', '{"schemaVersion":1,"session":{"sessionId":"a"},"messages":[]}')
  put('x.json', '[{"role":"user","parts":[{"text":"Hi"}]}]')
  expect(isSessionPlace(place)).toBe(true)
  put('package.json', '{"name":"shop"}')
  expect(isSessionPlace(place)).toBe(false)
  rmSync(place, { recursive: true })
})

test('open serves the files alone, begins with the one session, and leaves nothing', async () => {
  const before = readdirSync(temporary)
  const { child, firstLine, printed, finished } = startProgram(
    ['open', SESSION, '--no-token', '--port', '0', '--no-open', '--json', '--data-dir', join(folder, 'data')],
    { HOME: folder, TMPDIR: temporary },
  )
  const { url } = JSON.parse(await firstLine)
  const health = healthSchema.parse(await (await fetch(`${url}api/health`)).json())
  expect([health.opened, health.demo]).toEqual([{ files: [basename(SESSION)], canClose: false }, false])
  const list = sessionListSchema.parse(await (await fetch(`${url}api/sessions`)).json())
  expect(list.sessions.map(({ title, deletedAfter }) => [title, deletedAfter])).toEqual([
    ['Map the whole codebase', null],
  ])
  expect(readdirSync(temporary).length).toBe(before.length + 1)
  child.kill('SIGTERM')
  await finished
  expect([readdirSync(temporary), printed().includes('Not in your history')]).toEqual([before, false])
})

/** A refused request loses its connection: a client that keeps writing may never read the reason. */
function answerToAnnounced(at: string, bytes: number): Promise<[number | undefined, string]> {
  const headers = { 'content-type': 'application/octet-stream', 'content-length': bytes }
  return new Promise((resolve, reject) => {
    const asked = request(`${at}api/open?name=sent.jsonl`, { method: 'POST', headers }, (answer) => {
      answer.once('data', (body) => {
        resolve([answer.statusCode, String(body)])
        asked.destroy()
      })
    })
    asked.on('error', reject)
    asked.flushHeaders()
  })
}

test('what a browser sends is shown at another port, in no list, and is gone when it is closed or the program ends', async () => {
  const { url, stop } = await server()
  const send = (at: string, body: Uint8Array | string, headers = {}) => post(at, 'sent.jsonl', body, headers)
  const foreign = await send(url, readFileSync(SESSION), { origin: 'http://evil.example' })
  const [large, reason] = await answerToAnnounced(url, 64 * 1024 * 1024 + 1)
  const wrong = await send(url, '# Notes')
  const nonsense = await send(url, '{"close":false}', { 'content-type': 'application/json' })
  expect([foreign.status, large, wrong.status, nonsense.status]).toEqual([403, 413, 400, 400])
  expect(reason).toContain('larger than 64 MB. Open it in a terminal: gemini-dash open PATH')
  expect((await answered(wrong)).error?.message).toContain(
    'sent.jsonl cannot be opened: this is a Markdown text',
  )
  const unnamed = await fetch(`${url}api/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: '# Notes',
  })
  expect((await answered(unnamed)).error?.message).toContain('Name the file')

  const opened = new URL('/', (await answered(await send(url, readFileSync(SESSION)))).url).href
  const health = healthSchema.parse(await (await fetch(`${opened}api/health`)).json())
  expect(health.opened).toEqual({ files: ['sent.jsonl'], canClose: true })
  const totals = await Promise.all(
    [url, opened].map(async (at) => (await answered(await fetch(`${at}api/sessions?kind=all`))).total),
  )
  expect(totals).toEqual([history.length, 1])
  expect(readdirSync(temporary).length).toBe(1)

  // a browser sends files one after the other, each with the folders it is in
  const parent = '3e7a7b68-baf0-4b05-8f68-831b75a33ca5'
  const agent = `${parent}/8a27a0e9-f752-458e-8716-218f88cde182.jsonl`
  await post(url, `chats/${agent}`, readFileSync(join(CHATS, agent)))
  const { sessions } = sessionListSchema.parse(await (await fetch(`${opened}api/sessions?kind=all`)).json())
  const keyOfParent = sessions.find(({ sessionId }) => sessionId === parent)?.key
  expect(sessions.map(({ parentKey }) => parentKey)).toEqual(expect.arrayContaining([null, keyOfParent]))

  const closed = await post(opened, ...CLOSE)
  expect((await answered(closed)).url).toBe(`${url}open`)
  await expect.poll(() => readdirSync(temporary)).toEqual([])
  await expect(fetch(opened)).rejects.toThrow()

  await send(url, readFileSync(SAVED_CHAT))
  await stop()
  expect(readdirSync(temporary)).toEqual([])
})
