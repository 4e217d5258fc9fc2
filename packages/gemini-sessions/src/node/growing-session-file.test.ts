import { appendFile, mkdtemp, open, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DiscoveredFile } from './scan/scan.ts'
import { GrowingSessionFile, readSessionFile } from './session-file.ts'

const METADATA = `${JSON.stringify({
  sessionId: '4363c94e-b2c5-4034-b4ff-8148ed6493c9',
  projectHash: '0'.repeat(64),
  startTime: '2026-11-21T20:28:20.912Z',
  lastUpdated: '2026-11-21T20:28:20.912Z',
})}\n`
const row = (id: string, text: string) =>
  `${JSON.stringify({ id, timestamp: '2026-11-21T20:28:21.000Z', type: 'user', content: [{ text }] })}\n`

describe('a log that grows', () => {
  let folder: string
  let path: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gemini-sessions-grow-'))
    path = join(folder, 'session-2026-11-21T20-28-4363c94e.jsonl')
    await writeFile(path, METADATA + row('a', 'one'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function discovered(): Promise<DiscoveredFile> {
    const { size, mtimeMs, ctimeMs, ino } = await stat(path)
    return {
      home: folder,
      path: 'tmp/webshop/chats/session-2026-11-21T20-28-4363c94e.jsonl',
      absolutePath: path,
      projectFolder: folder,
      sizeBytes: size,
      mtimeMs,
      mtimeNs: String(mtimeMs),
      ctimeNs: String(ctimeMs),
      inode: String(ino),
    }
  }

  async function expectSameAsFresh(growing: GrowingSessionFile): Promise<void> {
    const file = await discovered()
    expect(await growing.read(file)).toEqual(await readSessionFile(file))
  }

  it('R31: says after every append what a fresh reading says, also when a character is cut in two', async () => {
    const growing = new GrowingSessionFile()
    await expectSameAsFresh(growing)
    const bytes = Buffer.from(row('b', '料理') + row('a', 'one, again'))
    for (const size of [10, 93, 94, 95, bytes.length]) {
      const { size: before } = await stat(path)
      await appendFile(path, bytes.subarray(before - METADATA.length - row('a', 'one').length, size))
      await expectSameAsFresh(growing)
    }
    expect((await growing.read(await discovered()))?.messages.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('R32: begins anew when the file was replaced, cut, or rewritten in place', async () => {
    const growing = new GrowingSessionFile()
    await expectSameAsFresh(growing)
    await writeFile(`${path}.new`, METADATA + row('c', 'another') + row('d', 'life'))
    await rename(`${path}.new`, path)
    await expectSameAsFresh(growing)
    await truncate(path, METADATA.length)
    await expectSameAsFresh(growing)
    await writeFile(path, METADATA + row('e', 'longer than before, and other words'))
    await expectSameAsFresh(growing)
  })

  it('what was put aside is found in a file that took the place of the one that was found', async () => {
    const growing = new GrowingSessionFile({ putsTextsAside: true })
    const found = await discovered()
    await writeFile(`${path}.new`, METADATA + row('c', 'another'))
    await rename(`${path}.new`, path)
    const [message] = (await growing.read(found))?.messages ?? []
    const record = message && (await growing.putAside.readRecord(message.source))
    expect(String(record)).toContain('another')
  })

  it('A3: begins anew when somebody wrote into the middle and the log went on after that', async () => {
    const growing = new GrowingSessionFile()
    await appendFile(path, row('b', 'two'.repeat(100)))
    await expectSameAsFresh(growing)
    const handle = await open(path, 'r+')
    await handle.write('eno', METADATA.length + row('a', 'one').indexOf('one'))
    await handle.close()
    await appendFile(path, row('c', 'three'))
    await expectSameAsFresh(growing)
  })

  it('is null when the file is gone', async () => {
    const growing = new GrowingSessionFile()
    const file = await discovered()
    await growing.read(file)
    await rm(path)
    expect(await growing.read(file)).toBeNull()
  })
})
