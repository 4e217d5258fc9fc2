import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  FindResult,
  LiveEvent,
  MessagePage,
  SearchResult,
  SessionDetail,
  SessionList,
  SessionMap,
  UsageReport,
} from '@gemini-dash/api'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { type GrowingLog, startGrowingLog } from './growing-log.ts'
import { fixtureHome, openTestServer, type TestServer } from './open-test-server.ts'

const WAIT = { timeout: 60_000, interval: 100 }
const MEGABYTE = 1024 * 1024

describe('sessions that are written while they are looked at', () => {
  let folder: string
  let home: string
  let server: TestServer
  const logs: GrowingLog[] = []
  const aborted = new AbortController()

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-live-'))
    home = join(folder, '.gemini')
    cpSync(join(fixtureHome('0.61.0'), '.gemini'), home, { recursive: true })
  })
  afterEach(async () => {
    for (const log of logs.splice(0)) log.stop()
    aborted.abort()
    await server.close()
    rmSync(folder, { recursive: true })
  })

  const grow = (id: string, sizeBytes: number, everyMs: number) => {
    const path = join(home, `tmp/webshop/chats/session-2026-11-21T21-00-${id.slice(0, 8)}.jsonl`)
    const log = startGrowingLog(path, { id, sizeBytes, everyMs })
    logs.push(log)
    return log
  }
  const get = async <Answer = unknown>(path: string): Promise<Answer> => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: { cookie: server.cookie },
    })
    expect(response.status, path).toBe(200)
    return (await response.json()) as Answer
  }
  const rowOf = async (id: string) => {
    const { sessions } = await get<SessionList>('/api/sessions')
    return sessions.find(({ sessionId }) => sessionId === id)
  }
  const messagesOf = async (id: string) => (await rowOf(id))?.counts?.messages ?? 0

  async function listen(): Promise<LiveEvent[]> {
    const events: LiveEvent[] = []
    const { body } = await fetch(`http://127.0.0.1:${server.port}/api/events`, {
      headers: { cookie: server.cookie },
      signal: aborted.signal,
    })
    const read = async () => {
      for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
        for (const [, json = ''] of text.matchAll(/^data: (.*)$/gm)) events.push(JSON.parse(json))
      }
    }
    read().catch(() => {})
    return events
  }

  it('R31, A3: a log that grows without pause is shown as far as it was read: row, page, search and events', async () => {
    const id = 'aaaaaaaa-0000-4000-8000-000000000000'
    const log = grow(id, 3 * MEGABYTE, 10)
    server = await openTestServer({ home, isWatching: true })
    const events = await listen()
    const key = (await rowOf(id))?.key ?? ''
    for (let round = 0; round < 2; round++) {
      const before = log.messages()
      events.length = 0
      await vi.waitUntil(async () => (await messagesOf(id)) >= before, WAIT)
      expect(events).toContainEqual(expect.objectContaining({ kind: 'changed', sessionKey: key }))
      const found = await get<SearchResult>(`/api/search?q=zyzzyva&session=${key}`)
      expect(found.total).toBeGreaterThan(0)
      // The page only shows rows of answers with the same state.
      await vi.waitUntil(async () => {
        const detail = await get<SessionDetail>(`/api/sessions/${key}`)
        const page = await get<MessagePage>(`/api/sessions/${key}/messages?offset=${before - 1}`)
        return detail.state === page.state && detail.messageTotal === page.total && page.total >= before
      }, WAIT)
    }
  })

  it('A3: ten logs that grow at once keep neither each other waiting nor a session that begins', async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `bbbbbbb${index}-0000-4000-8000-000000000000`)
    const growing = ids.map((id) => ({ id, log: grow(id, MEGABYTE / 2, 20) }))
    server = await openTestServer({ home, isWatching: true })
    const before = new Map(growing.map(({ id, log }) => [id, log.messages()]))
    const fresh = 'cccccccc-0000-4000-8000-000000000000'
    grow(fresh, 1_000, 60_000)
    await vi.waitUntil(async () => (await messagesOf(fresh)) > 0, WAIT)
    await vi.waitUntil(async () => {
      const shown = await Promise.all(ids.map(messagesOf))
      return ids.every((id, index) => (shown[index] ?? 0) >= (before.get(id) ?? 0))
    }, WAIT)
  })

  it('A3: after the last line all answers are those of a fresh start', async () => {
    const id = 'dddddddd-0000-4000-8000-000000000000'
    const log = grow(id, MEGABYTE, 5)
    server = await openTestServer({ home, isWatching: true })
    await vi.waitUntil(() => log.messages() > 400, WAIT)
    log.stop()
    await vi.waitUntil(async () => (await messagesOf(id)) === log.messages(), WAIT)
    const { key = '' } = (await rowOf(id)) ?? {}
    const answers = async () => {
      const { sessions } = await get<SessionList>('/api/sessions?kind=all&tz=UTC')
      // A process that was watching knows that it was written just now, so an answer may still come; a newly started one does not.
      const isOfLookers = (name: string) => ['live', 'outcome', 'verdict', 'unanswered'].includes(name)
      const known = (answer: unknown) =>
        JSON.parse(JSON.stringify(answer, (name, value) => (isOfLookers(name) ? null : value)))
      return {
        rows: known(sessions),
        usage: known(await get('/api/usage?tz=UTC')),
        hits: (await get<SearchResult>('/api/search?q=zyzzyva&limit=1000')).hits,
        messages: (await get<MessagePage>(`/api/sessions/${key}/messages?limit=1000`)).messages,
      }
    }
    const long = await answers()
    await server.close()
    server = await openTestServer({ home })
    expect(await answers()).toEqual(long)
  })

  it('C3: a prompt is no failure while its session is written, and is one once nobody writes: list, chip, usage, search', async () => {
    const ask = (id: string, ageMs: number) => {
      const timestamp = new Date(machineTime().getTime() - ageMs).toISOString()
      const head = {
        sessionId: id,
        projectHash: 'f'.repeat(64),
        startTime: timestamp,
        lastUpdated: timestamp,
      }
      const prompt = { id: 'm1', timestamp, type: 'user', content: [{ text: 'Where is the zyzzyva?' }] }
      const path = join(home, `tmp/webshop/chats/session-2026-11-21T21-00-${id.slice(0, 8)}.jsonl`)
      writeFileSync(path, `${JSON.stringify(head)}\n${JSON.stringify(prompt)}\n`)
    }
    const [live, left] = ['fffffff1-0000-4000-8000-000000000000', 'fffffff2-0000-4000-8000-000000000000']
    ask(live, 0)
    ask(left, 3_600_000)
    server = await openTestServer({ home })
    const { key: liveKey = '', failures } = (await rowOf(live)) ?? {}
    const { key: leftKey = '' } = (await rowOf(left)) ?? {}
    expect(failures?.unanswered).toBe(0)
    const { sessions } = await get<SessionList>('/api/sessions?has=errors')
    const failed = sessions.map(({ key }) => key)
    expect(failed).toContain(leftKey)
    expect(failed).not.toContain(liveKey)
    expect((await get<SessionMap>(`/api/sessions/${liveKey}/map`)).counts.errors).toBe(0)

    const all = (await get<SessionList>('/api/sessions?kind=all&limit=1000')).sessions
    const { total } = await get<UsageReport>('/api/usage?by=day')
    expect(total.failures.unanswered).toBe(all.reduce((sum, row) => sum + (row.failures?.unanswered ?? 0), 0))

    const search = (query: string) => get<SearchResult>(`/api/search?limit=1000&${query}`)
    const found = async (query: string) => Object.keys((await search(query)).sessions)
    for (const query of ['q=zyzzyva is:error', 'q=zyzzyva&is=error', 'q=zyzzyva is:error&mode=substring'])
      expect(await found(query), query).toEqual([leftKey])
    expect(await found('q=zyzzyva -is:error')).toEqual([liveKey])
    const { facets } = await search('q=zyzzyva in:prompt')
    expect(facets.is.find(({ value }) => value === 'error')?.count).toBe(1)
    for (const [key, total] of [
      [liveKey, 0],
      [leftKey, 1],
    ] as const)
      expect((await get<FindResult>(`/api/sessions/${key}/find?q=is:error`)).total).toBe(total)
  })

  it('R33, B5: what is written after folders and homes were moved, and came back, is seen', async () => {
    server = await openTestServer({ home, isWatching: true })
    const seen = async (id: string) => {
      grow(id, 1_000, 60_000)
      await vi.waitUntil(async () => (await messagesOf(id)) > 0, WAIT)
    }
    const chats = join(home, 'tmp/webshop/chats')
    const total = async () => (await get<SessionList>('/api/sessions')).total
    const before = await total()
    rmSync(chats, { recursive: true })
    await vi.waitUntil(async () => (await total()) < before, WAIT)
    await seen('eeeeeee1-0000-4000-8000-000000000000')

    const left = await total()
    renameSync(home, join(folder, 'away'))
    await vi.waitUntil(async () => (await get<SessionList>('/api/sessions')).unread !== undefined, WAIT)
    expect(await total()).toBe(left)
    renameSync(join(folder, 'away'), home)
    await seen('eeeeeee2-0000-4000-8000-000000000000')
    await vi.waitUntil(async () => (await get<SessionList>('/api/sessions')).unread === undefined, WAIT)
  })
})
