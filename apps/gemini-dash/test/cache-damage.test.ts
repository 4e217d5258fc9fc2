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
import { basename, dirname, join } from 'node:path'
import { messageQuerySchema, searchQuerySchema, sessionQuerySchema, usageQuerySchema } from '@gemini-dash/api'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { createStore } from '../src/store/create-store.ts'
import type { Store } from '../src/store/store.ts'
import { fixtureHome, workerUrl } from './open-test-server.ts'
import { bitOfValue } from './sqlite-values.ts'

/** `CACHE_FLIPS=200 npx vitest run cache-damage` for the full test; `CACHE_SEED` for other bits. */
const FLIPS = Number(process.env.CACHE_FLIPS ?? 40)
/** One in a value of each of the two databases, where quick_check notices nothing, and two anywhere. */
const FLIPS_A_RUN = 4
const SEED = Number(process.env.CACHE_SEED ?? 16)
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

  async function withStore<T>(cacheDirectory: string | null, ask: (store: Store) => Promise<T>): Promise<T> {
    const store = await createStore({
      homes: findHomes({ homeArguments: [home], env: {}, userHome: folder }),
      cacheDirectory,
      workerUrls: { index: workerUrl('index-worker.js'), reader: workerUrl('reader-worker.js') },
      isWatching: false,
      version: '0.0.0-test',
      isDemo: false,
      // so that the data stored for long sessions is damaged, too
      longFrom: { bytes: 0, messages: 0 },
    })
    try {
      return await ask(store)
    } finally {
      await store.close()
    }
  }

  async function answersOf(store: Store) {
    // before anything else is read, like the first request of a page
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
    await withStore(whole, answersOf)
    // Left by a killed process.
    const owner = join(dirname(filesOf(whole).find((path) => path.endsWith('.db')) ?? ''), 'owner.json')
    writeFileSync(owner, JSON.stringify({ id: 'gone', pid: 2 ** 22 + 1, host: 'elsewhere' }))
    utimesSync(owner, LONG_AGO, LONG_AGO)
    const { first: _, ...expected } = await withStore(null, answersOf)
    const random = randomNumbers(SEED)
    for (let flips = 0; flips < FLIPS; flips += FLIPS_A_RUN) {
      const damaged = join(folder, 'damaged')
      cpSync(whole, damaged, { recursive: true })
      const inValues = filesOf(damaged).filter((path) => path.endsWith('.db'))
      expect(inValues).toHaveLength(FLIPS_A_RUN / 2)
      const flipped = [
        ...inValues.map((path) => flipBit(path, bitOfValue(readFileSync(path), random))),
        ...inValues.map(() => flipAnyBit(damaged, random)),
      ]
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

/** Flips a bit of any file, small files as often as large ones. Returns which. */
function flipAnyBit(directory: string, random: () => number): string {
  const files = filesOf(directory)
  const path = files[Math.floor(random() * files.length)] ?? ''
  return flipBit(path, Math.floor(random() * statSync(path).size * 8))
}

/** The timestamps of the file stay the same. */
function flipBit(path: string, bit: number): string {
  const bytes = readFileSync(path)
  const { atimeMs, mtimeMs } = statSync(path)
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  writeFileSync(path, bytes)
  utimesSync(path, atimeMs / 1000, mtimeMs / 1000)
  return `bit ${bit} of ${basename(path)}`
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

/** The same numbers for the same seed, in [0, 1). */
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
  const rows = Array.from({ length: 60 }, (_, n) => ({
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
