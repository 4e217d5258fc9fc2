import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { diskUseSchema } from '@gemini-dash/api'
import type { GeminiHome } from 'gemini-sessions/node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordFixture } from '../record-fixture.ts'
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

async function useOf(folders: Record<string, { name: string; isPathGone: boolean | null }>) {
  const record = recordFixture({ key: 'k', sessionId: ID, title: 'Cart', project: project('shop') })
  const use = await new DiskCount().use({
    homes: [home],
    projects: Object.entries(folders).map(([folder, { name, isPathGone }]) => ({
      ...project(name),
      isPathGone,
      folders: [`${home.tmpPath}/${folder}`],
    })),
    sessions: [{ record, summary: record.summary }],
  })
  return diskUseSchema.parse(use)
}

function project(name: string) {
  return { key: name, name, path: `/srv/${name}` }
}

test('every file is counted once, by the project and the kind of the folder that it lies in', async () => {
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
  const use = await useOf({
    shop: { name: 'shop', isPathGone: false },
    old: { name: 'old theme', isPathGone: true },
  })
  expect(Object.fromEntries(use.kinds.map(({ kind, sizeBytes }) => [kind, sizeBytes]))).toEqual({
    logs: 113,
    subagents: 20,
    outputs: 4_500,
    pictures: 60,
    plans: 7,
    'restore-points': 1_009,
    debug: 8,
    other: 11,
  })
  expect(use).toMatchObject({ sizeBytes: 5_728, files: 12, isComplete: true })
  expect(
    use.projects.map(({ key, name, isPathGone, sizeBytes }) => [key, name, isPathGone, sizeBytes]),
  ).toEqual([
    ['shop', 'shop', false, 5_707],
    [null, 'bin', null, 11],
    ['old theme', 'old theme', true, 10],
  ])
  expect(use.largest.map(({ sizeBytes, sessionKey, title }) => [sizeBytes, sessionKey, title])).toEqual([
    [4_000, 'k', 'Cart'],
    [500, null, null],
  ])
})

test('a home that is not there takes nothing', async () => {
  expect(await useOf({})).toMatchObject({ sizeBytes: 0, isComplete: true, projects: [] })
})
