import { appendFileSync, copyFileSync, cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSessionIndex, type SessionIndex } from '@gemini-dash/session-index'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fixtureHome, workerUrl } from '../../../test/open-test-server.ts'
import { createMemoryList } from '../../own-data/kept-list.ts'
import { KeyRegistry } from '../../own-data/key-registry.ts'
import { createMemoryMarkLog } from '../../own-data/mark-log.ts'
import { MarkStore } from '../../own-data/open-marks.ts'
import { LIST_PRICE_TABLE, WordList } from '../../own-data/price-file.ts'
import { WarningList } from '../warnings.ts'
import { NOTHING_KEPT, Sync } from './sync.ts'

let folder: string
let home: string
let sync: Sync
let index: Promise<SessionIndex>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-sync-'))
  home = join(folder, '.gemini')
  cpSync(join(fixtureHome('0.61.0'), '.gemini'), home, { recursive: true })
  index = openSessionIndex({ directory: null, workerUrl: workerUrl('index-worker.js') })
  sync = new Sync({
    homes: findHomes({ homeArguments: [home], env: {}, userHome: folder }),
    kept: NOTHING_KEPT,
    openIndex: () => index,
    hasIndex: false,
    words: new WordList(createMemoryList()),
    marks: new MarkStore(createMemoryMarkLog()),
    keys: new KeyRegistry(),
    prices: LIST_PRICE_TABLE,
    userHome: folder,
    isWatching: false,
    isDemo: false,
    clock: Date.now,
    warnings: new WarningList(),
    emit: () => {},
    onProgress: () => {},
  })
})
afterEach(async () => {
  sync.close()
  await (await index).close()
  rmSync(folder, { recursive: true })
})

it('E1: leaves a file that grows before everything is indexed to a look at everything, and is right then', async () => {
  await sync.look()
  await sync.firstList.openNewest(100)
  const file = sync.scan.files.find(
    ({ path, absolutePath }) => path.endsWith('.jsonl') && sync.rows.groupOfFile(absolutePath),
  )
  const path = file?.absolutePath ?? ''
  const grow = (id: string) => {
    const message = { id, timestamp: '2026-11-21T23:00:00.000Z', type: 'user', content: `Told late: ${id}` }
    appendFileSync(path, `${JSON.stringify(message)}\n`)
  }
  const group = () => sync.rows.group(sync.rows.groupOfFile(path) ?? '')
  const messages = () =>
    sync.rows.recordsOf(group()?.id ?? '').reduce((sum, { summary }) => {
      return sum + (summary.counts?.messages ?? 0)
    }, 0)
  const announced = group()
  expect(announced).toBeDefined()
  grow('early')
  expect(await sync.refreshFile(path)).toBe(false)
  expect(group()).toBe(announced)

  await sync.refresh()
  await sync.beginIndexing('text')
  await sync.indexing.whenComplete()
  const before = messages()
  expect(before).toBeGreaterThan(0)
  grow('late')
  expect(await sync.refreshFile(path)).toBe(true)
  await sync.indexing.whenCaughtUp()
  expect(messages()).toBe(before + 1)
})

it('R31: two files of a session that grow at the same moment are both known as they are then', async () => {
  await sync.look()
  const { absolutePath: path = '' } = sync.scan.files.find(({ path }) => path.endsWith('.jsonl')) ?? {}
  const copy = path.replace('.jsonl', '-copy.jsonl')
  copyFileSync(path, copy)
  await sync.beginIndexing('text')
  await sync.refresh()
  await sync.indexing.whenComplete()
  const group = () => sync.rows.group(sync.rows.groupOfFile(path) ?? '')
  expect(group()?.files).toHaveLength(2)
  for (const each of [path, copy]) appendFileSync(each, '{"$set":{"summary":"it goes on"}}\n')
  expect(await Promise.all([path, copy].map((each) => sync.refreshFile(each)))).toEqual([true, true])
  const sizes = group()?.files.map(({ absolutePath, sizeBytes }) => [absolutePath, sizeBytes])
  expect(sizes).toEqual(sizes?.map(([each]) => [each, statSync(String(each)).size]))
  await sync.indexing.whenCaughtUp()
})
