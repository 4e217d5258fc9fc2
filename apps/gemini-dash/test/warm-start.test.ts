import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageQuerySchema, searchQuerySchema, sessionQuerySchema } from '@gemini-dash/api'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type StartedStore, startStore } from '../src/store/create-store.ts'
import { fixtureHome, workerUrl } from './open-test-server.ts'

const ALL = sessionQuerySchema.parse({ kind: 'all', limit: 1000, tz: 'UTC' })
const MAIN = sessionQuerySchema.parse({ limit: 1000, tz: 'UTC' })
const CHAT = 'tmp/webshop/chats/session-2026-11-21T20-30-ab5a15b1.jsonl'
const ROUNDING = searchQuerySchema.parse({ q: 'rounding' })

describe('a second start', () => {
  let folder: string
  let home: string
  let cacheDirectory: string
  const started: StartedStore[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gemini-dash-warm-'))
    home = join(folder, '.gemini')
    cacheDirectory = join(folder, 'cache')
    await cp(join(fixtureHome('0.61.0'), '.gemini'), home, { recursive: true })
  })
  afterEach(async () => {
    await Promise.all(started.splice(0).map(({ store }) => store.close()))
    await rm(folder, { recursive: true })
  })

  function start(isWatching = false): StartedStore {
    const one = startStore({
      homes: findHomes({ homeArguments: [home], env: {}, userHome: folder }),
      cacheDirectory,
      workerUrls: { index: workerUrl('index-worker.js'), reader: workerUrl('reader-worker.js') },
      isWatching,
      version: '0.0.0-test',
      isDemo: false,
    })
    started.push(one)
    return one
  }

  /** The answers of a first run, once it has read everything and ended. */
  async function firstRun() {
    const { store, open, begin } = start()
    await open()
    await begin('text')
    await store.whenReady()
    const answers = { list: await store.sessions(ALL), found: await store.search(ROUNDING) }
    await store.close()
    started.length = 0
    return answers
  }

  async function indexFolder(): Promise<string> {
    const [index = ''] = await readdir(cacheDirectory)
    return join(cacheDirectory, index)
  }

  it('has every row as it was, before anything is read', async () => {
    const { list, found } = await firstRun()
    const { store, open, begin } = start()
    await open()
    expect(store.hasAllRows()).toBe(true)
    expect(await store.sessions(ALL)).toEqual(list)
    await begin('text')
    await store.whenReady()
    expect(await store.sessions(ALL)).toEqual(list)
    expect((await store.search(ROUNDING)).hits).toEqual(found.hits)
  })

  it('B5: knows of each project what a long run and a fresh start know', async () => {
    const chats = join(home, 'tmp', 'unknown', 'chats')
    await mkdir(chats, { recursive: true })
    const line = (record: object) => `${JSON.stringify(record)}\n`
    const write = (digit: number, folder: string) => {
      const timestamp = `2026-11-2${digit}T20:00:00.000Z`
      const head = {
        sessionId: `${digit}`.repeat(8),
        projectHash: 'f'.repeat(64),
        startTime: timestamp,
        kind: 'main',
      }
      const text = `<session_context>\nI'm currently working in the directory: ${folder}\nHere is the folder structure\n</session_context>`
      const said = { id: 'c', timestamp, type: 'user', content: [{ text }] }
      const file = join(chats, `session-2026-11-2${digit}T20-00-${`${digit}`.repeat(8)}.jsonl`)
      return writeFile(file, line(head) + line(said) + line({ ...said, id: 'p', content: 'hello' }))
    }
    await write(1, '/code/first')
    await write(2, '/code/second')
    const projectsOf = async ({ store, open, begin }: StartedStore) => {
      await open()
      await begin('text')
      await store.whenReady()
      return store.projects().projects.map((project) => ({ ...project, isPathGone: null }))
    }
    const long = start(true)
    await projectsOf(long)
    await write(3, '/code/third')
    await appendFile(join(home, CHAT), '\n')
    const known = () => long.store.projects().projects.map((project) => ({ ...project, isPathGone: null }))
    await expect.poll(() => JSON.stringify(known()).includes('/code/third')).toBe(true)
    await expect.poll(() => known().every(({ usage }) => usage !== null)).toBe(true)
    const ofLong = known()
    await long.store.close()
    started.length = 0

    const ofWarm = await projectsOf(start())
    await Promise.all(started.splice(0).map(({ store }) => store.close()))
    await rm(cacheDirectory, { recursive: true })
    const ofFresh = await projectsOf(start())
    const unknown = ofFresh.find(({ folders }) => folders[0]?.endsWith('/unknown'))
    expect(unknown?.candidates.map(({ path }) => path)).toEqual([
      '/code/first',
      '/code/second',
      '/code/third',
    ])
    expect(ofWarm).toEqual(ofFresh)
    expect(ofLong).toEqual(ofFresh)
  })

  it('lists with every figure before all rows are known', async () => {
    await firstRun()
    const { store, looked, open } = start()
    await looked
    const first = await store.sessions(MAIN)
    const few = await store.sessions({ ...MAIN, limit: 3 })
    await open()
    const all = await store.sessions(MAIN)
    expect(first).toEqual(all)
    expect(few).toEqual(await store.sessions({ ...MAIN, limit: 3 }))
    expect(all.sessions.some(({ subagentKeys }) => subagentKeys.length > 0)).toBe(true)
  })

  it('lists what has changed since by what its beginning says, and all else as it was', async () => {
    await firstRun()
    await appendFile(join(home, CHAT), '{"id":"new","type":"user","content":"zebra crossing"}\n')
    const { store, looked, open } = start()
    await looked
    const first = await store.sessions(MAIN)
    await open()
    expect(first).toEqual(await store.sessions(MAIN))
    const unread = first.sessions.filter(({ indexed }) => indexed === 'head')
    expect(unread.flatMap(({ files }) => files.map(({ path }) => path))).toEqual([CHAT])
  })

  it('lists a known session once of which there is a new copy', async () => {
    await firstRun()
    await cp(join(home, CHAT), join(home, CHAT.replace('.jsonl', ' (copy).jsonl')))
    const { store, looked, open } = start()
    await looked
    const { total } = await store.sessions({ ...MAIN, limit: 0 })
    await open()
    expect(total).toBe((await store.sessions({ ...MAIN, limit: 0 })).total)
  })

  it('reads again what has changed meanwhile, and forgets what is gone', async () => {
    const { list } = await firstRun()
    const changed = list.sessions.find(({ files }) => files.some(({ path }) => path === CHAT))
    const gone = list.sessions.find(({ key, parentKey }) => key !== changed?.key && parentKey === null)
    await appendFile(
      join(home, CHAT),
      '{"id":"new","timestamp":"2026-11-22T10:00:00.000Z","type":"user","content":"zebra crossing"}\n',
    )
    for (const { path } of gone?.files ?? []) await rm(join(home, path))
    const { store, open, begin } = start()
    await open()
    expect(store.hasAllRows()).toBe(false)
    await begin('text')
    await store.whenReady()
    const { sessions } = await store.sessions(ALL)
    const prompts = (key: string | undefined) => sessions.find((row) => row.key === key)?.counts?.prompts
    expect(prompts(changed?.key)).toBe((changed?.counts?.prompts ?? 0) + 1)
    expect(sessions.map(({ key }) => key)).not.toContain(gone?.key)
    expect((await store.search(searchQuerySchema.parse({ q: 'zebra' }))).total).toBe(1)
  })

  it.each<[string, (path: string) => Promise<void>]>([
    ['cut', async (path) => writeFile(path, (await readFile(path)).subarray(0, 40_000))],
    ['not ours at all', (path) => writeFile(path, 'hello')],
    ['gone', (path) => rm(path)],
  ])('answers the same when a database is %s', async (_, damage) => {
    const { list, found } = await firstRun()
    await damage(join(await indexFolder(), 'shard-0-of-2.db'))
    const { store, open, begin } = start()
    await open()
    await begin('text')
    await store.whenReady()
    expect(await store.sessions(ALL)).toEqual(list)
    expect((await store.search(ROUNDING)).hits).toEqual(found.hits)
  })

  it('lets a session be read before anything is indexed', async () => {
    const { store, open } = start()
    await open()
    const row = (await store.sessions(ALL)).sessions.find(({ files }) =>
      files.some(({ path }) => path === CHAT),
    )
    expect(row?.counts).toBeNull()
    const detail = await store.content.session(row?.key ?? '')
    const page = await store.content.answer('messages', row?.key ?? '', messageQuerySchema.parse({}))
    expect(detail?.messageTotal).toBe(page?.total)
    expect(page?.messages.length).toBeGreaterThan(0)
  })

  it('keeps databases, their sums and nothing else', async () => {
    await firstRun()
    const names = await readdir(await indexFolder())
    const kept = names.filter((name) => !/^shard-\d-of-\d\.db(\.sum|-journal)?$/.test(name))
    expect(kept.filter((name) => name !== 'opened')).toEqual([])
  })
})
