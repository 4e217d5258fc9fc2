import { appendFile, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IndexGroup } from '@gemini-dash/session-index'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SessionCache } from './session-answerer.ts'

const METADATA = {
  sessionId: '4363c94e-b2c5-4034-b4ff-8148ed6493c9',
  projectHash: '0'.repeat(64),
  startTime: '2026-11-21T20:28:20.912Z',
  lastUpdated: '2026-11-21T20:28:20.912Z',
}
/** Lines of the same length with the same ending, like those of short answers. */
const row = (n: number) => ({
  id: `m${n}`,
  timestamp: '2026-11-21T20:28:21.000Z',
  type: 'gemini',
  content: `answer ${n}`,
  tokens: { input: 10, output: 1, cached: 0, thoughts: 0, tool: 0, total: 11 },
  model: 'gemini-2.5-pro',
})
const line = (value: unknown) => `${JSON.stringify(value)}\n`

describe('the cache of opened sessions', () => {
  let folder: string
  let path: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gemini-dash-shelf-'))
    path = join(folder, 'session-2026-11-21T20-28-4363c94e.jsonl')
    await writeFile(path, line(METADATA) + line(row(0)))
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function source(): Promise<IndexGroup> {
    const { size, mtimeMs, ctimeMs, ino } = await stat(path)
    const file = {
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
    return { id: 'g', fingerprint: String(size), files: [file] }
  }

  it('a file that was away when it was opened, and came back as it was, is read', async () => {
    const [cache, now] = [new SessionCache(), await source()]
    await rename(path, `${path}.away`)
    expect((await cache.read(now)).sessions).toEqual([])
    await rename(`${path}.away`, path)
    expect((await cache.read(now)).sessions).toHaveLength(1)
  })

  it('misses nothing of a growing log that is asked for twice at once', async () => {
    const cache = new SessionCache()
    for (let n = 1; n < 9; n++) {
      await appendFile(path, line(row(n)))
      const now = await source()
      const answers = await Promise.all([cache.read(now), cache.read(now)])
      const ids = Array.from({ length: n + 1 }, (_, index) => `m${index}`)
      for (const { sessions } of answers) expect(sessions[0]?.messages.map(({ id }) => id)).toEqual(ids)
    }
  })
})
