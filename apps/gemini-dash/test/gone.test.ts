import {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { type SessionList, sessionQuerySchema, usageQuerySchema } from '@gemini-dash/api'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ArchiveControl } from '../src/keep/archive-control.ts'
import { bringOutOf } from '../src/keep/bring-out.ts'
import { GoneFiles } from '../src/keep/gone-files.ts'
import { createStore } from '../src/store/create-store.ts'
import { fixtureHome, openTestServer, workerUrl } from './open-test-server.ts'
import { runProgram } from './run-program.ts'

// What Gemini CLI deleted, and the archive kept, gets the same answers as before.

/** One home per layout; `GONE=all`: all homes. */
const HOMES =
  process.env.GONE === 'all'
    ? readdirSync(fileURLToPath(new URL('../../../fixtures/homes', import.meta.url)))
    : ['0.4.1', '0.20.2-compress', '0.38.2', '0.61.0', '0.61.0-resumed']

let root: string
let home: string
let data: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gone-'))
  home = join(root, 'copy', '.gemini')
  data = join(root, 'data')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function copyHome(version: string): void {
  cpSync(join(fixtureHome(version), '.gemini'), home, { recursive: true })
}

const homes = () => findHomes({ homeArguments: [home], env: {}, userHome: '/nobody' })

async function keep(): Promise<void> {
  const desk = new ArchiveControl({ dataFolder: data, homes: homes(), tell: () => {} })
  desk.change({ enabled: true })
  await desk.run()
}

const openStore = () =>
  createStore({
    homes: homes(),
    cacheDirectory: null,
    workerUrls: { index: workerUrl('index-worker.js'), reader: workerUrl('reader-worker.js') },
    isWatching: false,
    version: '0.0.0-test',
    isDemo: false,
    kept: new GoneFiles({
      dataFolder: data,
      homes: homes(),
      bringOut: async (each) => void (await bringOutOf(data, each)),
      onProblem: (reason) => expect(reason).toBeNull(),
    }),
  })

const ALL = sessionQuerySchema.parse({ kind: 'all', limit: 1000, tz: 'UTC' })

/** The answers to all questions about every session, and about all of them. */
async function everything() {
  const store = await openStore()
  try {
    await store.whenReady()
    const list = await store.sessions(ALL)
    const words = list.sessions.flatMap(({ firstPrompt }) => /\p{L}{4,}/u.exec(firstPrompt ?? '')?.[0] ?? [])
    const contents = []
    for (const { key } of list.sessions) {
      const detail = await store.content.session(key)
      const messages = await store.content.allMessages(key)
      const beside = await store.content.answer('neighbours', key, {})
      contents.push({ key, detail, messages, beside })
    }
    const found = []
    for (const q of new Set(words))
      found.push(await store.search({ q, mode: 'words', sort: 'recent', limit: 1000 } as never))
    const usage = store.usage(usageQuerySchema.parse({ by: 'session', tz: 'UTC' }))
    return { list, contents, found, usage, projects: store.projects() }
  } finally {
    await store.close()
  }
}

/** Without fields that only state the deletion, or depend on the location on this disk. */
const MARKS = [
  'deletedSeen',
  'deletedBy',
  'deletedAfter',
  'deleted',
  'kept',
  'modifiedTime',
  'state',
  'lastActivity',
]
function unmarked(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, each) => (MARKS.includes(name) ? undefined : each)))
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    lstatSync(join(folder, path)).isFile(),
  )
const logs = () => filesIn(home).filter((path) => /chats\/.*\.jsonl?$/.test(path))

const list = async (query: object = {}) => {
  const store = await openStore()
  try {
    await store.whenReady()
    return await store.sessions(sessionQuerySchema.parse({ kind: 'all', limit: 1000, ...query }))
  } finally {
    await store.close()
  }
}
const titles = ({ sessions }: SessionList) => sessions.map(({ title }) => title).sort()

