import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HomeWriter, type WriteOne } from './home-writer.ts'

let folder: string
let home: string
let data: string
let writer: HomeWriter
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'write-all-')))
  home = join(folder, '.gemini')
  data = join(folder, 'data')
  mkdirSync(join(home, 'tmp', 'shop'), { recursive: true })
  writer = new HomeWriter(data)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const NAMES = ['a', 'b', 'c']
const partsOf = (name: string) => ['tmp', 'shop', 'chats', `session-${name}.jsonl`]
const paths = NAMES.map((name) => [partsOf(name).join('/')])
const listed = () => readdirSync(home, { recursive: true, encoding: 'utf8' }).sort().join('\n')
const write = (writeOne: WriteOne, name: string, holds = true) => {
  const files = [{ parts: partsOf(name), bytes: Buffer.from(name) }]
  return writeOne({ what: 'move', sessionKey: name, home, files }, async () =>
    holds ? null : 'it is another',
  )
}

/** The state of the disk at one moment of a batch: what a process killed at that moment leaves. */
async function leave(moment: (writeOne: WriteOne) => Promise<void>): Promise<void> {
  const kept = mkdtempSync(join(tmpdir(), 'write-all-kept-'))
  const broken = writer.writeAll(paths, async (writeOne) => {
    await moment(writeOne)
    cpSync(folder, kept, { recursive: true })
    throw new Error('killed')
  })
  await expect(broken).rejects.toThrow('killed')
  rmSync(folder, { recursive: true })
  cpSync(kept, folder, { recursive: true })
  rmSync(kept, { recursive: true })
  const { pid } = spawnSync(process.execPath, ['--version'])
  const owner = { id: 'left', pid, host: hostname() }
  writeFileSync(join(writer.journal.folder, 'owner.json'), JSON.stringify(owner))
}

test('all are written, and are taken back by one id', async () => {
  const before = listed()
  const { id, problem } = await writer.writeAll(paths, async (writeOne) => {
    // What is written can be removed again even if the disk has filled up.
    expect(statSync(join(writer.journal.folder, 'room')).size).toBeGreaterThan(6_000)
    for (const name of NAMES) await write(writeOne, name)
    return null
  })
  expect([problem, writer.removeLeft()]).toEqual([null, 0])
  for (const name of NAMES) expect(existsSync(join(home, ...partsOf(name)))).toBe(true)
  expect(readdirSync(writer.journal.folder)).toEqual(['journal.jsonl'])
  expect(await writer.undo(id)).toMatchObject({ left: [] })
  expect(listed()).toBe(before)
})

test('R63: of those that a death left between two of them none stays', async () => {
  const before = listed()
  await leave(async (writeOne) => void (await write(writeOne, 'a')))
  expect(listed()).not.toBe(before)
  expect(writer.removeLeft()).toBe(1)
  expect(listed()).toBe(before)
  expect([writer.removeLeft(), readdirSync(writer.journal.folder)]).toEqual([0, ['journal.jsonl']])
})

test('room that a death left goes, though nothing was written', async () => {
  await leave(async () => {})
  expect(writer.journal.hasRoom()).toBe(true)
  writer.removeLeft()
  expect(writer.journal.hasRoom()).toBe(false)
})

test('one that does not hold, or breaks off, takes the ones before along', async () => {
  const before = listed()
  const { problem } = await writer.writeAll(paths, async (writeOne) => {
    await write(writeOne, 'a')
    return (await write(writeOne, 'b', false)).problem
  })
  expect([problem, listed()]).toEqual(['it is another', before])
})

test('one whose content was changed since stays, though it has the same size', async () => {
  const { id } = await writer.writeAll(paths, async (writeOne) => {
    for (const name of NAMES) await write(writeOne, name)
    return null
  })
  writeFileSync(join(home, ...partsOf('b')), 'B')
  expect(await writer.undo(id)).toMatchObject({ left: [partsOf('b').join('/')] })
  expect(NAMES.map((name) => existsSync(join(home, ...partsOf(name))))).toEqual([false, true, false])
})

test('a batch that one of its sessions was forgotten of is whole, and stays', async () => {
  await writer.writeAll(paths, async (writeOne) => {
    for (const name of NAMES) await write(writeOne, name)
    return null
  })
  await writer.forget(new Set(['b']))
  expect(writer.removeLeft()).toBe(0)
  expect(existsSync(join(home, ...partsOf('a')))).toBe(true)
  expect(writer.journal.entries().map(({ sessionKey, of }) => [sessionKey, of])).toEqual([
    ['a', 2],
    ['c', 2],
  ])
})
