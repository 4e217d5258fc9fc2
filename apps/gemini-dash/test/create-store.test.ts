import { existsSync } from 'node:fs'
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  doctorSchema,
  healthSchema,
  type LiveEvent,
  messagePageSchema,
  messageQuerySchema,
  projectListSchema,
  searchQuerySchema,
  searchResultSchema,
  sessionDetailSchema,
  sessionListSchema,
  sessionQuerySchema,
  usageQuerySchema,
  usageReportSchema,
} from '@gemini-dash/api'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { type StartedStore, startStore } from '../src/store/create-store.ts'
import type { Store } from '../src/store/store.ts'
import { read } from '../src/store/written-messages.ts'
import { fixtureHome, workerUrl } from './open-test-server.ts'

const ALL = sessionQuerySchema.parse({ kind: 'all', limit: 1000, tz: 'UTC' })
const CHAT = 'tmp/webshop/chats/session-2026-11-21T20-30-ab5a15b1.jsonl'

describe('the store over a home that the CLI wrote', () => {
  let folder: string
  let home: string
  const stores: Store[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gemini-dash-store-'))
    home = join(folder, '.gemini')
    await cp(join(fixtureHome('0.61.0'), '.gemini'), home, { recursive: true })
  })
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()))
    await rm(folder, { recursive: true })
  })

  function start({ isWatching = false, cacheDirectory = null as string | null } = {}): StartedStore {
    const started = startStore({
      homes: findHomes({ homeArguments: [home], env: {}, userHome: folder }),
      cacheDirectory,
      workerUrls: { index: workerUrl('index-worker.js'), reader: workerUrl('reader-worker.js') },
      isWatching,
      version: '0.0.0-test',
      isDemo: false,
    })
    stores.push(started.store)
    return started
  }

  async function open(options = {}): Promise<Store> {
    const { store, begin } = start(options)
    await begin('text')
    return store
  }

  async function openReady(options = {}): Promise<Store> {
    const store = await open(options)
    await store.whenReady()
    return store
  }

  it('answers every question in the shape of the contract', async () => {
    const store = await openReady()
    expect(healthSchema.parse(store.health()).index).toEqual({
      state: 'ready',
      filesDone: 10,
      filesTotal: 10,
    })
    expect(projectListSchema.parse(store.projects()).projects[0]).toMatchObject({
      name: 'webshop',
      path: '/tmp/demo/webshop',
      pathSource: 'marker',
      sessions: 9,
    })
    const list = sessionListSchema.parse(await store.sessions(ALL))
    expect(list.total).toBe(10)
    for (const { key } of list.sessions) {
      sessionDetailSchema.parse(await store.content.session(key))
      messagePageSchema.parse(await store.content.answer('messages', key, messageQuerySchema.parse({})))
    }
    doctorSchema.parse(await store.doctor())
    searchResultSchema.parse(await store.search(searchQuerySchema.parse({ q: 'rounding' })))
    for (const by of ['day', 'model', 'project', 'tool', 'session']) {
      usageReportSchema.parse(store.usage(usageQuerySchema.parse({ by })))
    }
  })

  it('counts a sub-agent once: under its parent, and in every total', async () => {
    const store = await openReady()
    const { sessions } = await store.sessions(ALL)
    const child = sessions.find(({ kind }) => kind === 'subagent')
    const parent = sessions.find(({ key }) => key === child?.parentKey)
    expect(parent?.subagentKeys).toEqual([child?.key])
    expect(parent?.withSubagents.usage?.total).toBe((parent?.usage?.total ?? 0) + (child?.usage?.total ?? 0))
    const spent = sessions.reduce((sum, { usage }) => sum + (usage?.total ?? 0), 0)
    expect(store.usage(usageQuerySchema.parse({})).total.usage.total).toBe(spent)
    expect(store.projects().projects[0]?.usage?.total).toBe(spent)
    const messages = await store.content.allMessages(parent?.key ?? '')
    expect(messages?.flatMap(({ toolCalls }) => toolCalls).map(({ agentKey }) => agentKey)).toContain(
      child?.key,
    )
  })

  it('shows rows with their true keys before anything is read whole, and the same keys after', async () => {
    const store = await open()
    const early = await store.sessions(ALL)
    await store.whenReady()
    const late = await store.sessions(ALL)
    expect(new Set(early.sessions.map(({ key }) => key))).toEqual(
      new Set(late.sessions.map(({ key }) => key)),
    )
    for (const { key } of early.sessions) expect(store.resolve(key)).toEqual({ kind: 'one', key })
  })

  it('says the same from a warm index, and from one without any', async () => {
    const cacheDirectory = join(folder, 'cache')
    const answers = []
    for (const directory of [cacheDirectory, cacheDirectory, null]) {
      const store = await openReady({ cacheDirectory: directory })
      answers.push({
        list: await store.sessions(ALL),
        usage: store.usage(usageQuerySchema.parse({ tz: 'UTC' })),
        found: await store.search(searchQuerySchema.parse({ q: 'rounding', tz: 'UTC' })),
      })
      await stores.pop()?.close()
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  it('finds a word of a tool’s output, and the record behind the message', async () => {
    const store = await openReady()
    const { hits } = await store.search(searchQuerySchema.parse({ q: '"Successfully modified"' }))
    const hit = hits[0]
    expect(hit).toMatchObject({ field: 'tool-output', toolName: 'replace' })
    expect(hit?.snippet.slice(...(hit.ranges[0] ?? []))).toBe('Successfully modified')
    const raw = await store.content.answer('messages/:messageKey/raw', hit?.sessionKey ?? '', {
      messageKey: hit?.messageKey ?? '',
    })
    expect(raw && 'json' in raw && read(raw).record).toMatchObject({
      id: hit?.messageId,
      type: 'gemini',
      toolCalls: [{ name: 'replace' }],
    })
    const found = await store.content.answer('find', hit?.sessionKey ?? '', {
      q: 'SUCCESSFULLY modified',
      mode: 'words',
      offset: 0,
    })
    expect(found?.hits.map(({ messageKey }) => messageKey)).toContain(hit?.messageKey)
  })

  it('R33: follows a log that grows, a new session, and one that is deleted', async () => {
    const store = await openReady({ isWatching: true })
    const events: LiveEvent[] = []
    store.subscribe((event) => events.push(event))
    const { sessions } = await store.sessions(ALL)
    const session = sessions.find(({ files }) => files[0]?.path === CHAT)
    const key = session?.key ?? ''
    const before = session?.counts?.messages ?? 0

    const timestamp = machineTime().toISOString()
    const row = { id: 'live-1', timestamp, type: 'user', content: [{ text: 'A brand-new zyzzyva' }] }
    await appendFile(join(home, CHAT), `${JSON.stringify(row)}\n`)
    await expect
      .poll(() => events.some((event) => event.kind === 'changed' && event.sessionKey === key))
      .toBe(true)
    const page = await store.content.answer('messages', key, messageQuerySchema.parse({}))
    expect(page?.total).toBe(before + 1)
    expect(page?.messages.at(-1)).toMatchObject({ id: 'live-1', origin: 'human' })
    expect((await store.content.session(key))?.session).toMatchObject({
      live: true,
      counts: { messages: before + 1 },
    })
    expect((await store.search(searchQuerySchema.parse({ q: 'zyzzyva' }))).total).toBe(1)

    const fresh = join(home, 'tmp/webshop/chats/session-2026-11-21T21-00-0badcafe.jsonl')
    const head = {
      sessionId: '0badcafe-0000',
      projectHash: 'f'.repeat(64),
      startTime: timestamp,
      lastUpdated: timestamp,
    }
    await writeFile(fresh, `${JSON.stringify(head)}\n${JSON.stringify({ ...row, id: 'live-2' })}\n`)
    await expect.poll(() => store.resolve('0badcafe-0000').kind).toBe('one')

    await rm(fresh)
    await expect.poll(() => events.some(({ kind }) => kind === 'removed')).toBe(true)
    expect(store.resolve('0badcafe-0000')).toEqual({ kind: 'none' })
  })

  it('sees a session that began between the first look and the first watch', async () => {
    const { store, looked, begin } = start({ isWatching: true })
    await looked
    const log = await readFile(join(home, CHAT), 'utf8')
    const name = CHAT.replace('ab5a15b1', '0badcafe')
    await writeFile(join(home, name), log.replaceAll('ab5a15b1', '0badcafe'))
    await begin('text')
    await expect.poll(() => store.resolve('0badcafe').kind).toBe('one')
  })

  it('R45: keeps a damaged file as a row with its reason, and everything else', async () => {
    await writeFile(
      join(home, 'tmp/webshop/chats/session-2026-11-20T10-00-deadbeef.json'),
      '{\n  "sessionId": "deadbe',
    )
    const store = await openReady()
    const list = await store.sessions(ALL)
    expect(list.total).toBe(11)
    const damaged = list.sessions.find(({ files }) => files[0]?.role === 'damaged')
    expect(damaged).toMatchObject({ startTime: '2026-11-20T10:00:00.000Z', cost: { usd: null }, issues: 1 })
    expect((await store.doctor()).files.skipped).toEqual([
      {
        path: expect.stringContaining('deadbeef'),
        reason: expect.stringContaining('ends before its first complete message'),
        advice: expect.stringContaining('backup'),
        needsAttention: true,
        sessionKey: damaged?.key,
      },
    ])
  })

  it('that is closed while it looks leaves no index open that nobody would close', async () => {
    const cacheDirectory = join(folder, 'cache')
    const { store, looked, begin } = start({ cacheDirectory })
    await store.close()
    await looked
    await begin('text')
    expect(existsSync(cacheDirectory)).toBe(false)
  })

  it('starts on a home that is not there', async () => {
    await rm(home, { recursive: true })
    const store = await openReady({ isWatching: true })
    expect(store.health().homes[0]?.exists).toBe(false)
    expect(await store.sessions(ALL)).toMatchObject({ total: 0, sessions: [] })
  })
})