describe('all is answered as before', () => {
  test.each(HOMES)('of a home that %s wrote, when all of its projects were deleted', async (version) => {
    copyHome(version)
    await keep()
    const before = await everything()
    expect(before.list.sessions.length).toBeGreaterThan(0)
    for (const name of readdirSync(join(home, 'tmp'))) rmSync(join(home, 'tmp', name), { recursive: true })
    const after = await everything()
    expect(unmarked(after)).toEqual(unmarked(before))
    const marked = after.list.sessions.filter(({ kind }) => kind === 'main' || kind === 'subagent')
    expect(marked.filter(({ deletedSeen }) => deletedSeen === null)).toEqual([])
    expect(after.list.deleted).toBe(after.list.sessions.filter((each) => each.deletedSeen !== null).length)
  })

  test('when only one of its files was deleted, and the project is still there', async () => {
    copyHome('0.61.0')
    await keep()
    const before = await everything()
    rmSync(join(home, logs()[0] ?? ''))
    const after = await everything()
    expect(unmarked(after)).toEqual(unmarked(before))
    expect(after.list.deleted).toBe(1)
    expect((await list({ deleted: 'only' })).total).toBe(1)
    expect((await list({ deleted: 'exclude' })).total).toBe(before.list.total - 1)
  })
})

const row = (type: string, minute: number, text: string) =>
  JSON.stringify({
    id: `${type}-${minute}`,
    timestamp: `2026-11-20T10:0${minute}:00.000Z`,
    type,
    content: type === 'user' ? [{ text }] : text,
  })
const head = (id: string) =>
  JSON.stringify({
    sessionId: id,
    projectHash: 'f'.repeat(64),
    startTime: '2026-11-20T10:00:00.000Z',
    lastUpdated: '2026-11-20T10:00:00.000Z',
    kind: 'main',
  })
const ID = 'aaaaaaaa-1111-4111-8111-111111111111'
const LOG = 'tmp/shop/chats/session-2026-11-20T10-00-aaaaaaaa.jsonl'
const TALK = [
  head(ID),
  row('user', 1, 'one'),
  row('gemini', 2, 'two'),
  row('user', 3, 'three'),
  row('gemini', 4, 'four'),
]

function write(path: string, lines: string[]): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), `${lines.join('\n')}\n`)
}

async function one() {
  const store = await openStore()
  try {
    await store.whenReady()
    const { sessions } = await store.sessions(ALL)
    expect(sessions).toHaveLength(1)
    const messages = (await store.content.allMessages(sessions[0]?.key ?? '')) ?? []
    return { row: sessions[0], said: messages.map(({ id, superseded }) => [id, superseded]) }
  } finally {
    await store.close()
  }
}

