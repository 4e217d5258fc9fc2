import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { messageQuerySchema, searchQuerySchema, sessionQuerySchema, usageQuerySchema } from '@gemini-dash/api'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { createStore } from '../src/store/create-store.ts'
import type { Store } from '../src/store/store.ts'
import { fixtureHome, workerUrl } from './open-test-server.ts'

/** Raised by `CACHE_FLIPS=200 npx vitest run cache-damage`. */
const FLIPS = Number(process.env.CACHE_FLIPS ?? 6)
const FLIPS_A_RUN = 3
const SEED = Number(process.env.CACHE_SEED ?? 16)
/** So many of a session are kept on disk when it was opened. */
const MANY_MESSAGES = 4_000
const LONG_AGO = new Date(machineTime().getTime() - 600_000)
const ALL = sessionQuerySchema.parse({ kind: 'all', limit: 1000, tz: 'UTC' })
const SEARCHES = [
  { q: 'rounding' },
  { q: 'error' },
  { q: 'the tool:shell' },
  { q: 'round', mode: 'substring' },
]
const MAIN = sessionQuerySchema.parse({ limit: 3, tz: 'UTC' })

describe('A5: single bits of the cache that turned over', () => {
  let folder: string
  let home: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-damage-'))
    home = join(folder, '.gemini')
    cpSync(join(fixtureHome('0.61.0'), '.gemini'), home, { recursive: true })
    const long = join(home, 'tmp/webshop/chats/session-2026-11-22T08-00-7c7c7c7c.jsonl')
    writeFileSync(long, longLog())
    utimesSync(long, LONG_AGO, LONG_AGO)
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  async function withStore<T>(
    cacheDirectory: string | null,
    ask: (store: Store) => Promise<T>,
    isPreparing = false,
  ): Promise<T> {
    const store = await createStore({
      homes: findHomes({ homeArguments: [home], env: {}, userHome: folder }),
      cacheDirectory,
      workerUrls: { index: workerUrl('index-worker.js'), reader: workerUrl('reader-worker.js') },
      isWatching: isPreparing,
      version: '0.0.0-test',
      isDemo: false,
      idleTime: { lookIntervalMs: 100, quietMs: 0, isMachineBusy: () => !isPreparing },
    })
    try {
      return await ask(store)
    } finally {
      await store.close()
    }
  }

  async function answersOf(store: Store) {
    // before anything else is read, as a page asks first
    const first = await store.sessions(MAIN)
    await store.whenReady()
    const list = await store.sessions(ALL)
    const opened = []
    for (const { key } of list.sessions) {
      const page = await store.content.answer('messages', key, messageQuerySchema.parse({ limit: 50 }))
      opened.push({ detail: (await store.content.session(key)) ?? null, page })
    }
    return {
      first: first.sessions.map(({ key, usage }) => (usage === null ? { key } : { key, usage })),
      list,
      usage: store.usage(usageQuerySchema.parse({ tz: 'UTC' })),
      found: await Promise.all(
        SEARCHES.map((search) => store.search(searchQuerySchema.parse({ ...search, limit: 100, tz: 'UTC' }))),
      ),
      doctor: { ...(await store.doctor()), cache: null },
      health: store.health(),
      opened,
    }
  }

  it(`are never shown nor written out again: ${FLIPS} of them`, async () => {
    const whole = join(folder, 'whole')
    await withStore(
      whole,
      async (store) => {
        await answersOf(store)
        const kinds = () => new Set(filesOf(whole).map((path) => path.split('.').at(-1)))
        await vi.waitFor(() => expect(kinds()).toContain('detail'), { timeout: 60_000, interval: 100 })
      },
      true,
    )
    // Left by a process that was killed.
    const owner = join(dirname(filesOf(whole).find((path) => path.endsWith('.db')) ?? ''), 'owner.json')
    writeFileSync(owner, JSON.stringify({ id: 'gone', pid: 2 ** 22 + 1, host: 'elsewhere' }))
    utimesSync(owner, LONG_AGO, LONG_AGO)
    const { first: _, ...expected } = await withStore(null, answersOf)
    const random = randomNumbers(SEED)
    for (let flips = 0; flips < FLIPS; flips += FLIPS_A_RUN) {
      const damaged = join(folder, 'damaged')
      cpSync(whole, damaged, { recursive: true })
      const flipped = flipBits(damaged, Math.min(FLIPS_A_RUN, FLIPS - flips), random)
      for (const start of ['the first start after it', 'the next']) {
        const { first, ...answers } = await withStore(damaged, answersOf)
        const usageOf = new Map(expected.list.sessions.map(({ key, usage }) => [key, usage]))
        const wrong = first.filter(({ key, usage }) => usage && !isEqual(usage, usageOf.get(key)))
        expect([start, flipped, wrong]).toEqual([start, flipped, []])
        expect({ start, flipped, ...answers }).toEqual({ start, flipped, ...expected })
      }
      rmSync(damaged, { recursive: true })
    }
  }, 1_800_000)
})

/** One bit each in the files of the cache, small files as often as large ones. */
function flipBits(directory: string, count: number, random: () => number): string[] {
  const files = filesOf(directory)
  return Array.from({ length: count }, () => {
    const path = files[Math.floor(random() * files.length)] ?? ''
    const bytes = readFileSync(path)
    const { atimeMs, mtimeMs } = statSync(path)
    const bit = Math.floor(random() * bytes.length * 8)
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    writeFileSync(path, bytes)
    utimesSync(path, atimeMs / 1000, mtimeMs / 1000)
    return `bit ${bit} of ${path.slice(directory.length)}`
  })
}

function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** The same numbers for the same seed, from 0 to below 1. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function longLog(): string {
  const start = Date.parse('2026-11-22T08:00:00Z')
  const timeOf = (n: number) => new Date(start + n * 1_000).toISOString()
  const head = {
    sessionId: '7c7c7c7c-1b1b-4c4c-8d8d-2e2e2e2e2e2e',
    startTime: timeOf(0),
    lastUpdated: timeOf(0),
  }
  const rows = Array.from({ length: MANY_MESSAGES + 10 }, (_, n) => ({
    id: `message-${n}`,
    timestamp: timeOf(n),
    type: n % 2 === 0 ? 'user' : 'gemini',
    content: `rounding number ${n}`,
    ...(n % 2 === 1 && {
      model: 'gemini-2.5-pro',
      tokens: { input: 1_000 + n, output: n, cached: 0, thoughts: 0, tool: 0, total: 1_000 + 2 * n },
    }),
  }))
  return [head, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('')
}
