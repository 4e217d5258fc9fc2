import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HomeWriter } from './home-writer.ts'

/** Set HOME_KILLS=50 for more kills in a manual run. */
const KILLS = Number(process.env.HOME_KILLS ?? 4)

let folder: string
let home: string
let project: string
let data: string
let writer: HomeWriter
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-dash-test-')))
  home = join(folder, '.gemini')
  project = join(home, 'tmp', 'shop')
  data = join(folder, 'data')
  mkdirSync(project, { recursive: true })
  writer = new HomeWriter(data)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const bytes = (text: string) => Buffer.from(text)
const LOG = ['tmp', 'shop', 'chats', 'session-1-aaaaaaaa.jsonl']
const AGENT = ['tmp', 'shop', 'chats', 'parent', 'agent.jsonl']
const files = [
  { parts: AGENT, bytes: bytes('agent') },
  { parts: LOG, bytes: bytes('log') },
]
const request = { what: 'recover', sessionKey: 'key', files } as const
const holds = async () => null
const listed = (path = home) => readdirSync(path, { recursive: true, encoding: 'utf8' }).sort().join('\n')

test('what is written stands there whole, is in the journal, and is removed by its id with the folders made for it', async () => {
  const before = listed()
  const { entry, problem } = await writer.write({ ...request, home }, async (begun) => {
    expect(writer.journal.entries()).toMatchObject([{ id: begun.id, done: null }])
    expect(readFileSync(join(home, ...LOG), 'utf8')).toBe('log')
    return null
  })
  expect(problem).toBeNull()
  expect(writer.journal.entries()).toMatchObject([{ id: entry.id, done: expect.any(String), removed: null }])
  expect(listed()).not.toContain('.part')
  expect(await writer.undo(entry.id)).toMatchObject({ why: 'undone', left: [] })
  expect(listed()).toBe(before)
  expect(await writer.undo(entry.id)).toBeNull()
})

test('what was taken back is told with when it was written first, unless it was written again', async () => {
  const paths = [AGENT, LOG].map((parts) => parts.join('/'))
  const { entry } = await writer.write({ ...request, home }, holds)
  expect(writer.journal.takenBack(home)).toEqual(new Map())
  await writer.undo(entry.id)
  const takenBack = new Map(paths.map((path) => [path, entry.at]))
  expect(writer.journal.takenBack(home)).toEqual(takenBack)
  expect(writer.journal.takenBack(folder)).toEqual(new Map())
  // As if killed when the last file was gone, but before that was in the journal.
  const file = join(writer.journal.folder, 'journal.jsonl')
  writeFileSync(file, readFileSync(file, 'utf8').split('\n').slice(0, -2).join('\n'))
  expect(writer.journal.entries()).toMatchObject([{ removed: null }])
  expect(writer.journal.takenBack(home)).toEqual(takenBack)
  const again = await writer.write({ ...request, home }, holds)
  expect(writer.journal.takenBack(home)).toEqual(new Map())
  appendFileSync(join(home, ...LOG), 'more')
  await writer.undo(again.entry.id)
  expect(writer.journal.takenBack(home)).toEqual(new Map())
})

test('what does not hold is removed again, and so is what breaks off', async () => {
  const before = listed()
  const { problem } = await writer.write({ ...request, home }, async () => 'it is another session')
  expect([problem, listed()]).toEqual(['it is another session', before])
  const failing = writer.write({ ...request, home }, async () => {
    throw new Error('no reader')
  })
  await expect(failing).rejects.toThrow('no reader')
  expect(listed()).toBe(before)
  expect(writer.journal.entries().map(({ removed }) => removed?.why)).toEqual(['did-not-hold', 'failed'])
})

test('what was changed since is left alone, with all that goes with it', async () => {
  const { entry } = await writer.write({ ...request, home }, holds)
  appendFileSync(join(home, ...LOG), 'more')
  expect(await writer.undo(entry.id)).toMatchObject({ left: [LOG.join('/')] })
  expect(existsSync(join(home, ...AGENT))).toBe(true)
})

test('a file that is there is never written over', async () => {
  mkdirSync(join(project, 'chats'))
  writeFileSync(join(home, ...LOG), 'theirs')
  await expect(writer.write({ ...request, home }, holds)).rejects.toMatchObject({ code: 'file-exists' })
  expect(readFileSync(join(home, ...LOG), 'utf8')).toBe('theirs')
  expect(writer.journal.entries()).toEqual([])
})