describe('a log that lost something', () => {
  beforeEach(async () => {
    write('tmp/shop/.project_root', [join(root, 'shop')])
    write(LOG, TALK)
    await keep()
  })

  test('one that became shorter shows the rest where it stood, and says why', async () => {
    const { row: before } = await one()
    write(LOG, TALK.slice(0, 3))
    await keep()
    const { row: after, said } = await one()
    expect(said).toEqual([
      ['user-1', null],
      ['gemini-2', null],
      ['user-3', 'replaced'],
      ['gemini-4', 'replaced'],
    ])
    expect(after).toMatchObject({ key: before?.key, deletedSeen: null, usage: before?.usage })
    expect(after?.files.map(({ role, kept }) => [role, kept?.cause])).toEqual([
      ['current', undefined],
      ['part', 'overwritten'],
    ])
  })

  test('one that was overwritten by another session is a deleted one beside it', async () => {
    write(LOG, [head('aaaaaaaa-2222-4222-8222-222222222222'), row('user', 6, 'another')])
    await keep()
    const { sessions } = await list()
    expect(
      sessions.map(({ sessionId, deletedSeen }) => [sessionId.slice(9, 13), deletedSeen !== null]),
    ).toEqual([
      ['2222', false],
      ['1111', true],
    ])
  })

  test('a prompt log that lost lines gives them back, each once and where it was typed', async () => {
    const typed = (minute: number, sessionId: string) => ({
      sessionId,
      messageId: minute,
      type: 'user',
      message: `typed ${minute}`,
      timestamp: `2026-11-19T10:0${minute}:00.000Z`,
    })
    const OLD = 'cccccccc-1111-4111-8111-111111111111'
    const write = async (...rows: object[]) => {
      writeFileSync(join(home, 'tmp/shop/logs.json'), JSON.stringify(rows, null, 2))
      await keep()
    }
    await write(typed(1, OLD), typed(2, OLD))
    await write(typed(1, OLD), typed(2, OLD), typed(3, OLD))
    // as long as before, but with other content
    await write(typed(1, OLD), typed(3, OLD), typed(4, OLD))
    const store = await openStore()
    try {
      await store.whenReady()
      const rows = (await store.sessions(ALL)).sessions.filter(({ sessionId }) => sessionId === OLD)
      expect(rows.map(({ kind, counts }) => [kind, counts?.messages])).toEqual([['prompts-only', 4]])
      const messages = (await store.content.allMessages(rows[0]?.key ?? '')) ?? []
      expect(messages.map(({ content }) => content[0])).toEqual(
        [1, 2, 3, 4].map((minute) => ({ kind: 'text', text: `typed ${minute}` })),
      )
      const { sessionTotal } = await store.search({ q: '"typed 2"', mode: 'words', limit: 10 } as never)
      expect(sessionTotal).toBe(1)
    } finally {
      await store.close()
    }
  })

  test('one that grew lost nothing, and one that came back is there once', async () => {
    appendFileSync(join(home, LOG), `${row('user', 5, 'five')}\n`)
    await keep()
    renameSync(join(home, LOG), join(root, 'backup'))
    expect((await one()).row?.deletedSeen).not.toBeNull()
    // the size of uncompressed files there is included
    const desk = new ArchiveControl({ dataFolder: data, homes: homes(), tell: () => {} })
    const { goneBytes, storedBytes } = desk.status()
    expect(goneBytes).toBe(lstatSync(join(root, 'backup')).size)
    expect(storedBytes).toBeGreaterThan(goneBytes)
    renameSync(join(root, 'backup'), join(home, LOG))
    const { row: back } = await one()
    expect(back).toMatchObject({ deletedSeen: null, files: [{ role: 'current' }] })
    expect(filesIn(join(data, 'archive')).filter((path) => path.includes('gone/files'))).toEqual([])
  })

  test('one whose project was moved is there once, in its new place', async () => {
    renameSync(join(home, 'tmp/shop'), join(home, 'tmp/store'))
    expect((await one()).row).toMatchObject({
      deletedSeen: null,
      files: [{ path: LOG.replace('shop', 'store') }],
    })
  })

  test('an unplugged disk has lost nothing', async () => {
    renameSync(home, `${home}.away`)
    expect((await list()).total).toBe(0)
    expect(existsSync(join(data, 'archive', readdirSync(join(data, 'archive'))[0] ?? '', 'gone/files'))).toBe(
      false,
    )
  })

  test('what was kept and is damaged is named, and nothing of it is served', async () => {
    rmSync(join(home, LOG))
    const packs = join(data, 'archive', readdirSync(join(data, 'archive'))[0] ?? '', 'packs')
    for (const name of readdirSync(packs)) {
      const bytes = readFileSync(join(packs, name))
      bytes.writeUInt8(bytes.readUInt8(400) ^ 1, 400)
      writeFileSync(join(packs, name), bytes)
    }
    const store = await openStore()
    await store.whenReady()
    const [sessions, doctor] = [await store.sessions(ALL), await store.doctor()]
    await store.close()
    expect(sessions.total).toBe(0)
    expect(doctor.files.skipped.map(({ path }) => path)).toEqual([`${homes()[0]?.path}/${LOG}`])
  })

  test('what a newer Node kept in a way of its own is named, and holds up nothing else', async () => {
    const packs = join(data, 'archive', readdirSync(join(data, 'archive'))[0] ?? '', 'packs')
    const pack = join(packs, readdirSync(packs)[0] ?? '')
    // the head of the first record after the pack's name has an unknown compression method
    const bytes = readFileSync(pack)
    const start = bytes.indexOf('GDk', bytes.indexOf('GDk') + 1)
    bytes.writeUInt8(99, start + 5)
    bytes.writeUInt32LE(crc32(bytes.subarray(start, start + 32)), start + 32)
    writeFileSync(pack, bytes)
    const other = LOG.replaceAll('aaaaaaaa', 'bbbbbbbb')
    write(other, [head('bbbbbbbb-1111-4111-8111-111111111111'), row('user', 7, 'another')])
    await keep()
    for (const log of [LOG, other]) rmSync(join(home, log))
    const store = await openStore()
    await store.whenReady()
    const [{ sessions }, doctor] = [await store.sessions(ALL), await store.doctor()]
    await store.close()
    expect(sessions.map(({ sessionId }) => sessionId.slice(0, 8))).toEqual(['bbbbbbbb'])
    const [named] = doctor.files.skipped
    expect([named?.path, named?.advice]).toEqual([
      `${homes()[0]?.path}/${LOG}`,
      expect.stringContaining('Node.js 22.15'),
    ])
  })

  test('erasing the archive takes it out of the list', async () => {
    rmSync(join(home, LOG))
    expect((await list()).total).toBe(1)
    await new ArchiveControl({ dataFolder: data, homes: homes(), tell: () => {} }).erase(() => {})
    expect((await list()).total).toBe(0)
    expect(readdirSync(join(data, 'archive'))).toEqual([])
  })
})

