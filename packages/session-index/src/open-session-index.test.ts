import {
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildTestPrograms, type TestPrograms } from '../test/build-test-programs.ts'
import { fixtureGroups } from '../test/fixture-groups.ts'
import { searchRequest } from '../test/search-request.ts'
import { startIndexProcess } from '../test/start-index-process.ts'
import type { IndexedGroup, IndexGroup, IndexSearchResult } from './contract.ts'
import type { SessionIndex } from './open-session-index.ts'
import { openSessionIndex, type SessionIndexOptions } from './open-session-index.ts'

let programs: TestPrograms
let folder: string
let cache: string
const open: SessionIndex[] = []
const DRIVER = 'node-sqlite3-wasm' as const

/** All homes, in memory, built once; and what it found during the build. */
let everything: SessionIndex
let foundEarly: IndexSearchResult

beforeAll(async () => {
  programs = await buildTestPrograms('open-session-index')
  const options = { directory: null, workerUrl: programs.worker, shards: 2, driver: DRIVER }
  everything = await openSessionIndex(options)
  const built = indexAll(everything)
  foundEarly = await outputOnly(everything)
  await built
})
afterAll(() => everything.close())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'session-index-'))
  cache = join(folder, 'cache')
})
afterEach(async () => {
  for (const index of open.splice(0)) await index.close()
  rmSync(folder, { recursive: true, force: true })
})

async function openIndex(
  directory: string | null,
  given: Partial<SessionIndexOptions> = {},
): Promise<SessionIndex> {
  const options = { directory, workerUrl: programs.worker, shards: 2, driver: DRIVER }
  const index = await openSessionIndex({ ...options, ...given })
  open.push(index)
  return index
}

async function indexAll(index: SessionIndex, groups?: IndexGroup[]): Promise<IndexedGroup[]> {
  const indexed: IndexedGroup[] = []
  await index.update(groups ?? (await fixtureGroups()), (group) => indexed.push(group))
  return indexed
}

/** Enough groups for tests about the folder. */
async function indexSome(index: SessionIndex): Promise<IndexedGroup[]> {
  const groups = await fixtureGroups()
  return indexAll(
    index,
    groups.filter(({ id }) => id.includes('/0.61.0-')),
  )
}

/** A word that is only in the output of a tool, in several homes. */
const outputOnly = (index: SessionIndex) => index.search(searchRequest('replacements', { limit: 1000 }))
const summaryOf = ({ total, messageTotal, sessionTotal }: IndexSearchResult) => ({
  total,
  messageTotal,
  sessionTotal,
})
/** The result of reading each group, as when it was read. */
async function loadRead(index: SessionIndex): Promise<IndexedGroup[]> {
  const { groups } = await index.load()
  return groups.flatMap(({ id, fingerprint, sessions }) =>
    fingerprint === null ? [] : [{ id, fingerprint, sessions, failure: null }],
  )
}
const byId = (groups: IndexedGroup[]) => groups.sort((a, b) => (a.id < b.id ? -1 : 1))

