import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { forgetAnswerSchema, keepStatusSchema, type SessionList, sessionListSchema } from '@gemini-dash/api'
import { Archive, forgetFiles, readVersion } from '@gemini-dash/archive'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { ArchiveControl, claimArchive } from '../src/keep/archive-control.ts'
import { openTestServer } from './open-test-server.ts'
import { runProgram, startProgram } from './run-program.ts'

// A forgotten session is in none of our folders, not even compressed; what others share with it stays.

const ID = 'f0f0f0f0-1111-4111-8111-111111111111'
const OTHER = 'b0b0b0b0-2222-4222-8222-222222222222'
const LOG = 'tmp/shop/chats/session-2026-11-20T10-00-f0f0f0f0.jsonl'
const OTHER_LOG = 'tmp/shop/chats/session-2026-11-20T11-00-b0b0b0b0.jsonl'
/** Long enough to fill chunks shared by both sessions. */
const COMMON = Array.from({ length: 6_000 }, (_, at) => `common line ${at * 7919}`).join(' ')

let root: string
let home: string
let data: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'forget-'))
  home = join(root, '.gemini')
  data = join(root, 'data')
  write('tmp/shop/.project_root', join(root, 'shop'))
  write(LOG, log(ID, 10, ['canaryprompt one', COMMON, 'canaryanswer two']))
  write(`tmp/shop/chats/${ID}/abcdef.jsonl`, log('abcdef', 10, ['canaryagent task'], 'subagent'))
  write(`tmp/shop/tool-outputs/session-${ID}/run_1.txt`, 'canaryoutput of a tool')
  write(OTHER_LOG, log(OTHER, 11, ['another prompt', COMMON, 'another answer']))
  const typed = (sessionId: string, message: string) => ({
    sessionId,
    messageId: 0,
    type: 'user',
    message,
    timestamp: '2026-11-20T10:00:00.000Z',
  })
  write('tmp/shop/logs.json', JSON.stringify([typed(ID, 'canaryprompt one'), typed(OTHER, 'another prompt')]))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Written an hour ago: a session that has just grown is not recovered. */
function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
  const hourAgo = machineTime().getTime() / 1000 - 3600
  utimesSync(join(home, path), hourAgo, hourAgo)
}

function log(sessionId: string, hour: number, texts: string[], kind = 'main'): string {
  const at = (minute: number) => `2026-11-20T${hour}:0${minute}:00.000Z`
  const head = { sessionId, projectHash: 'f'.repeat(64), startTime: at(0), lastUpdated: at(9), kind }
  const rows = texts.map((text, index) => ({
    id: `${sessionId}-${index}`,
    timestamp: at(index),
    ...(index % 2 === 0 ? { type: 'user', content: [{ text }] } : { type: 'gemini', content: text }),
  }))
  return `${[head, ...rows].map((row) => JSON.stringify(row)).join('\n')}\n`
}

const where = () => ['--home', home, '--data-dir', data, '--cache-dir', join(root, 'cache')]
const run = (...args: string[]) => runProgram([...args, ...where()])
const list = async (): Promise<SessionList['sessions']> =>
  sessionListSchema.parse(JSON.parse((await run('list', '--json', '--kind', 'all')).stdout)).sessions

const homes = () => findHomes({ homeArguments: [home], env: {}, userHome: '/nobody' })
const openControl = () => new ArchiveControl({ dataFolder: data, homes: homes(), tell: () => {} })

async function keep(): Promise<void> {
  const desk = openControl()
  desk.change({ enabled: true })
  await desk.run()
}

/** Name and bytes of every file in these folders, and the full content of archives, as text. */
async function everythingIn(...folders: string[]): Promise<string> {
  const texts: string[] = []
  for (const folder of folders)
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const place = join(folder, path)
      texts.push(path)
      // a running server writes its index meanwhile: files that disappear are skipped
      const bytes = statSync(place, { throwIfNoEntry: false })?.isFile() ? readIfThere(place) : null
      if (bytes !== null) texts.push(bytes)
      if (path.endsWith('archive.json')) texts.push(await contentOf(new Archive(dirname(place))))
    }
  return texts.join('\n').toLowerCase()
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function contentOf(archive: Archive): Promise<string> {
  archive.refresh()
  const texts: string[] = []
  for (const { path, label, versions } of archive.manifest.files()) {
    texts.push(path, JSON.stringify(label))
    for (const version of versions)
      for await (const piece of readVersion(archive, version))
        texts.push(Buffer.from(piece).toString('latin1'))
  }
  return texts.join('\n')
}