test.each([
  [['tmp', 'shop', '..', '..', 'x'], 'unsafe-name'],
  [['tmp', 'shop', '.', 'x'], 'unsafe-name'],
  [['tmp', 'shop', 'chats', 'a/b'], 'unsafe-name'],
  [['tmp', 'shop', 'chats', 'a\\b'], 'unsafe-name'],
  [['tmp', 'shop', 'chats', ''], 'unsafe-name'],
  [['tmp', 'shop', 'chats', 'a\nb'], 'unsafe-name'],
  [['tmp', 'shop', 'chats', 'a\n'], 'unsafe-name'],
  [['tmp', 'shop', 'chats', 'x\u202e'], 'unsafe-name'],
  [['tmp', 'shop', 'chats', 'NUL.'], 'unsafe-name'],
  [['history', 'shop', 'x'], 'unsafe-name'],
  [['tmp', 'x'], 'unsafe-name'],
  [['tmp', 'other', 'chats', 'x'], 'no-project-folder'],
] as const)('nothing is written to %j', async (parts, code) => {
  const before = listed()
  const hostile = { ...request, home, files: [{ parts, bytes: bytes('x') }] }
  await expect(writer.write(hostile, holds)).rejects.toMatchObject({ code })
  expect([listed(), existsSync(join(folder, 'x'))]).toEqual([before, false])
})

test.runIf(process.platform !== 'win32')(
  'no link on the way is followed, not even one that is laid later',
  async () => {
    mkdirSync(join(folder, 'elsewhere'))
    symlinkSync(join(folder, 'elsewhere'), join(project, 'chats'))
    await expect(writer.write({ ...request, home }, holds)).rejects.toMatchObject({ code: 'link' })
    rmSync(join(project, 'chats'))
    symlinkSync(join(folder, 'elsewhere'), join(home, 'tmp', 'linked'))
    const linked = [{ parts: ['tmp', 'linked', 'x'], bytes: bytes('x') }]
    await expect(writer.write({ ...request, home, files: linked }, holds)).rejects.toMatchObject({
      code: 'link',
    })
    const { entry } = await writer.write({ ...request, home }, holds)
    renameSync(join(project, 'chats'), join(folder, 'elsewhere', 'chats'))
    symlinkSync(join(folder, 'elsewhere', 'chats'), join(project, 'chats'))
    await writer.undo(entry.id)
    expect(readFileSync(join(folder, 'elsewhere', 'chats', LOG[3] ?? ''), 'utf8')).toBe('log')
  },
)

test('killed at any moment it leaves no half session, the next start takes the rest away, and undo works', async () => {
  const script = fileURLToPath(new URL('../../test/write-and-undo.ts', import.meta.url))
  writeFileSync(join(project, 'logs.json'), '[]')
  for (let kill = 0; kill < KILLS; kill++) {
    rmSync(join(project, 'chats'), { recursive: true, force: true })
    const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), script, home, data])
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    await setTimeout((kill * 397) % 150)
    child.kill('SIGKILL')
    await ended
    for (const name of sessionFiles())
      expect(readFileSync(join(project, 'chats', name)).length).toBe(2_000_000)
    const next = new HomeWriter(data)
    expect(next.removeLeft()).toBeLessThanOrEqual(1)
    expect(listed()).not.toContain('.part')
    const done = next.journal.entries().filter((entry) => entry.done !== null && entry.removed === null)
    const there = done.flatMap((entry) => entry.files).filter(({ parts }) => existsSync(join(home, ...parts)))
    const names = listed(project)
      .split('\n')
      .filter((name) => name.endsWith('.jsonl'))
    expect(new Set(names)).toEqual(new Set(there.map(({ parts }) => parts.slice(2).join('/'))))
    for (const entry of done) await next.undo(entry.id)
    expect(
      listed(project)
        .split('\n')
        .filter((name) => name !== 'chats'),
    ).toEqual(['logs.json'])
  }
}, 240_000)

function sessionFiles(): string[] {
  const chats = join(project, 'chats')
  return existsSync(chats) ? readdirSync(chats).filter((name) => name.startsWith('session-')) : []
}
