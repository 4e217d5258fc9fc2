import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DiscoveredFile } from '../src/node/scan/scan.ts'
import { readSessionFile, readSessionGroup } from '../src/node/session-file.ts'
import { readHeads } from '../src/node/survey.ts'

const METADATA = '{"sessionId":"7ff5e7ae-0000-4000-8000-000000000000","projectHash":"p"}\n'
const row = (id: string) => `{"id":"${id}","type":"user","content":"${'x'.repeat(100_000)}"}\n`
const log = METADATA + Array.from({ length: 60 }, (_, index) => row(`m${index}`)).join('')
const name = 'session-2026-11-21T20-30-7ff5e7ae.jsonl'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-sessions-hostile-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('reads a log that shrinks while it is read up to where it ends', async () => {
  const { file, path } = place('shrinks')
  const reading = readSessionFile(file)
  // awaited, too: the whole file may be read before it is cut
  const [parsed] = await Promise.all([
    reading,
    setImmediate().then(() => truncateSync(path, METADATA.length + row('m0').length + 50)),
  ])
  expect(parsed?.messages[0]?.id).toBe('m0')
  expect(parsed?.messages.length).toBeLessThanOrEqual(60)
})

it('is not kept by a writer that never stops', async () => {
  const { file, path } = place('grows')
  let writes = 0
  const writer = setInterval(() => {
    appendFileSync(path, row(`late${writes}`))
    writes += 1
  }, 0)
  const parsed = await readSessionFile(file)
  clearInterval(writer)
  expect(parsed?.messages.length).toBeGreaterThanOrEqual(60)
})

it('goes on reading a log that is deleted while it is read, or says that it is gone', async () => {
  const { file, path } = place('vanishes')
  const reading = readSessionGroup([file])
  rmSync(path)
  expect([0, 1]).toContain((await reading).length)
  expect(await readSessionGroup([file])).toEqual([])
})

it.skipIf(process.platform === 'win32')('R25: does not wait for the other end of a pipe', async () => {
  const path = join(folder, 'pipe.jsonl')
  execFileSync('mkfifo', [path])
  const parsed = await readSessionFile(toFile(path))
  expect(parsed).toMatchObject({ isDamaged: true, issues: [{ code: 'unreadable' }] })
  await readHeads([toFile(path)])
})

it('R25: makes a row of a folder named like a session', async () => {
  const path = join(folder, name)
  mkdirSync(path)
  const [session] = await readSessionGroup([toFile(path)])
  expect(session).toMatchObject({ sessionId: '7ff5e7ae', messages: [], issues: [{ code: 'unreadable' }] })
})

function place(folderName: string): { file: DiscoveredFile; path: string } {
  mkdirSync(join(folder, folderName))
  const path = join(folder, folderName, name)
  writeFileSync(path, log)
  return { file: toFile(path), path }
}

function toFile(absolutePath: string): DiscoveredFile {
  return {
    home: folder,
    path: `tmp/shop/chats/${name}`,
    absolutePath,
    projectFolder: folder,
    sizeBytes: log.length,
    mtimeMs: 0,
    mtimeNs: '0',
    ctimeNs: '0',
    inode: '1',
  }
}
