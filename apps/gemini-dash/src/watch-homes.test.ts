import fs from 'node:fs'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type HomesWatcher, watchHomes } from './watch.ts'

describe('watching homes', () => {
  let root: string
  let watcher: HomesWatcher
  let files: string[]
  let sweeps: number

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'gemini-dash-watch-'))
    files = []
    sweeps = 0
    watcher = watchHomes({
      onFile: (path) => files.push(path),
      onSweep: () => sweeps++,
    })
  })

  afterEach(async () => {
    await watcher.close()
    await rm(root, { recursive: true })
  })

  async function holdChats(fileCount: number): Promise<string> {
    const chats = join(root, 'webshop', 'chats')
    await mkdir(chats, { recursive: true })
    for (let n = 0; n < fileCount; n++) await writeFile(join(chats, `session-${n}.jsonl`), '{}\n')
    watcher.setDirectories([join(root, 'webshop'), chats])
    const probe = join(chats, 'probe')
    await vi.waitUntil(
      async () => {
        await writeFile(probe, '')
        return files.includes(probe)
      },
      { timeout: 60_000 },
    )
    files = files.filter((path) => path !== probe)
    return chats
  }

  it('names a file that grew, one that appeared and one that went', async () => {
    const chats = await holdChats(2)
    await appendFile(join(chats, 'session-0.jsonl'), '{}\n')
    await writeFile(join(chats, 'session-new.jsonl'), '{}\n')
    await rm(join(chats, 'session-1.jsonl'))
    const expected = ['session-0.jsonl', 'session-new.jsonl', 'session-1.jsonl'].map((name) =>
      join(chats, name),
    )
    await vi.waitUntil(() => expected.every((path) => files.includes(path)), { timeout: 60_000 })
  })

  it('comes to watch every one of many folders, but none that went before its turn', async () => {
    const folders = Array.from({ length: 30 }, (_, n) => join(root, `project-${n}`))
    for (const folder of folders) await mkdir(folder)
    watcher.setDirectories(folders)
    const [last = '', ...others] = folders.toReversed()
    watcher.setDirectories(others)
    const probes = others.map((folder) => join(folder, 'probe'))
    await vi.waitUntil(
      async () => {
        for (const path of [...probes, join(last, 'probe')]) await writeFile(path, '')
        return probes.every((probe) => files.includes(probe))
      },
      { timeout: 60_000, interval: 100 },
    )
    expect(files).not.toContain(join(last, 'probe'))
  })

  it('asks for a sweep when a folder appears', async () => {
    const chats = await holdChats(0)
    await mkdir(join(chats, '4363c94e'))
    await vi.waitUntil(() => sweeps > 0, { timeout: 60_000 })
  })

  it('B5: watches a folder again that was removed and made anew, or replaced', async () => {
    const chats = await holdChats(1)
    const again = async () => {
      files = []
      watcher.setDirectories([join(root, 'webshop'), chats])
      const path = join(chats, 'session-again.jsonl')
      await vi.waitUntil(
        async () => {
          await appendFile(path, '{}\n')
          return files.includes(path)
        },
        { timeout: 60_000, interval: 100 },
      )
    }
    await rm(chats, { recursive: true })
    await mkdir(chats)
    await vi.waitUntil(() => sweeps > 0, { timeout: 60_000 })
    await again()

    await mkdir(join(root, 'other'))
    await rename(chats, join(root, 'webshop', 'old'))
    await rename(join(root, 'other'), chats)
    await again()
  })

  it('B5: watches folders again that were moved away and back', async () => {
    const chats = await holdChats(1)
    const webshop = join(root, 'webshop')
    for (let time = 0; time < 2; time++) {
      await rename(webshop, join(root, 'away'))
      watcher.setDirectories([root])
      await rename(join(root, 'away'), webshop)
      watcher.setDirectories([root, webshop, chats])
      for (const folder of [chats, webshop]) {
        const path = join(folder, `session-${time}.jsonl`)
        await vi.waitUntil(
          async () => {
            await appendFile(path, '{}\n')
            return files.includes(path)
          },
          { timeout: 60_000, interval: 100 },
        )
      }
    }
  })

  it('R35, B5: tells how many folders the system lets nobody watch, and when it lets us again', async () => {
    const real = fs.watch
    const limits: [number, string][] = []
    await watcher.close()
    watcher = watchHomes({
      onFile: (path) => files.push(path),
      onSweep: () => sweeps++,
      onLimit: (...limit) => limits.push(limit),
    })
    const refuse = (path: fs.PathLike) => {
      throw Object.assign(new Error(`ENOSPC: watch '${path}'`), { code: 'ENOSPC', path: String(path) })
    }
    const folders = [join(root, 'a'), join(root, 'b')]
    for (const folder of folders) await mkdir(folder)
    try {
      Object.assign(fs, { watch: refuse })
      syncBuiltinESMExports()
      watcher.setDirectories(folders)
      await vi.waitUntil(() => limits.some(([count]) => count === 2), { timeout: 60_000 })
    } finally {
      Object.assign(fs, { watch: real })
      syncBuiltinESMExports()
    }
    expect(limits.at(-1)).toEqual([2, 'ENOSPC'])
    watcher.setDirectories(folders)
    await vi.waitUntil(() => limits.at(-1)?.[0] === 0, { timeout: 60_000 })
    const path = join(root, 'b', 'session.jsonl')
    await vi.waitUntil(
      async () => {
        await appendFile(path, '{}\n')
        return files.includes(path)
      },
      { timeout: 60_000, interval: 100 },
    )
  })

  it.runIf(process.platform === 'linux')('holds one watch a directory, however many files', async () => {
    const before = await inotifyWatches()
    await holdChats(300)
    expect((await inotifyWatches()) - before).toBeLessThanOrEqual(2)
  })
})

async function inotifyWatches(): Promise<number> {
  let count = 0
  for (const descriptor of await readdir('/proc/self/fdinfo')) {
    const text = await readFile(`/proc/self/fdinfo/${descriptor}`, 'utf8').catch(() => '')
    count += text.split('\ninotify wd:').length - 1
  }
  return count
}
