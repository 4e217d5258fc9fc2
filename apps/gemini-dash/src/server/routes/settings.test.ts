import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import {
  apiErrorSchema,
  apiPaths,
  cacheClearedSchema,
  healthReportSchema,
  marksTakenSchema,
  questionPath,
  type SettingsChange,
  searchQuerySchema,
  sessionListSchema,
  settingsSchema,
  usageReportSchema,
} from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openTestServer, type TestServer } from '../../../test/open-test-server.ts'

const fileSchema = z.looseObject({ entries: z.array(z.looseObject({})) })

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

async function send(path: string, method = 'GET', body?: unknown) {
  const headers = { cookie: server.cookie, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers, ...sent })
  const said: unknown = await answer.json()
  return { status: answer.status, body: said }
}
const sessions = async (query = {}) =>
  sessionListSchema.parse((await send(questionPath('sessions', query))).body).sessions
const settings = async () => settingsSchema.parse((await send(questionPath('settings'))).body)
const change = (said: SettingsChange) => send(questionPath('settings'), 'PUT', said)
const refusal = (body: unknown) => apiErrorSchema.parse(body).error.message

describe('the cache', () => {
  test('is begun anew while sessions are shown; afterwards everything is found again', async () => {
    const query = searchQuerySchema.parse({ q: 'cart' })
    const before = await server.store.search(query)
    expect(before.total).toBeGreaterThan(0)
    const rows = await sessions()
    const folder = (await settings()).cache
    expect(folder?.sizeBytes).toBeGreaterThan(0)
    const told: string[] = []
    const unsubscribe = server.store.subscribe(({ kind }) => told.push(kind))
    const cleared = cacheClearedSchema.parse((await send(apiPaths.cacheClear(), 'POST', {})).body)
    expect(cleared).toMatchObject({ indexes: 0, inUse: 0, left: [] })
    expect(cleared.freedBytes).toBeGreaterThan(0)
    await server.store.whenReady()
    unsubscribe()
    // all of it was read once more
    expect(told).toContain('index')
    expect((await server.store.search(query)).total).toBe(before.total)
    expect(await sessions()).toEqual(rows)
    expect(existsSync(folder?.path ?? '')).toBe(true)
  })
})

describe('settings', () => {
  test('a label given to a home is its name everywhere, and can be taken back', async () => {
    const [home] = (await settings()).homes
    const path = home?.path ?? ''
    const { status, body } = await change({ homes: [{ path, label: 'build machine' }] })
    expect(status).toBe(200)
    expect(settingsSchema.parse(body).homes).toMatchObject([
      { label: 'build machine', ownLabel: 'build machine' },
    ])
    expect(server.store.health().homes).toMatchObject([{ label: 'build machine' }])
    expect((await sessions({ home: 'build machine' })).length).toBeGreaterThan(0)
    await change({ homes: [{ path, label: null }] })
    expect((await settings()).homes).toEqual([home])
  })

  test('two homes cannot have one label, and a label is a line', async () => {
    const path = (await settings()).homes[0]?.path ?? ''
    const twice = { homes: [path, '/other'].map((each) => ({ path: each, label: 'same' })) }
    // only homes that are shown can be confused with each other
    expect((await change(twice)).status).toBe(200)
    expect((await change({ homes: [{ path, label: 'a\nb' }] })).status).toBe(400)
    expect(
      (await change({ homes: [path, '/other'].map((each) => ({ path: each, label: null })) })).status,
    ).toBe(200)
  })

  test('a plan and prices of one’s own are kept in prices.json, and what was written there by hand stays', async () => {
    const file = join(server.dataFolder, 'prices.json')
    const byHand = { inputPerMillion: 1, outputPerMillion: 2, from: '2026-01-01' }
    writeFileSync(
      file,
      JSON.stringify({ version: 1, aliases: { mine: 'gemini-2.5-pro' }, models: { byHand } }),
    )
    await change({ plan: 'nothing' })
    await change({
      price: {
        model: 'my-model',
        price: { inputPerMillion: 0.5, cachedPerMillion: null, outputPerMillion: 3 },
      },
    })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      version: 1,
      aliases: { mine: 'gemini-2.5-pro' },
      models: { byHand, 'my-model': { inputPerMillion: 0.5, outputPerMillion: 3 } },
      plan: 'nothing',
    })
    expect((await settings()).prices).toMatchObject({
      plan: 'nothing',
      models: [
        { name: 'byHand', saysMore: true },
        { name: 'my-model', cachedPerMillion: null, saysMore: false },
      ],
    })
    await change({ plan: 'list-price', price: { model: 'my-model', price: null } })
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).models)).toEqual(['byHand'])
  })

  test('S12: a price that was just set counts in the next answer', async () => {
    const costs = async () => {
      const rows = usageReportSchema.parse((await send(questionPath('usage', { by: 'model' }))).body).rows
      return new Map(rows.map(({ key, cost }) => [key, cost?.usd ?? null]))
    }
    const before = await costs()
    const [model = '', usd] = [...before].find(([, cost]) => cost !== null) ?? []
    const price = { inputPerMillion: 5_000, cachedPerMillion: null, outputPerMillion: 5_000 }
    await change({ price: { model, price } })
    expect((await costs()).get(model)).toBeGreaterThan(2 * (usd ?? 0))
    await change({ price: { model, price: null } })
    expect(await costs()).toEqual(before)
  })

  test('a file of prices that cannot be read is told, and never written over', async () => {
    const file = join(server.dataFolder, 'prices.json')
    writeFileSync(file, '{ "version": 1, "plan": ')
    expect((await settings()).prices.problem).toContain('it ends too early')
    const { status, body } = await change({ plan: 'nothing' })
    expect([status, refusal(body)]).toEqual([503, expect.stringContaining('ends too early')])
    expect(readFileSync(file, 'utf8')).toBe('{ "version": 1, "plan": ')
    writeFileSync(file, '{ "version": 1 }')
    const tooFine = {
      model: 'm',
      price: { inputPerMillion: 0.123456, cachedPerMillion: null, outputPerMillion: 1 },
    }
    expect(refusal((await change({ price: tooFine })).body)).toContain('has more than 5 decimals')
    const nobody = await change({ price: { ...tooFine, model: '__proto__' } })
    expect([nobody.status, refusal(nobody.body)]).toEqual([400, expect.stringContaining('No model can be')])
  })

  test('what is kept on this computer is named, each with what it holds', async () => {
    await send(questionPath('views'), 'PUT', { views: [{ name: 'Costly', href: '/?sort=cost' }] })
    writeFileSync(join(server.dataFolder, 'not-ours.txt'), 'x')
    const { data } = await settings()
    expect(data?.path).toBe(server.dataFolder)
    const whatOf = Object.fromEntries(data?.parts.map(({ name, what }) => [name, what]) ?? [])
    expect(whatOf['views.json']).toBe('Your saved views')
    expect(whatOf['not-ours.txt']).toBeNull()
  })
})