test('commands and a server answer alike, and --no-cache says what it does not show', async () => {
  copyHome('0.61.0')
  await keep()
  const [log = ''] = logs()
  rmSync(join(home, log))
  const where = ['--home', home, '--data-dir', data]
  const lists = (...more: string[]) => runProgram(['list', '--json', '--kind', 'all', ...where, ...more])
  const cold = await lists('--no-cache')
  expect(cold.stderr).toContain('Some deleted sessions are archived')
  const listed = await lists('--cache-dir', join(root, 'cache'))
  const rows = (text: string) => (JSON.parse(text) as SessionList).sessions
  expect(rows(listed.stdout)).toHaveLength(rows(cold.stdout).length + 1)
  // extracted files are read without writing
  expect(titles(JSON.parse((await lists('--no-cache')).stdout))).toEqual(titles(JSON.parse(listed.stdout)))
  const gone = rows(listed.stdout).find(({ deletedSeen }) => deletedSeen !== null)
  const shown = await runProgram(['show', gone?.key ?? '', ...where, '--cache-dir', join(root, 'cache')])
  expect(shown.stdout).toMatch(
    /Deleted(?:, probably by Gemini CLI)?, last seen .*; this is the archived copy\./,
  )
  expect((await lists('--deleted', 'sometimes', '--no-cache')).code).toBe(2)
})

test('a session is answered from the archive before anything told that its file was deleted', async () => {
  copyHome('0.61.0')
  await keep()
  const answers = async (whenListed: () => void) => {
    const store = await openStore()
    try {
      await store.whenReady()
      const { sessions } = await store.sessions(ALL)
      whenListed()
      const asked = sessions.map(async ({ key }) => ({
        detail: await store.content.session(key),
        messages: await store.content.allMessages(key),
        changes: await store.content.answer('changes', key, {}),
      }))
      return await Promise.all(asked)
    } finally {
      await store.close()
    }
  }
  const before = await answers(() => {})
  const after = await answers(() => {
    for (const log of logs()) rmSync(join(home, log))
  })
  expect(unmarked(after)).toEqual(unmarked(before))
})

test('a page that shows a session goes on showing it when its file is deleted', async () => {
  copyHome('0.61.0')
  const server = await openTestServer({ home, isWatching: true })
  try {
    server.keeper.follow(server.store, server.lookAgain)
    await server.keeper.change({ enabled: true })
    await server.keeper.now()
    const { sessions } = await server.store.sessions(ALL)
    const rawFiles = async () => {
      const headers = { cookie: server.cookie }
      const answers = sessions.map(({ key }) =>
        fetch(`http://127.0.0.1:${server.port}/api/sessions/${key}/export?format=raw`, { headers }),
      )
      return Promise.all(answers.map(async (answer) => [(await answer).status, await (await answer).text()]))
    }
    const filesBefore = await rawFiles()
    const told: string[] = []
    server.store.subscribe(({ kind, sessionKey }) => void told.push(`${kind} ${sessionKey}`))
    for (const log of logs()) rmSync(join(home, log))
    const rowsNow = async () => (await server.store.sessions(ALL)).sessions
    await expect
      .poll(async () => (await rowsNow()).filter(({ deletedSeen }) => deletedSeen !== null).length)
      .toBe(sessions.filter(({ files }) => files.length > 0).length)
    expect(told.filter((each) => each.startsWith('removed'))).toEqual([])
    expect((await rowsNow()).map(({ key }) => key).sort()).toEqual(sessions.map(({ key }) => key).sort())
    expect(await rawFiles()).toEqual(filesBefore)
  } finally {
    await server.close()
  }
})
