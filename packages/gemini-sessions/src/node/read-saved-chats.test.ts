import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readSavedChats } from './loose.ts'
import { findHomes, scanHomes } from './scan/find-homes.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'saved-chats-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string, day: number): void {
  const absolute = join(root, '.gemini/tmp', path)
  mkdirSync(dirname(absolute), { recursive: true })
  writeFileSync(absolute, text)
  utimesSync(absolute, new Date(`2026-02-0${day}`), new Date(`2026-02-0${day}`))
}

async function savedChats() {
  const { projects } = await scanHomes(findHomes({ homeArguments: [root], env: {}, userHome: '/nobody' }))
  return readSavedChats(projects, 'shop')
}

const chat = (text: string) => JSON.stringify([{ role: 'user', parts: [{ text }] }])

it('A8: the copy that a migration left is the same chat, and dates of files are no times', async () => {
  write('shop/checkpoint-a.json', chat('one'), 6)
  write('abc/checkpoint-a.json', chat('one'), 1)
  const sessions = await savedChats()
  expect(
    sessions.map(({ startTime, files }) => [startTime, files.map(({ path, role }) => [path, role])]),
  ).toEqual([
    [
      null,
      [
        ['tmp/abc/checkpoint-a.json', 'current'],
        ['tmp/shop/checkpoint-a.json', 'copy'],
      ],
    ],
  ])
})

it('a chat saved again under its tag after a migration is one of its own, with a key of its own', async () => {
  write('shop/checkpoint-a.json', chat('two'), 6)
  write('abc/checkpoint-a.json', chat('one'), 1)
  const sessions = await savedChats()
  expect(new Set(sessions.map(({ key }) => key)).size).toBe(2)
  expect(sessions.map(({ messages }) => messages[0]?.content[0])).toEqual([
    { kind: 'text', text: 'one' },
    { kind: 'text', text: 'two' },
  ])
})
