import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { DiscoveredFile } from './scan/scan.ts'
import { readSessionFile, readSessionGroup } from './session-file.ts'
import { readHeads } from './survey.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'read-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const SESSION = {
  sessionId: '7ff5e7ae-0000-4000-8000-000000000000',
  projectHash: 'a'.repeat(64),
  startTime: '2026-11-21T20:30:57.000Z',
  lastUpdated: '2026-11-21T20:31:00.000Z',
  messages: [{ id: 'p1', timestamp: '2026-11-21T20:30:57.000Z', type: 'user', content: 'Say one' }],
}

function discovered(name: string): DiscoveredFile {
  return {
    home: root,
    path: `tmp/shop/chats/${name}`,
    absolutePath: join(root, name),
    projectFolder: root,
    sizeBytes: 100,
    mtimeMs: Date.UTC(2026, 10, 21),
    mtimeNs: '0',
    ctimeNs: '0',
    inode: '1',
  }
}

it('reads a file larger than one chunk', async () => {
  const messages = Array.from({ length: 6 }, (_, index) => ({
    ...SESSION.messages[0],
    id: `p${index}`,
    content: 'ü'.repeat(1024 * 1024),
  }))
  writeFileSync(join(root, 'a.json'), JSON.stringify({ ...SESSION, messages }, null, 2))
  const parsed = await readSessionFile(discovered('a.json'))
  expect(parsed?.messages.map((message) => message.key)).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5'])
  expect(parsed?.issues).toEqual([])
  expect(parsed?.sizeBytes).toBeGreaterThan(12 * 1024 * 1024)
})

it('reads a half-written file again before it calls it damaged', async () => {
  const text = JSON.stringify(SESSION, null, 2)
  writeFileSync(join(root, 'a.json'), text.slice(0, 120))
  const reading = readSessionFile(discovered('a.json'))
  await setTimeout(20)
  writeFileSync(join(root, 'a.json'), text)
  const parsed = await reading
  expect(parsed?.issues).toEqual([])
  expect(parsed?.messages).toHaveLength(1)
})

it('gives null for a file that is gone', async () => {
  expect(await readSessionFile(discovered('gone.json'))).toBeNull()
  expect((await readHeads([discovered('gone.json')])).size).toBe(0)
})

it('makes a row with the reason of what the system does not let it read', async () => {
  mkdirSync(join(root, 'folder.json'))
  writeFileSync(join(root, 'target.json'), JSON.stringify(SESSION))
  symlinkSync(join(root, 'target.json'), join(root, 'session-2026-11-21T20-30-7ff5e7ae.json'))
  const folder = await readSessionFile(discovered('folder.json'))
  expect(folder).toMatchObject({ isDamaged: true, issues: [{ code: 'unreadable' }] })
  const [row] = await readSessionGroup([discovered('session-2026-11-21T20-30-7ff5e7ae.json')])
  expect(row).toMatchObject({ sessionId: '7ff5e7ae', startTime: '2026-11-21T20:30:00.000Z', messages: [] })
  expect(row?.issues[0]?.args.reason).toMatch(/link/)
})

it('reads the head, and more of it where the id comes late', async () => {
  const { messages, ...metadata } = SESSION
  const late = { messages: [{ ...messages[0], content: 'x'.repeat(8000) }], ...metadata }
  writeFileSync(join(root, 'late.json'), JSON.stringify(late))
  const file = { ...discovered('late.json'), sizeBytes: 9000 }
  expect((await readHeads([file])).get(file)).toMatchObject({
    sessionId: SESSION.sessionId,
    startTime: SESSION.startTime,
  })
})

it('reads the end of a document whose messages stand before its id', async () => {
  const { messages, ...metadata } = SESSION
  const late = { messages: [{ ...messages[0], content: 'x'.repeat(200_000) }], ...metadata }
  writeFileSync(join(root, 'late.json'), JSON.stringify(late))
  const file = { ...discovered('late.json'), sizeBytes: JSON.stringify(late).length }
  expect((await readHeads([file])).get(file)).toMatchObject({
    sessionId: SESSION.sessionId,
    firstStartTime: SESSION.startTime,
  })
})

it('finds the workspace in the head of a log', async () => {
  const text =
    '<session_context>\nHi\n- **Workspace Directories:**\n  - /code/my shop\n  - C:\\Users\\a\n- **Directory'
  const set = {
    $set: { messages: [{ id: 'c', timestamp: SESSION.startTime, type: 'user', content: [{ text }] }] },
  }
  const { messages: _, ...metadata } = SESSION
  writeFileSync(join(root, 'log.jsonl'), `${JSON.stringify(metadata)}\n${JSON.stringify(set)}\n`)
  const log = discovered('log.jsonl')
  expect((await readHeads([log])).get(log)?.contextPaths).toEqual(['/code/my shop', 'C:\\Users\\a'])
})
