import { appendFileSync, copyFileSync, cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSessionIndex, type SessionIndex } from '@gemini-dash/session-index'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fixtureHome, workerUrl } from '../../../test/open-test-server.ts'
import { createMemoryList } from '../../own-data/kept-list.ts'
import { KeyBook } from '../../own-data/key-book.ts'
import { MarkBook } from '../../own-data/marks/mark-book.ts'
import { createMemoryMarkLog } from '../../own-data/marks/mark-log.ts'
import { LIST_PRICE_BOOK } from '../../own-data/price-file.ts'
import { WordBook } from '../../own-data/word-book.ts'
import { WarningBook } from '../catalog/warning-book.ts'
import { Library } from './library.ts'
import { NOTHING_KEPT } from './library-options.ts'

let folder: string
let home: string
let library: Library
let index: Promise<SessionIndex>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-library-'))
  home = join(folder, '.gemini')
  cpSync(join(fixtureHome('0.61.0'), '.gemini'), home, { recursive: true })
  index = openSessionIndex({ directory: null, workerUrl: workerUrl('index-worker.js') })
  library = new Library({
    homes: findHomes({ homeArguments: [home], env: {}, userHome: folder }),
    kept: NOTHING_KEPT,
    openIndex: () => index,
    rememberedList: () => null,
    rememberedScan: () => null,
    rememberedEnds: () => [],
    remembered: async () => new Map(),
    words: new WordBook(createMemoryList()),
    marks: new MarkBook(createMemoryMarkLog()),
    keys: new KeyBook(),
    prices: LIST_PRICE_BOOK,
    userHome: folder,
    isWatching: false,
    isDemo: false,
    clock: Date.now,
    warnings: new WarningBook(),
    emit: () => {},
    onProgress: () => {},
  })
})
afterEach(async () => {
  library.close()
  await (await index).close()
  rmSync(folder, { recursive: true })
})

it('E1: leaves a file that grows before everything is indexed to a look at everything, and is right then', async () => {
  await library.look()
  await library.firstList.openNewest(100)
  const file = library.scan.files.find(
    ({ path, absolutePath }) => path.endsWith('.jsonl') && library.catalog.groupOfFile(absolutePath),
  )
  const path = file?.absolutePath ?? ''
  const grow = (id: string) => {
    const message = { id, timestamp: '2026-11-21T23:00:00.000Z', type: 'user', content: `Told late: ${id}` }
    appendFileSync(path, `${JSON.stringify(message)}\n`)
  }
  const group = () => library.catalog.group(library.catalog.groupOfFile(path) ?? '')
  const messages = () =>
    library.catalog.recordsOf(group()?.id ?? '').reduce((sum, { summary }) => {
      return sum + (summary.counts?.messages ?? 0)
    }, 0)
  const announced = group()
  expect(announced).toBeDefined()
  grow('early')
  expect(await library.refreshFile(path)).toBe(false)
  expect(group()).toBe(announced)

  await library.refresh()
  await library.beginIndexing('text')
  await library.indexing.whenComplete()
  const before = messages()
  expect(before).toBeGreaterThan(0)
  grow('late')
  expect(await library.refreshFile(path)).toBe(true)
  await library.indexing.whenCaughtUp()
  expect(messages()).toBe(before + 1)
})

it('R31: two files of a session that grow at the same moment are both known as they are then', async () => {
  await library.look()
  const { absolutePath: path = '' } = library.scan.files.find(({ path }) => path.endsWith('.jsonl')) ?? {}
  const copy = path.replace('.jsonl', '-copy.jsonl')
  copyFileSync(path, copy)
  await library.beginIndexing('text')
  await library.refresh()
  await library.indexing.whenComplete()
  const group = () => library.catalog.group(library.catalog.groupOfFile(path) ?? '')
  expect(group()?.files).toHaveLength(2)
  for (const each of [path, copy]) appendFileSync(each, '{"$set":{"summary":"it goes on"}}\n')
  expect(await Promise.all([path, copy].map((each) => library.refreshFile(each)))).toEqual([true, true])
  const sizes = group()?.files.map(({ absolutePath, sizeBytes }) => [absolutePath, sizeBytes])
  expect(sizes).toEqual(sizes?.map(([each]) => [each, statSync(String(each)).size]))
  await library.indexing.whenCaughtUp()
})
