import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageQuerySchema, searchQuerySchema, sessionQuerySchema, usageQuerySchema } from '@gemini-dash/api'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openPriceFile } from '../src/own-data/price-file.ts'
import { createStore } from '../src/store/create-store.ts'
import type { Store } from '../src/store/store.ts'
import { read } from '../src/store/written-messages.ts'
import { workerUrl } from './open-test-server.ts'

const FIXTURE = new URL('../../../fixtures/tokens/several-models/home', import.meta.url)
const ALL = sessionQuerySchema.parse({ kind: 'all', tz: 'UTC' })
/** The list prices of this fixture, computed by hand in it. */
const LISTED = { usd: 0.011028, unpricedCalls: 4 }
/** 800 × $1 + 200 × $1 + 150 × $2 per million = 0.0013 for the call that had no price. */
const PRICED = { usd: 0.012328, unpricedCalls: 3 }
const ACME = { version: 1, models: { 'acme-model-9': { inputPerMillion: 1, outputPerMillion: 2 } } }

describe('prices that the user wrote down', () => {
  let folder: string
  let told: string[]
  const stores: Store[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gemini-dash-own-prices-'))
    told = []
    await cp(FIXTURE, join(folder, '.gemini'), { recursive: true })
  })
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()))
    await rm(folder, { recursive: true })
  })

  const write = (content: object) => writeFile(join(folder, 'prices.json'), JSON.stringify(content))

  async function open({ isWatching = false } = {}): Promise<Store> {
    const store = await createStore({
      homes: findHomes({ homeArguments: [folder], env: {}, userHome: folder }),
      cacheDirectory: join(folder, 'cache'),
      workerUrls: { index: workerUrl('index-worker.js'), reader: workerUrl('reader-worker.js') },
      isWatching,
      version: '0.0.0-test',
      isDemo: false,
      prices: openPriceFile(folder, (problem) => told.push(problem ?? 'mended')),
    })
    stores.push(store)
    await store.whenReady()
    return store
  }

  async function costIn(store: Store) {
    const { sessions } = await store.sessions(ALL)
    return sessions[0]?.cost
  }

  it('are those of the list, the page, the chart, the usage report and the search', async () => {
    await write(ACME)
    const store = await open()
    expect(await costIn(store)).toEqual(PRICED)
    const key = (await store.sessions(ALL)).sessions[0]?.key ?? ''
    const page = await store.content.answer('messages', key, messageQuerySchema.parse({}))
    const ofCall = { usd: 0.0013, unpricedCalls: 0 }
    expect(page?.messages.find(({ id }) => id === 'g7')?.cost).toEqual(ofCall)
    const written = await store.content.answer('calls', key, {})
    const calls = written && read(written)
    const acme = calls?.models.findIndex(({ name }) => name === 'acme-model-9') ?? -1
    expect(calls?.usd[calls.modelOf.indexOf(acme)]).toBe(ofCall.usd)
    expect(store.usage(usageQuerySchema.parse({ by: 'model', tz: 'UTC' })).total.cost).toEqual(PRICED)
    const found = await store.search(searchQuerySchema.parse({ q: 'model:acme cost:>0.0012' }))
    expect(found.hits.map(({ messageId }) => messageId)).toContain('g7')
  })

  it('price the kept rows of an earlier run anew, there and back', async () => {
    expect(await costIn(await open())).toEqual(LISTED)
    await stores.pop()?.close()
    await write(ACME)
    expect(await costIn(await open())).toEqual(PRICED)
    await stores.pop()?.close()
    await rm(join(folder, 'prices.json'))
    expect(await costIn(await open())).toEqual(LISTED)
  })

  it('hold from the next look at the disk on, without a new start', async () => {
    const store = await open({ isWatching: true })
    expect(await costIn(store)).toEqual(LISTED)
    await write(ACME)
    await cp(new URL('../twins/home/tmp/webshop', FIXTURE), join(folder, '.gemini/tmp/twins'), {
      recursive: true,
    })
    await vi.waitFor(async () => {
      const { sessions } = await store.sessions(ALL)
      expect(sessions.map(({ cost }) => cost)).toContainEqual(PRICED)
    }, 60_000)
  })

  it('are nothing for who is on a plan: no cost at all, never 0', async () => {
    await write({ version: 1, plan: 'nothing' })
    const store = await open()
    expect(await costIn(store)).toEqual({ usd: null, unpricedCalls: 10 })
    expect(store.health().prices).toMatchObject({ plan: 'nothing', problem: null })
  })

  it('that are wrong are told of, and list prices stand in', async () => {
    await writeFile(join(folder, 'prices.json'), '{"version":1,"models":{')
    expect(await costIn(await open())).toEqual(LISTED)
    expect(told).toEqual([expect.stringContaining('are not used: it is no JSON')])
    expect(stores[0]?.health().prices).toMatchObject({ plan: 'list-price', problem: told[0] })
  })
})
