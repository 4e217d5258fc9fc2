import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listBeside } from './neighbours.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beside-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(...places: string[]): void {
  for (const place of places) {
    mkdirSync(dirname(join(folder, place)), { recursive: true })
    writeFileSync(join(folder, place), 'text')
  }
}

const listed = (ids: string[]) =>
  listBeside({ home: '', folder, name: 'webshop', marker: null, logs: null, checkpoints: [] }, ids)
    .map(({ place, kind, sessionId }) => [place, kind, sessionId])
    .sort()

it('lists what the clean-up takes with a session, and says whose it is where a folder tells', () => {
  write(
    'chats/session-2026-11-21T20-30-11111111.jsonl',
    'logs/session-one.jsonl',
    'memory/MEMORY.md',
    'shell_history',
    'one/plans/a.md',
    'one/tracker/0a1b2c.json',
    'one/tasks/1.log',
    'two_words/plans/b.md',
    'of-nobody/secret.txt',
    'constructor/a.txt',
    'tool-outputs/session-one/read_file_1.txt',
    'tool-outputs/session-one________0/read_file_2.txt',
    'tool-outputs/session-gone/read_file_3.txt',
    'tool-outputs/loose.txt',
    'read_file_4.txt',
    'images/clipboard-1.png',
    'plans/old.md',
    'tracker/abcdef.json',
    'checkpoints/2026-11-21T20-37-54_297Z-a.js-write_file.json',
  )
  expect(listed(['one', 'two words', 'plans'])).toEqual([
    ['checkpoints/2026-11-21T20-37-54_297Z-a.js-write_file.json', 'restore-point', null],
    ['images/clipboard-1.png', 'picture', null],
    ['one/plans/a.md', 'plan', 'one'],
    ['one/tasks/1.log', 'other', 'one'],
    ['one/tracker/0a1b2c.json', 'task', 'one'],
    ['plans/old.md', 'plan', null],
    ['read_file_4.txt', 'output', null],
    ['tool-outputs/loose.txt', 'output', null],
    ['tool-outputs/session-gone/read_file_3.txt', 'output', null],
    ['tool-outputs/session-one/read_file_1.txt', 'output', 'one'],
    ['tool-outputs/session-one________0/read_file_2.txt', 'output', 'one'],
    ['tracker/abcdef.json', 'task', null],
    ['two_words/plans/b.md', 'plan', 'two words'],
  ])
})

it('follows no link, and lists no pipe', () => {
  write('elsewhere/secret.md', 'plans/a.md')
  symlinkSync(join(folder, 'elsewhere/secret.md'), join(folder, 'plans/link.md'))
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'one'))
  execFileSync('mkfifo', [join(folder, 'plans/pipe.md')])
  expect(listed(['one'])).toEqual([['plans/a.md', 'plan', null]])
})