const TRACES = ['canaryprompt', 'canaryanswer', 'canaryagent', 'canaryoutput', ID, 'f0f0f0f0']

function tracesIn(text: string): string[] {
  return TRACES.filter((trace) => text.includes(trace))
}

function openArchive(): Archive {
  const [name = ''] = readdirSync(join(data, 'archive'))
  const archive = new Archive(join(data, 'archive', name))
  archive.refresh()
  return archive
}

describe('the command', () => {
  test('leaves nothing of a deleted session, and all of the others', async () => {
    await keep()
    const kept = await everythingIn(data)
    expect(tracesIn(kept)).toEqual(TRACES)
    for (const path of [
      LOG,
      `tmp/shop/chats/${ID}`,
      `tmp/shop/tool-outputs`,
      'tmp/shop/logs.json',
      OTHER_LOG,
    ])
      rmSync(join(home, path), { recursive: true })
    const [session] = (await list()).filter(({ sessionId }) => sessionId === ID)
    const key = session?.key ?? ''
    expect((await run('search', 'canaryprompt', '--json')).code).toBe(0)
    expect(tracesIn(await everythingIn(join(root, 'cache')))).toContain('canaryprompt')
    writeFileSync(
      join(data, 'marks.jsonl'),
      `{"marks":"gemini-dash","version":1}\n${JSON.stringify({ at: 1, session: key, note: 'canaryprompt of mine' })}\n`,
    )

    // recovered, and deleted again: what was written to a home is in a journal
    expect((await run('recover', key, '--write')).code).toBe(0)
    expect(tracesIn(await everythingIn(join(data, 'home-writes')))).toContain(ID)
    for (const path of [`tmp/shop/chats`, 'tmp/shop/tool-outputs'])
      rmSync(join(home, path), { recursive: true })

    const refused = await run('forget', key)
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') })
    const { stdout, code } = await run('forget', key, '--yes', '--json')
    expect(code).toBe(0)
    expect(forgetAnswerSchema.parse(JSON.parse(stdout))).toMatchObject({ erased: 4, stillThere: [] })

    expect(tracesIn(await everythingIn(data, join(root, 'cache')))).toEqual([])
    expect(
      (await list()).map(({ sessionId, kind, deletedSeen }) => [sessionId, kind, deletedSeen !== null]),
    ).toEqual([[OTHER, 'main', true]])
    expect(tracesIn(await everythingIn(data, join(root, 'cache')))).toEqual([])
    const shown = await run('show', OTHER, '--json')
    expect(shown.stdout).toContain('common line 7919')
    const status = keepStatusSchema.parse(JSON.parse((await run('keep', 'status', '--json')).stdout))
    expect(status).toMatchObject({ damaged: 0, sessions: 1 })
    expect(await everythingIn(data)).toContain('another prompt')
  })

  test('names what is still in a home, leaves it alone, and never keeps it again', async () => {
    await keep()
    const [session] = (await list()).filter(({ sessionId }) => sessionId === ID)
    const before = readFileSync(join(home, LOG), 'utf8')
    const { stdout } = await run('forget', session?.key ?? '', '--yes')
    expect(stdout).toContain(`${homes()[0]?.path}/${LOG}`)
    expect(readFileSync(join(home, LOG), 'utf8')).toBe(before)
    // a resume continues in the same file, and in another one
    writeFileSync(join(home, LOG), `${before}${JSON.stringify({ $set: { summary: 'canaryprompt' } })}\n`)
    cpSync(join(home, LOG), join(home, LOG.replace('10-00', '12-00')))
    await keep()
    expect(tracesIn(await everythingIn(data))).toEqual([])
    expect([...openArchive().manifest.files()].map(({ path }) => path).sort()).toEqual(
      ['tmp/shop/.project_root', OTHER_LOG].sort(),
    )
  })
})

/** `FORGET_KILLS=50` for the full test. */
const KILLS = Number(process.env.FORGET_KILLS ?? 2)

