import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { GeminiHome } from 'gemini-sessions/node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DiskCount } from './disk.ts'

const ID = 'c0ffee00-0000-4000-8000-000000000000'

let home: GeminiHome
beforeEach(() => {
  const path = mkdtempSync(join(tmpdir(), 'gemini-dash-disk-'))
  home = { path, tmpPath: `${path}/tmp`, exists: true }
})
afterEach(() => rmSync(home.path, { recursive: true }))

function write(place: string, sizeBytes: number): void {
  mkdirSync(dirname(join(home.path, place)), { recursive: true })
  writeFileSync(join(home.path, place), 'x'.repeat(sizeBytes))
}

test('every file is counted once, by its folder', async () => {
  write('tmp/shop/chats/session-2026-11-20T10-00-c0ffee00.jsonl', 100)
  write(`tmp/shop/chats/${ID}/abcdef.jsonl`, 20)
  write('tmp/shop/logs.json', 3)
  write(`tmp/shop/tool-outputs/session-${ID}________2/read_file_1.txt`, 4_000)
  write('tmp/shop/loose.output', 500)
  write('tmp/shop/images/clipboard-1.png', 60)
  write(`tmp/shop/${ID}/plans/plan.md`, 7)
  write('tmp/shop/logs/session.jsonl', 8)
  write('tmp/shop/checkpoints/a.json', 9)
  write('history/shop/.git/objects/ab/cd', 1_000)
  write('tmp/old/chats/session-2026-11-20T10-00-aaaaaaaa.jsonl', 10)
  write('tmp/bin/rg', 11)
  write('outside', 1_000_000)
  symlinkSync(join(home.path, 'outside'), join(home.path, 'tmp/shop/images/link.png'))
  symlinkSync(home.path, join(home.path, 'tmp/loop'))
  expect(await new DiskCount().use([home])).toEqual({
    sizeBytes: 5_728,
    files: 12,
    isComplete: true,
    sessionBytes: 133,
    outputBytes: 4_500,
    otherBytes: 1_095,
  })
})

test('a home that is not there takes nothing', async () => {
  expect(await new DiskCount().use([home])).toMatchObject({ sizeBytes: 0, files: 0, isComplete: true })
})
