import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { GrowingSessionGroup, readSessionGroup } from './session-file.ts'

const TIME = '2026-11-21T20:28:20.912Z'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gemini-sessions-group-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function largeLog() {
  const absolutePath = join(folder, 'session.jsonl')
  const head = { sessionId: 's', projectHash: 'p', startTime: TIME, lastUpdated: TIME }
  const rows = Array.from({ length: 30 }, (_, n) => ({
    id: `m${n}`,
    timestamp: TIME,
    type: 'user',
    content: 'a long text '.repeat(90_000),
  }))
  await writeFile(absolutePath, [head, ...rows].map((row) => `${JSON.stringify(row)}\n`).join(''))
  const { size, mtimeMs } = await stat(absolutePath)
  const place = { home: folder, path: 'tmp/p/chats/session.jsonl', projectFolder: folder, absolutePath }
  return { ...place, sizeBytes: size, mtimeMs, mtimeNs: '1', ctimeNs: '1', inode: '1' }
}

it('what is read gives way to others as long as it is told to', async () => {
  const file = await largeLog()
  let turns = 0
  const giveWay = async () => {
    turns += 1
    await setImmediate()
  }
  const [session] = await readSessionGroup([file], { giveWay })
  expect(session?.messages).toHaveLength(30)
  expect(turns).toBeGreaterThan(1)
  turns = 0
  await new GrowingSessionGroup({ giveWay }).read([file])
  expect(turns).toBeGreaterThan(1)
})
