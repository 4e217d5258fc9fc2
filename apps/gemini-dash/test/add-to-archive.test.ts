import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  keepStatusSchema,
  openedAddedSchema,
  openedAddressSchema,
  type SessionList,
  sessionListSchema,
  usageReportSchema,
} from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixtureHome } from './open-test-server.ts'
import { runProgram, startProgram } from './run-program.ts'

// A copy of an opened file is added to the archive, and from then on is a session of the history. The home is unchanged.

const CHATS = join(fixtureHome('0.61.0'), '.gemini/tmp/webshop/chats')
const SESSION = join(CHATS, 'session-2026-11-21T20-30-3e7a7b68.jsonl')
const SAVED_CHAT = join(
  fixtureHome('0.61.0-interactive'),
  '.gemini/tmp/bookshop/checkpoint-my%20tag%2F1.json',
)
const TITLE = 'Map the whole codebase'
const ID = '3e7a7b68-baf0-4b05-8f68-831b75a33ca5'

let folder: string
let home: string
/** All files of the home, with their content. */
let before: Record<string, string>

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
  home = join(folder, 'home')
  mkdirSync(join(folder, 'temporary'))
  cpSync(fixtureHome('0.39.1'), home, { recursive: true })
  before = contentOf(home)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function contentOf(at: string): Record<string, string> {
  const names = readdirSync(at, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    names
      .map((name) => [name, join(at, name)] as const)
      .map(([name, path]) => [name, statSync(path).isFile() ? readFileSync(path, 'base64') : 'folder']),
  )
}

const own = (name: string) => ['--data-dir', join(folder, name), '--cache-dir', join(folder, `${name}-cache`)]
const ENVIRONMENT = () => ({ HOME: folder, TMPDIR: join(folder, 'temporary') })

function run(data: string, ...args: string[]) {
  return runProgram([...args, '--home', home, ...own(data)], ENVIRONMENT())
}

async function add(data: string, ...paths: string[]) {
  const { code, stdout, stderr } = await run(data, 'keep', 'add', ...paths, '--json')
  expect([code, stderr]).toEqual([0, ''])
  const { text, ...counts } = openedAddedSchema.parse(JSON.parse(stdout))
  return { ...counts, text }
}

async function listed(data: string): Promise<SessionList['sessions']> {
  const { code, stdout } = await run(data, 'list', '--kind', 'all', '--json')
  expect(code).toBe(0)
  return sessionListSchema.parse(JSON.parse(stdout)).sessions
}