test('killed at random points, the next start leaves nothing of it, and all of the others', async () => {
  await keep()
  for (const path of [LOG, `tmp/shop/chats/${ID}`, 'tmp/shop/tool-outputs', 'tmp/shop/logs.json', OTHER_LOG])
    rmSync(join(home, path), { recursive: true })
  const key = (await list()).find(({ sessionId }) => sessionId === ID)?.key ?? ''
  expect((await run('search', 'canaryprompt', '--json')).code).toBe(0)
  writeFileSync(
    join(data, 'marks.jsonl'),
    `{"marks":"gemini-dash","version":1}\n${JSON.stringify({ at: 1, session: key, note: 'canaryprompt of mine' })}\n`,
  )
  const folders = [data, join(root, 'cache')]
  for (const folder of folders) cpSync(folder, `${folder}.whole`, { recursive: true })
  let begun = 0
  for (let kill = 0; kill < KILLS; kill++) {
    for (const folder of folders) {
      rmSync(folder, { recursive: true })
      cpSync(`${folder}.whole`, folder, { recursive: true })
    }
    const forgetting = startProgram(['forget', key, '--yes', ...where()])
    const isBegun = () => existsSync(join(data, 'forgetting', 'journal.json'))
    while (!isBegun() && forgetting.child.exitCode === null) await setTimeout(1)
    begun += isBegun() ? 1 : 0
    // from the first write to about the last
    await setTimeout(((kill + 0.5) / KILLS) * 250)
    forgetting.child.kill('SIGKILL')
    await forgetting.finished
    expect((await list()).map(({ sessionId, kind }) => [sessionId, kind])).toEqual([[OTHER, 'main']])
    expect(tracesIn(await everythingIn(...folders))).toEqual([])
    expect(readdirSync(data)).not.toContain('forgetting')
    expect((await run('forget', key, '--yes')).code).toBe(1)
    expect((await run('show', OTHER, '--json')).stdout).toContain('common line 7919')
    expect((await run('search', 'another answer', '--json')).stdout).toContain(OTHER)
    // what others typed, in the log that both share
    expect(await everythingIn(data)).toContain('another prompt')
    expect(openArchive().damagedVersions()).toEqual([])
  }
  expect(begun).toBeGreaterThan(0)
}, 300_000)

test('the command has a server that runs erase it, and the index of the server is none that it opens itself', async () => {
  await keep()
  for (const path of [LOG, `tmp/shop/chats/${ID}`, 'tmp/shop/tool-outputs', 'tmp/shop/logs.json'])
    rmSync(join(home, path), { recursive: true })
  const server = startProgram(['serve', '--json', '--port', '0', ...where()])
  try {
    await server.firstLine
    const key = (await list()).find(({ sessionId }) => sessionId === ID)?.key ?? ''
    expect((await run('search', 'canaryprompt', '--json')).stdout).toContain(key)
    const { stdout, code } = await run('forget', key, '--yes', '--json')
    expect(code).toBe(0)
    expect(forgetAnswerSchema.parse(JSON.parse(stdout))).toMatchObject({ erased: 4, stillThere: [] })
    expect(tracesIn(await everythingIn(data, join(root, 'cache')))).toEqual([])
    expect((await list()).map(({ sessionId }) => sessionId)).toEqual([OTHER])
    expect((await run('search', 'another answer', '--json')).stdout).toContain(OTHER)
    expect(server.child.exitCode).toBeNull()
  } finally {
    server.child.kill('SIGTERM')
    await server.finished
  }
  expect(tracesIn(await everythingIn(data, join(root, 'cache')))).toEqual([])
})

test('a server beside it, with a cache of its own, knows nothing of it any more', async () => {
  await keep()
  for (const path of [LOG, `tmp/shop/chats/${ID}`, 'tmp/shop/logs.json'])
    rmSync(join(home, path), { recursive: true })
  const own = ['--home', home, '--data-dir', data, '--cache-dir', join(root, 'other')]
  const server = startProgram(['serve', '--json', '--no-token', '--port', '0', ...own])
  try {
    const { origin } = new URL(JSON.parse(await server.firstLine).url)
    const ask = (path: string, body?: object) =>
      fetch(`${origin}${path}`, {
        headers: { origin, 'content-type': 'application/json' },
        ...(body && { method: 'PUT', body: JSON.stringify(body) }),
      })
    const key = (await list()).find(({ sessionId }) => sessionId === ID)?.key ?? ''
    expect((await ask(`/api/marks/${key}`, { note: 'canaryprompt of mine' })).status).toBe(200)
    expect((await run('forget', key, '--yes')).code).toBe(0)
    expect((await ask(`/api/marks/${key}`, { note: 'canaryprompt again' })).status).toBe(404)
    expect(await (await ask('/api/marks')).json()).toMatchObject({ marks: {} })
    expect(await (await ask('/api/search?q=canaryprompt')).json()).toMatchObject({ sessionTotal: 0 })
    const { sessions } = sessionListSchema.parse(await (await ask('/api/sessions')).json())
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([OTHER])
    expect(readFileSync(join(data, 'marks.jsonl'), 'utf8')).not.toContain('canaryprompt')
  } finally {
    server.child.kill('SIGTERM')
    await server.finished
  }
})