describe('an index at rest', () => {
  it('answers as before, also what is asked while it goes to rest, and takes what is new', async () => {
    const index = await openIndex(cache)
    const indexed = await indexSome(index)
    const before = await outputOnly(index)
    expect(before.total).toBeGreaterThan(0)
    await index.rest(0)
    expect(readdirSync(cache).filter((name) => name.endsWith('.lock'))).toEqual([])
    expect(await outputOnly(index)).toEqual(before)
    const resting = index.rest(0)
    expect(await outputOnly(index)).toEqual(before)
    await resting
    await index.rest(0)
    await index.remove([indexed[0]?.id ?? ''])
    expect(index.fingerprints().size).toBe(indexed.length - 1)
    await index.rest(0)
    await index.close()
    await expect(outputOnly(index)).rejects.toThrow('The index is closed.')
  })

  it('R41: opens no file of a folder that another program has taken meanwhile', async () => {
    const lost: string[] = []
    const index = await openIndex(cache, { shards: 1, onLost: (groupIds) => lost.push(...groupIds) })
    const indexed = await indexSome(index)
    await index.rest(0)
    const database = readdirSync(cache).find((name) => name.endsWith('.db'))
    // Held by the new owner; opening the file treats it as left behind.
    mkdirSync(join(cache, `${database}.lock`))
    writeFileSync(join(cache, 'owner.json'), JSON.stringify({ id: 'another', pid: 1, host: 'another' }))
    await expect.poll(() => lost.length).toBe(indexed.length)
    expect(readdirSync(cache)).toContain(`${database}.lock`)
  })

  it('never rests where its work would be lost', async () => {
    const index = await openIndex(null)
    const [group] = await fixtureGroups()
    await index.update(group === undefined ? [] : [group], () => {})
    await index.rest(0)
    expect(index.fingerprints().size).toBe(1)
  })
})

describe('an index of every home', () => {
  it('answered searches while it was being built', async () => {
    expect(foundEarly.total).toBeLessThan((await outputOnly(everything)).total)
  })

  it('gives the pages of a result without gaps or repetitions, with the same totals', async () => {
    const index = everything
    const whole = await index.search(searchRequest('the', { limit: 1000 }))
    expect(whole.hits).toHaveLength(whole.total)
    const pages: IndexSearchResult[] = []
    for (let isLast = false; !isLast; isLast = pages.at(-1)?.hasMore !== true) {
      const after = pages.at(-1)?.positions.at(-1)
      pages.push(await index.search(searchRequest('the', { limit: 70, ...(after && { after }) })))
    }
    expect(pages.flatMap(({ hits }) => hits)).toEqual(whole.hits)
    for (const page of pages) expect(summaryOf(page)).toEqual(summaryOf(whole))
    expect(whole.quarterHourCounts.reduce((sum, [, hits]) => sum + hits, 0)).toBe(whole.total)
    expect(whole.sessionHits.reduce((sum, [, hits]) => sum + hits, 0)).toBe(whole.total)
    expect(Object.values(whole.fieldCounts).reduce((sum, hits) => sum + hits, 0)).toBe(whole.total)
    expect(new Set(whole.hits.map(({ sessionKey }) => sessionKey)).size).toBe(whole.sessionTotal)
  })

  it('finds Chinese from one character', async () => {
    const index = everything
    const { hits } = await index.search(searchRequest('好'))
    expect(hits.length).toBeGreaterThan(0)
    for (const { snippet, ranges } of hits)
      expect(ranges.map(([start, end]) => snippet.slice(start, end))).toEqual(['好'])
  })

  it('finds the same by substring as by word where the text is a whole word', async () => {
    const index = everything
    const words = await index.search(searchRequest('rounding', { limit: 1000 }))
    const substring = await index.search(searchRequest('ROUNDING', { mode: 'substring', limit: 1000 }))
    expect(substring.hits).toEqual(words.hits)
    expect(words.total).toBeGreaterThan(0)
  })

  it('ends a search at once when it is aborted, and goes on answering', async () => {
    const index = everything
    const request = searchRequest('e', { mode: 'substring' })
    const controller = new AbortController()
    const search = index.search(request, { signal: controller.signal })
    controller.abort(new Error('Not wanted any more.'))
    await expect(search).rejects.toThrow('Not wanted any more.')
    await expect(index.search(request, { signal: controller.signal })).rejects.toThrow('Not wanted any more.')
    expect((await index.search(request)).total).toBeGreaterThan(0)
  })

  it('knows words that are nearly the wanted one, in whichever shard they are', async () => {
    const index = everything
    expect((await index.closestWords(['replacemetns'])).get('replacemetns')).toContain('replacements')
  })
})

