import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { searchQuerySchema, sessionQuerySchema } from '@gemini-dash/api'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type StartedStore, startStore } from '../src/store/create-store.ts'
import { workerUrl } from './open-test-server.ts'

const HOMES = fileURLToPath(new URL('../../../fixtures/homes/', import.meta.url))
const listQuery = (fields: Record<string, unknown> = {}) =>
  sessionQuerySchema.parse({ tz: 'UTC', limit: 1000, ...fields })

const started: StartedStore[] = []
afterEach(() => Promise.all(started.splice(0).map(({ store }) => store.close())))

function start(home: string): StartedStore {
  const one = startStore({
    homes: findHomes({ homeArguments: [home], env: {}, userHome: '/nobody' }),
    cacheDirectory: null,
    workerUrls: { index: workerUrl('index-worker.js'), reader: workerUrl('reader-worker.js') },
    isWatching: false,
    version: '0.0.0-test',
    isDemo: false,
  })
  started.push(one)
  return one
}

describe('the list before every file is opened', () => {
  it.each(readdirSync(HOMES))('has the rows of %s as the heads of all files tell them', async (name) => {
    const early = start(join(HOMES, name))
    await early.looked
    const first = await early.store.sessions(listQuery())
    const late = start(join(HOMES, name))
    await late.open()
    const all = await late.store.sessions(listQuery())
    const tell = ({ sessions }: typeof all) =>
      sessions.map(({ key, sessionId, startTime, title, files }) => ({
        key,
        sessionId,
        startTime,
        title,
        files: files.map(({ path }) => path).sort(),
      }))
    expect(first.total).toBe(all.total)
    expect(tell(first)).toEqual(tell(all))
  })

  describe('of a generated home', () => {
    let root: string
    let chats: string
    beforeEach(() => {
      root = mkdtempSync(join(tmpdir(), 'first-list-'))
      chats = join(root, '.gemini/tmp/shop/chats')
      mkdirSync(chats, { recursive: true })
    })
    afterEach(() => rmSync(root, { recursive: true, force: true }))

    const id = (number: number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`

    function writeSession(number: number, name?: string, sessionId = id(number)): string {
      const startTime = new Date(Date.UTC(2026, 0, 1, 0, number, 30)).toISOString()
      const minute = startTime.slice(0, 16).replace(':', '-')
      const path = join(chats, name ?? `session-${minute}-${sessionId.slice(0, 8)}.jsonl`)
      const lines = [
        { sessionId, projectHash: 'shop', startTime, lastUpdated: startTime, kind: 'main' },
        { id: `m${number}`, timestamp: startTime, type: 'user', content: `Prompt ${number}` },
      ]
      writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      return path
    }

    it('sends the newest rows with what their heads say, and counts the others', async () => {
      for (let number = 0; number < 50; number++) writeSession(number)
      const { store, looked } = start(root)
      await looked
      const { sessions, total, days, nextCursor } = await store.sessions(listQuery({ limit: 10 }))
      expect(total).toBe(50)
      expect(days.map(({ day, sessions }) => [day, sessions])).toEqual([['2026-01-01', 50]])
      expect(nextCursor).not.toBeNull()
      expect(sessions.map(({ sessionId, title }) => [sessionId, title])).toEqual(
        Array.from({ length: 10 }, (_, index) => [id(49 - index), `Prompt ${49 - index}`]),
      )
    })

    it('goes on where a page ended, in both orders', async () => {
      for (let number = 0; number < 30; number++) writeSession(number)
      const { store, looked } = start(root)
      await looked
      const first = await store.sessions(listQuery({ limit: 10, sort: 'oldest' }))
      const cursor = first.nextCursor ?? ''
      const second = await store.sessions(listQuery({ limit: 10, sort: 'oldest', cursor }))
      expect([...first.sessions, ...second.sessions].map(({ sessionId }) => sessionId)).toEqual(
        Array.from({ length: 20 }, (_, index) => id(index)),
      )
    })

    it('takes files of one session together, and a file whose name tells nothing at its own time', async () => {
      for (let number = 0; number < 20; number++) writeSession(number)
      copyFileSync(writeSession(7), join(chats, 'session-2026-01-01T00-07-00000007 (copy).jsonl'))
      writeSession(18, 'renamed.jsonl', id(99))
      const { store, looked } = start(root)
      await looked
      const { sessions, total } = await store.sessions(listQuery({ limit: 3 }))
      expect(total).toBe(21)
      expect(sessions.map(({ sessionId }) => sessionId)).toEqual([id(19), id(18), id(99)])
    })

    it('keeps every key that it sent, and has those who ask for another session wait', async () => {
      for (let number = 0; number < 30; number++) writeSession(number)
      const { store, looked, open } = start(root)
      await looked
      const first = await store.sessions(listQuery({ limit: 5 }))
      const byTitle = store.sessions(listQuery({ title: 'prompt 3' }))
      await open()
      await store.whenRowsStand()
      expect((await byTitle).sessions.map(({ title }) => title)).toEqual(['Prompt 3'])
      const resolved = first.sessions.map(({ key }) => store.resolve(key))
      expect(resolved).toEqual(first.sessions.map(({ key }) => ({ kind: 'one', key })))
      expect((await store.sessions(listQuery())).total).toBe(30)
    })

    it('searches what is there before all heads are read, says how much of the whole that is, and in the end knows everything once', async () => {
      // enough that the newest are indexed first
      const count = 2_100
      for (let number = 0; number < count; number++) {
        const path = writeSession(number)
        utimesSync(path, number, number)
      }
      const { store, looked, begin } = start(root)
      await looked
      expect(store.health().index).toMatchObject({ state: 'building', filesDone: 0, filesTotal: count })
      const prompts = searchQuerySchema.parse({ q: 'prompt', limit: 1 })
      const early = store.search(prompts)
      const begun = begin('text')
      const { coverage, total } = await early
      expect(coverage.filesTotal).toBe(count)
      expect(total).toBeLessThanOrEqual(count)
      await begun
      await store.whenReady()
      expect(store.health().index).toMatchObject({ state: 'ready', filesDone: count, filesTotal: count })
      const { sessions, total: listed } = await store.sessions(listQuery())
      expect(sessions.filter(({ indexed }) => indexed !== 'full')).toEqual([])
      const late = await store.search(prompts)
      expect([listed, late.total, late.coverage]).toEqual([
        count,
        count,
        { filesDone: count, filesTotal: count },
      ])
    })
  })
})
