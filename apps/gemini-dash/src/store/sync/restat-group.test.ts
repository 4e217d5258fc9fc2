import { appendFileSync, copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IndexGroup } from '@gemini-dash/session-index'
import type { DiscoveredFile } from 'gemini-sessions/node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fingerprint, restatGroup } from './group-scan.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-restat-'))
  path = join(folder, 'session.jsonl')
  writeFileSync(path, 'one\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function groupOf(absolutePath: string): Promise<IndexGroup> {
  const stats = await lstat(absolutePath, { bigint: true })
  const file = {
    absolutePath,
    sizeBytes: Number(stats.size),
    mtimeMs: Number(stats.mtimeMs),
    mtimeNs: String(stats.mtimeNs),
    ctimeNs: String(stats.ctimeNs),
    inode: String(stats.ino),
  } as DiscoveredFile
  return { id: 'group', fingerprint: fingerprint([file]), files: [file] }
}

test('a file that grew is the same one, with what it has now', async () => {
  const group = await groupOf(path)
  appendFileSync(path, 'two\n')
  const now = await restatGroup(group, path)
  expect(now).toEqual(await groupOf(path))
  expect(now?.fingerprint).not.toBe(group.fingerprint)
})

test('a file in whose place another one was put is left to the scan, however equal the two are', async () => {
  const group = await groupOf(path)
  const other = join(folder, 'other.jsonl')
  copyFileSync(path, other)
  renameSync(other, path)
  expect(await restatGroup(group, path)).toBeNull()
})

test('so is one that is gone, and one that the group does not hold', async () => {
  const group = await groupOf(path)
  expect(await restatGroup(group, join(folder, 'unknown.jsonl'))).toBeNull()
  rmSync(path)
  expect(await restatGroup(group, path)).toBeNull()
})