test('a server erases it from what it has on disk, and its page is told', async () => {
  const server = await openTestServer({ home })
  data = server.dataFolder
  const url = `http://127.0.0.1:${server.port}`
  const headers = { cookie: server.cookie, origin: url, 'content-type': 'application/json' }
  try {
    server.keeper.follow(server.store, server.lookAgain)
    await server.keeper.change({ enabled: true })
    await server.keeper.now()
    for (const path of [LOG, `tmp/shop/chats/${ID}`, 'tmp/shop/tool-outputs', 'tmp/shop/logs.json'])
      rmSync(join(home, path), { recursive: true })
    await server.keeper.now()
    const told: string[] = []
    server.store.subscribe(({ kind }) => void told.push(kind))
    const forget = (key: string) =>
      fetch(`${url}/api/sessions/${key}/forget`, { method: 'POST', headers, body: '{}' })
    expect((await fetch(`${url}/api/sessions/${ID}/forget`, { method: 'POST', body: '{}' })).status).toBe(403)
    expect((await forget('nothing')).status).toBe(404)
    const answer = await forget(ID)
    expect([answer.status, forgetAnswerSchema.parse(await answer.json()).stillThere]).toEqual([200, []])
    expect((await forget(ID)).status).toBe(404)
    expect(told).toContain('removed')
    await server.store.whenReady()
    expect(tracesIn(await everythingIn(data, join(data, '..', 'cache')))).toEqual([])
    const found = await fetch(`${url}/api/search?q=another`, { headers })
    expect(await found.json()).toMatchObject({ sessionTotal: 1 })
  } finally {
    await server.close()
  }
})

test('what lies on a disk that is not there just now is shown no more, either', async () => {
  await keep()
  for (const path of [LOG, `tmp/shop/chats/${ID}`, 'tmp/shop/tool-outputs', 'tmp/shop/logs.json', OTHER_LOG])
    rmSync(join(home, path), { recursive: true })
  const desk = openControl()
  await desk.run()
  const files = [{ home: homes()[0]?.path ?? '', path: LOG }]
  renameSync(home, `${home}-unplugged`)
  expect(tracesIn(await everythingIn(data))).toEqual(TRACES)
  await desk.forget({ sessionIds: [ID, 'abcdef'], files })
  const left = await everythingIn(data)
  expect(tracesIn(left)).toEqual([])
  expect(left).toContain('another answer')
})

test('as long as another process has the archive it waits, and then leaves nothing', async () => {
  await keep()
  const [name = ''] = readdirSync(join(data, 'archive'))
  const release = await claimArchive(join(data, 'archive', name), () => {})
  let isFree = false
  const files = [{ home: homes()[0]?.path ?? '', path: LOG }]
  const forgotten = openControl()
    .forget({ sessionIds: [ID, 'abcdef'], files })
    .then(() => isFree)
  expect(tracesIn(await everythingIn(join(data, 'archive')))).toEqual(TRACES)
  isFree = true
  release()
  expect(await forgotten).toBe(true)
  expect(tracesIn(await everythingIn(data))).toEqual([])
})

test('killed between any two writings, it is gone on with, and what stays is whole', async () => {
  await keep()
  const [name = ''] = readdirSync(join(data, 'archive'))
  const whole = join(root, 'whole')
  cpSync(join(data, 'archive', name), whole, { recursive: true })
  const idsOf = (archive: Archive) => {
    archive.refresh()
    return [...archive.manifest.files()].filter(({ path }) => path.includes('f0f0f0f0')).map(({ id }) => id)
  }
  // only the first step was completed: the journal exists, and the packs are unchanged
  cpSync(whole, join(root, 'begun'), { recursive: true })
  const begun = new Archive(join(root, 'begun'))
  writeFileSync(join(root, 'begun', 'forgetting.json'), JSON.stringify(idsOf(begun)))
  await forgetFiles(begun, [])
  begun.refresh()
  const text = (await contentOf(begun)).toLowerCase()
  expect(text).not.toContain('canaryanswer')
  expect(text).toContain('another answer')
  expect(begun.damagedVersions()).toEqual([])
  expect(readdirSync(join(root, 'begun')).includes('forgetting.json')).toBe(false)
  // the packs are done, but the journal still exists
  writeFileSync(join(root, 'begun', 'forgetting.json'), JSON.stringify(idsOf(new Archive(whole))))
  await forgetFiles(begun, [])
  expect(begun.damagedVersions()).toEqual([])
})