describe('keep add', () => {
  const data = 'data'

  test('says what turns the archive on where it is off', async () => {
    const { code, stderr } = await run(data, 'keep', 'add', SESSION)
    expect([code, stderr]).toEqual([1, expect.stringContaining('the archive is off; "gemini-dash keep on"')])
  })

  test('adds sessions, sub-agents and saved chats once, and writes nothing into the home', async () => {
    expect((await run(data, 'keep', 'on')).code).toBe(0)
    const history = await listed(data)
    const usage = async () => {
      const { stdout } = await run(data, 'usage', '--by', 'project', '--json')
      return usageReportSchema.parse(JSON.parse(stdout)).total.sessions
    }
    const usedBefore = await usage()
    expect(await add(data, CHATS, SAVED_CHAT)).toMatchObject({ added: 11, known: 0, inHistory: 0 })

    const sessions = await listed(data)
    expect(sessions.length).toBe(history.length + 11)
    const added = sessions.filter(({ files }) => files.some(({ kept }) => kept?.cause === 'added'))
    expect(added.length).toBe(11)
    const map = added.find(({ sessionId }) => sessionId === ID)
    expect(map?.files[0]?.kept?.from).toBe('session-2026-11-21T20-30-3e7a7b68.jsonl')
    expect(map?.deletedSeen).not.toBeNull()
    expect(map?.deletedBy).toBeNull()
    expect(added.find(({ kind }) => kind === 'subagent')?.parentKey).toBe(map?.key)
    expect(added.find(({ kind }) => kind === 'checkpoint')?.title).toBe('my tag/1')
    expect(await usage()).toBeGreaterThan(usedBefore)

    const again = await add(data, CHATS, SAVED_CHAT)
    expect(again).toMatchObject({ added: 0, known: 11, text: '11 files were already in the archive.' })
    expect((await listed(data)).length).toBe(sessions.length)
    expect(contentOf(home)).toEqual(before)
    expect(readdirSync(join(folder, 'temporary'))).toEqual([])
  })

  test('list, show and search say where it came from, and it cannot be resumed, recovered, moved or forked', async () => {
    expect((await run(data, 'list', '--limit', '100')).stdout).toContain(`[added] ${TITLE.slice(0, 10)}`)
    const shown = await run(data, 'show', '3e7a7b68')
    expect(shown.stdout).toContain(
      'Added to the archive from the file session-2026-11-21T20-30-3e7a7b68.jsonl',
    )
    const key = (await listed(data)).find(({ sessionId }) => sessionId === ID)?.key
    const found = await run(data, 'search', 'whole', 'codebase', '--plain')
    expect([found.code, found.stdout]).toEqual([0, expect.stringContaining(key ?? 'none')])
    const resumed = await run(data, 'resume', '3e7a7b68')
    expect(resumed.stderr).toContain('was never in the Gemini folder')
    // a folder known to Gemini CLI, to which other sessions could be moved
    const target = join(folder, 'target')
    mkdirSync(target)
    mkdirSync(join(home, '.gemini/tmp/target'))
    writeFileSync(join(home, '.gemini/tmp/target/.project_root'), target)
    for (const [command = '', ...options] of [['recover'], ['move', '--to', target], ['fork', '--at', '1']]) {
      const { code, stdout, stderr } = await run(data, command, '3e7a7b68', ...options, '--write')
      const refused = expect.stringContaining('was never in the Gemini folder')
      expect([command, code, stderr + stdout]).toEqual([command, 1, refused])
    }
    rmSync(join(home, '.gemini/tmp/target'), { recursive: true })
    expect(contentOf(home)).toEqual(before)
  })

  test('a later look leaves it where it is, and nothing of it is damaged', async () => {
    const looked = await run(data, 'keep', 'now', '--json')
    expect(looked.code).toBe(0)
    const status = keepStatusSchema.parse(JSON.parse(looked.stdout))
    expect([status.damage, status.problem]).toEqual([null, null])
    expect((await run(data, 'keep', 'repair')).code).toBe(0)
    expect((await listed(data)).find(({ sessionId }) => sessionId === ID)?.files[0]?.kept?.cause).toBe(
      'added',
    )
  })

  test('what is in the history is not added, and what was forgotten is not added again', async () => {
    const chats = join(home, '.gemini/tmp')
    const name = readdirSync(chats, { recursive: true, encoding: 'utf8' }).find((path) =>
      /chats[/\\]session-[^/\\]*\.jsonl$/.test(path),
    )
    expect(await add(data, join(chats, name ?? ''))).toMatchObject({ added: 0, inHistory: 1 })

    expect((await run(data, 'forget', '3e7a7b68', '--yes')).code).toBe(0)
    expect((await listed(data)).filter(({ sessionId }) => sessionId === ID)).toEqual([])
    expect(await add(data, SESSION)).toMatchObject({ added: 0, forgotten: 1 })
    expect((await listed(data)).filter(({ sessionId }) => sessionId === ID)).toEqual([])
  })

  test('at its limit the archive takes nothing in, and says so', async () => {
    expect((await run('small', 'keep', 'on')).code).toBe(0)
    expect((await run('small', 'keep', 'on', '--max-size', '0.000001MB')).code).toBe(0)
    const { code, stderr } = await run('small', 'keep', 'add', SESSION)
    expect([code, stderr]).toEqual([1, expect.stringContaining('adds nothing more')])
    expect((await listed('small')).filter(({ sessionId }) => sessionId === ID)).toEqual([])
  })
})

describe('from the page', () => {
  const post = (url: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
    fetch(`${url}api/open?name=sent.jsonl`, {
      method: 'POST',
      headers: {
        'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
        ...headers,
      },
      body,
    })
  const ids = async (url: string) =>
    sessionListSchema
      .parse(await (await fetch(`${url}api/sessions?kind=all&limit=100`)).json())
      .sessions.map(({ sessionId }) => sessionId)

  test('what was sent is added at once, from our own origin alone', async () => {
    const args = ['serve', '--home', home, ...own('page'), '--no-token', '--port', '0', '--no-open', '--json']
    const { child, firstLine, finished } = startProgram(args, ENVIRONMENT())
    const { url } = JSON.parse(await firstLine)
    const sent = openedAddressSchema.parse(await (await post(url, readFileSync(SESSION))).json())
    const opened = new URL('/', sent.url).href
    expect((await post(opened, '{"add":true}', { origin: 'http://evil.example' })).status).toBe(403)
    const off = await post(opened, '{"add":true}')
    expect([off.status, await off.text()]).toEqual([503, expect.stringContaining('the archive is off')])
    expect(await ids(url)).not.toContain(ID)

    expect((await run('page', 'keep', 'on')).code).toBe(0)
    const added = openedAddedSchema.parse(await (await post(opened, '{"add":true}')).json())
    expect(added.added).toBe(1)
    await expect.poll(() => ids(url), { timeout: 60_000 }).toContain(ID)
    child.kill('SIGTERM')
    await finished
    expect(contentOf(home)).toEqual(before)
  })

  test('what was named on the command line, too', async () => {
    const args = ['open', SAVED_CHAT, '--no-token', '--port', '0', '--no-open', '--json']
    const { child, firstLine, finished } = startProgram([...args, '--data-dir', join(folder, 'page')], {
      ...ENVIRONMENT(),
      HOME: home,
    })
    const { url } = JSON.parse(await firstLine)
    const answer = openedAddedSchema.parse(await (await post(url, '{"add":true}')).json())
    expect(answer.added).toBe(1)
    child.kill('SIGTERM')
    await finished
    expect((await listed('page')).map(({ title }) => title)).toContain('my tag/1')
  })
})