describe('a file of marks', () => {
  test('leaves, is taken in, and says what of it was new; a large one too', async () => {
    const [session] = await sessions()
    await send(apiPaths.mark(session?.key ?? ''), 'PUT', { note: 'x'.repeat(20_000), star: true })
    const file = fileSchema.parse((await send(apiPaths.marksFile())).body)
    expect(marksTakenSchema.parse((await send(apiPaths.marksFile(), 'PUT', file)).body)).toMatchObject({
      entries: 0,
      views: 0,
    })
    const others = Array.from({ length: 8 }, (_, at) => ({
      ...file.entries[0],
      session: `other-${at}`,
    }))
    const taken = await send(apiPaths.marksFile(), 'PUT', { ...file, entries: others })
    expect(taken).toMatchObject({ status: 200, body: { entries: 8, views: 0 } })
  })

  test.each([
    [{ some: 'json' }, 'marks export'],
    [[], 'marks export'],
    [{ marks: 'gemini-dash', version: 2 }, 'later version'],
  ])('that is none is refused, and says why: %j', async (content, reason) => {
    const { status, body } = await send(apiPaths.marksFile(), 'PUT', content)
    expect([status, refusal(body)]).toEqual([400, expect.stringContaining(reason)])
  })
})

test('the report of the health names versions and counts, and nothing of whose they are', async () => {
  const { text } = healthReportSchema.parse((await send(questionPath('report'))).body)
  expect(text).toContain('# Health of gemini-dash 0.0.0-test')
  expect(text).toMatch(/- files: \d+ found/)
  const { projects } = server.store.projects()
  const [home] = server.store.health().homes
  const private_ = [
    home?.path,
    server.dataFolder,
    hostname(),
    ...projects.flatMap(({ path, key }) => [path, key]),
  ]
  for (const name of private_) if (name) expect(text).not.toContain(name)
  if (userInfo().username !== 'root') expect(text).not.toContain(userInfo().username)
})

test('the list prices of the models that were used are listed', async () => {
  const { used } = (await settings()).prices
  expect(used.find(({ model }) => model === 'gemini-2.5-pro')).toEqual({
    model: 'gemini-2.5-pro',
    inputPerMillion: 1.25,
    cachedPerMillion: expect.any(Number),
    outputPerMillion: 10,
    higherAbove: 200_000,
  })
})

// the last test: afterwards nobody is signed in
test('browsers are counted, and signed out together', async () => {
  expect((await settings()).browsers).toBe(1)
  expect(await change({ signOutBrowsers: true })).toMatchObject({ status: 200, body: { browsers: 0 } })
  expect((await send(questionPath('settings'))).status).toBe(403)
})
