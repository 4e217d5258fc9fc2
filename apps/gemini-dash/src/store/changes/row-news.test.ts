import { liveEventSchema } from '@gemini-dash/api'
import { NO_USAGE } from 'gemini-sessions'
import { beforeEach, expect, test } from 'vitest'
import { Catalog, type CatalogSession } from '../catalog/catalog.ts'
import { recordFixture } from '../fixtures/record-fixture.ts'
import { RowNews } from './row-news.ts'

type Summary = NonNullable<Parameters<typeof recordFixture>[0]>

let catalog: Catalog
let isHeard: boolean
let liveKeys: Set<string>
let news: RowNews

beforeEach(() => {
  catalog = new Catalog()
  isHeard = true
  liveKeys = new Set()
  const live = { isLive: ({ summary }: CatalogSession) => liveKeys.has(summary.key) }
  news = new RowNews({ catalog, live }, { rowOf: ({ summary }) => summary, isHeard: () => isHeard })
  put('a', { title: 'first' })
  put('b', {})
  catalog.sessions()
})

const tell = (sessionKey: string) => liveEventSchema.parse(news.tell({ kind: 'changed', sessionKey }))

test('R53: a session that changed alone has its row in the news, with what it said in sums before', () => {
  put('a', { title: 'second', usage: { ...NO_USAGE, input: 7 } })
  const { row, before, spent } = tell('a')
  expect(row).toMatchObject({ key: 'a', title: 'second', usage: { input: 7 } })
  expect(before?.usage?.input).toBe(100)
  expect(spent).toEqual({ slots: [], parts: [], tools: [] })
})

test('R53: of several changes the news is what they came to', () => {
  put('a', { usage: { ...NO_USAGE, input: 7 } })
  put('a', { usage: { ...NO_USAGE, input: 8 } })
  expect(tell('a')).toMatchObject({ row: { usage: { input: 8 } }, before: { usage: { input: 100 } } })
})

test.each([
  ['where others may have changed with it', () => put('c', {}), 'a'],
  ['of what is not there', () => undefined, 'z'],
  ['where nobody listens', () => hearNobody(), 'a'],
  ['where it is long', () => put('a', { title: 'x'.repeat(40_000) }), 'a'],
  ['that is not read whole', () => put('a', { indexed: 'head' }), 'a'],
])('R53: no row comes %s', (_when, change, key) => {
  change()
  expect(tell(key)).toEqual({ kind: 'changed', sessionKey: key })
})

test('R53: a row with an open prompt comes only if its session was being written, and is', () => {
  const failures = { tools: 0, refused: 0, unanswered: 1 }
  put('a', { failures })
  expect(tell('a').row).toBeUndefined()
  liveKeys.add('a')
  expect(tell('a').row).toBeUndefined()
  put('a', { failures })
  expect(tell('a')).toMatchObject({ row: { key: 'a' }, before: { failures: { unanswered: 0 } } })
  liveKeys.delete('a')
  expect(tell('a').row).toBeUndefined()
})

function hearNobody(): void {
  isHeard = false
}

function put(key: string, summary: Summary): void {
  const record = recordFixture({ key, sessionId: `id-${key}`, ...summary })
  const files = [{ absolutePath: `/h/${key}`, projectFolder: '/h' }]
  catalog.put({ id: key, fingerprint: '', files } as never, [record])
}