describe('openSessionIndex', () => {
  it('indexes every home on disk, finds a word of a tool output, and starts warm', async () => {
    const first = await openIndex(cache)
    const indexed = await indexAll(first)
    expect(indexed.filter(({ failure }) => failure !== null)).toEqual([])
    const groups = await fixtureGroups()
    expect(indexed).toHaveLength(groups.length)
    const found = await outputOnly(first)
    expect(found.total).toBeGreaterThan(0)
    expect(found.fieldCounts['tool-output']).toBe(found.total)
    for (const hit of found.hits) {
      expect(hit.ranges.map(([start, end]) => hit.snippet.slice(start, end))).toContain('replacements')
    }
    expect(first.isKept()).toBe(true)
    await first.close()

    const second = await openIndex(cache, { shards: 3 })
    expect(byId(await loadRead(second))).toEqual(byId(indexed))
    expect(second.fingerprints()).toEqual(new Map(indexed.map(({ id, fingerprint }) => [id, fingerprint])))
    expect(await outputOnly(second)).toEqual(found)
  })

  it('writes nothing when it has no folder, and answers the same', async () => {
    const inMemory = await openIndex(null)
    await indexSome(inMemory)
    const onDisk = await openIndex(cache, { shards: 1 })
    await indexSome(onDisk)
    const request = searchRequest('price', { limit: 1000 })
    const { hits } = await inMemory.search(request)
    expect(hits.length).toBeGreaterThan(0)
    expect(hits).toEqual((await onDisk.search(request)).hits)
    expect(inMemory.isKept()).toBe(false)
    expect(readdirSync(folder)).toEqual(['cache'])
  })

  it('tells that its folder is lost, and with it all that it held, before it answers that nothing is kept', async () => {
    const told: unknown[] = []
    const index = await openIndex(cache, {
      onProblem: (problem) => told.push(problem),
      onLost: (ids) => told.push(...ids),
    })
    const ids = (await indexSome(index)).map(({ id }) => id)
    rmSync(cache, { recursive: true })
    expect([index.isKept(), index.isKept()]).toEqual([false, false])
    const [problem, ...lost] = told
    expect(problem).toContain('was taken away or is used by another program')
    expect(lost.sort()).toEqual(ids.sort())
    expect((await outputOnly(index)).total).toBe(0)
    await indexSome(index)
    expect((await outputOnly(index)).total).toBeGreaterThan(0)
    expect(told).toHaveLength(1 + ids.length)
  })

  it('R28: keeps its folder and files to this user', async () => {
    const index = await openIndex(cache)
    await indexSome(index)
    expect(statSync(cache).mode & 0o777).toBe(0o700)
    // The lock of the wasm build is an empty folder.
    const files = readdirSync(cache, { withFileTypes: true }).filter((entry) => entry.isFile())
    expect(files.length).toBeGreaterThan(1)
    for (const { name } of files) expect(statSync(join(cache, name)).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['is garbage', (path: string) => writeFileSync(path, 'garbage '.repeat(2000))],
    ['is empty', (path: string) => writeFileSync(path, '')],
    ['is cut off', (path: string) => truncateSync(path, 20_000)],
    [
      'is a folder',
      (path: string) => {
        rmSync(path)
        mkdirSync(path)
      },
    ],
  ])('builds a database anew that %s', async (_, damage) => {
    const first = await openIndex(cache)
    const indexed = await indexSome(first)
    const found = await outputOnly(first)
    await first.close()
    damage(join(cache, 'shard-0-of-2.db'))

    const second = await openIndex(cache)
    const kept = await loadRead(second)
    expect(kept.length).toBeLessThan(indexed.length)
    expect(kept.length).toBeGreaterThan(0)
    await indexSome(second)
    expect(await outputOnly(second)).toEqual(found)
    expect(second.problem()).toBeNull()
  })

  it.skipIf(process.getuid?.() !== 0)(
    'B14: does not follow a link that another user made, and says why it stays in memory',
    async () => {
      const elsewhere = join(folder, 'elsewhere')
      mkdirSync(elsewhere)
      symlinkSync(elsewhere, cache)
      lchownSync(cache, 12_345, 12_345)
      const index = await openIndex(cache)
      await indexSome(index)
      expect((await outputOnly(index)).total).toBeGreaterThan(0)
      expect(readdirSync(elsewhere)).toEqual([])
      expect(index.problem()).toContain('is a link that another user made')
    },
  )

  it('stays in memory where no folder can be made', async () => {
    writeFileSync(cache, 'a file')
    const index = await openIndex(join(cache, 'below'))
    await indexSome(index)
    expect(index.problem()).toContain('is a file, not a folder')
    expect((await outputOnly(index)).total).toBeGreaterThan(0)
  })

  it('R45: leaves out a group that kills its worker, and nothing else', async () => {
    const workerUrl = programs.dyingWorker
    const index = await openIndex(null, { workerUrl, shards: 1 })
    const ids = ['a', 'poison', 'trap', 'b']
    const indexed: IndexedGroup[] = []
    await index.update(
      ids.map((id) => ({ id, fingerprint: '1', files: [] })),
      (group) => indexed.push(group),
    )
    expect(indexed.map(({ id, failure }) => [id, failure !== null])).toEqual([
      ['a', false],
      ['poison', true],
      ['trap', true],
      ['b', false],
    ])
    const { hits } = await index.search(searchRequest('hello'))
    expect(hits.map(({ snippet }) => snippet)).toContain('hello from b')
  })

  it('R45: does not leave out a group for one thread that ended while it read it', async () => {
    const index = await openIndex(null, { workerUrl: programs.dyingWorker, shards: 1 })
    const indexed: IndexedGroup[] = []
    const ids = [join(folder, 'once'), 'b']
    await index.update(
      ids.map((id) => ({ id, fingerprint: '1', files: [] })),
      (group) => indexed.push(group),
    )
    expect(indexed.map(({ id, failure }) => [id, failure])).toEqual(ids.map((id) => [id, null]))
  })

  it('says that a worker cannot be started', async () => {
    const workerUrl = new URL('./no-such-worker.mjs', import.meta.url)
    await expect(openIndex(cache, { workerUrl })).rejects.toThrow('A thread of the index ended')
    expect(readdirSync(cache)).toEqual([])
  })
})

describe('several processes on one folder', () => {
  it('lets the first have it; the second works in memory', async () => {
    const other = startIndexProcess(programs.indexProcess, cache)
    expect(await other.line('')).toBe('owner')
    const index = await openIndex(cache)
    expect(index.isPrivate).toBe(true)
    await indexSome(index)
    expect((await outputOnly(index)).total).toBeGreaterThan(0)
    expect(index.isKept()).toBe(false)
    await other.end()
    expect((await openIndex(cache)).isPrivate).toBe(false)
  })

  it('R41: has one owner when two start at once', async () => {
    const both = [
      startIndexProcess(programs.indexProcess, cache),
      startIndexProcess(programs.indexProcess, cache),
    ]
    const said = await Promise.all(both.map((one) => one.line('')))
    expect(said.sort()).toEqual(['owner', 'private'])
    await Promise.all(both.map((one) => one.kill()))
  })

  it('takes over from an owner that was killed while it wrote', async () => {
    for (const delayMs of [0, 100]) {
      const owner = startIndexProcess(programs.indexProcess, cache)
      await owner.line('owner')
      owner.index()
      await owner.line('indexed')
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      await owner.kill()
      const index = await openIndex(cache)
      expect(index.isPrivate).toBe(false)
      await index.load()
      await indexAll(index)
      expect(await outputOnly(index)).toEqual(await outputOnly(everything))
      await index.close()
      expect(
        readdirSync(cache).filter((name) => !/^shard-[01]-of-2\.db(-journal|\.sum)?$/.test(name)),
      ).toEqual([])
    }
  })
})
