import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { SessionSummary } from 'gemini-sessions'
import type { GeminiHome } from 'gemini-sessions/node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Catalog } from '../../catalog/catalog.ts'
import { recordFixture } from '../../fixtures/record-fixture.ts'
import { DeletionTimes } from './deletion-times.ts'

let path: string
let catalog: Catalog
let times: DeletionTimes

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'gemini-dash-retention-'))
  catalog = new Catalog()
  const home: GeminiHome = { path, tmpPath: `${path}/tmp`, exists: true }
  times = new DeletionTimes(catalog, () => [home])
})

afterEach(() => rmSync(path, { recursive: true }))

test('a session that is asked for alone goes when the list says so', () => {
  retain({ enabled: true, maxAge: '45d' })
  put(0, {})
  put(1, { buried: true })
  put(2, { endTime: null, lastUpdated: null })
  put(3, { kind: 'checkpoint' })
  const alone = sessions().map((session) => times.tellAlone(session)?.deletedAfter)
  expect(alone).toEqual(sessions().map(({ summary }) => times.tell(summary).deletedAfter))
  expect(alone.filter((time) => time !== null).length).toBeGreaterThan(0)
})

test('where only so many are kept, one alone does not tell', () => {
  retain({ enabled: true, maxAge: '45d', maxCount: 1 })
  put(0, {})
  expect(sessions().map((session) => times.tellAlone(session))).toEqual([null])
})

const arbitraryStep = fc.record({
  index: fc.nat(5),
  folder: fc.constantFrom('webshop', 'api', 'f'.repeat(64)),
  suffix: fc.constantFrom('aaaaaaaa', 'bbbbbbbb'),
  day: fc.integer({ min: 10, max: 14 }),
  isGone: fc.boolean(),
  buried: fc.boolean(),
  kind: fc.constantFrom('main' as const, 'subagent' as const),
  role: fc.constantFrom('current' as const, 'stub' as const),
  setting: fc.constantFrom(null, { enabled: true, maxAge: '45d' }, { enabled: true, maxCount: 2 }),
})

test('what is kept of each folder while rows change says what a fresh look says', () => {
  fc.assert(
    fc.property(fc.array(arbitraryStep, { maxLength: 12 }), (steps) => {
      catalog = new Catalog()
      const home: GeminiHome = { path, tmpPath: `${path}/tmp`, exists: true }
      times = new DeletionTimes(catalog, () => [home])
      for (const { index, folder, suffix, day, isGone, role, setting, ...summary } of steps) {
        if (setting !== null) retain(setting)
        if (isGone) catalog.remove(String(index))
        else {
          const name = `session-2026-11-20T10-0${index}-${suffix}.jsonl`
          const at = { sizeBytes: 1, format: 'jsonl' as const, role }
          const files = [{ home: path, path: `tmp/${folder}/chats/${name}`, ...at }]
          const endTime = `2026-11-${day}T10:00:00.000Z`
          put(index, { ...summary, files, endTime, lastUpdated: endTime })
        }
        const fresh = new DeletionTimes(catalog, () => [home])
        for (const { summary } of sessions())
          expect(times.tell(summary).deletedAfter).toBe(fresh.tell(summary).deletedAfter)
      }
    }),
    { numRuns: 40 },
  )
})

function retain(sessionRetention: object): void {
  writeFileSync(join(path, 'settings.json'), JSON.stringify({ general: { sessionRetention } }))
}

function sessions() {
  return [...catalog.sessions().values()]
}

function put(index: number, summary: Partial<SessionSummary>): void {
  const name = `session-2026-11-20T10-00-0000000${index}.jsonl`
  const files: SessionSummary['files'] = [
    { home: path, path: `tmp/webshop/chats/${name}`, sizeBytes: 1, format: 'jsonl', role: 'current' },
  ]
  const record = recordFixture({ key: `k${index}`, sessionId: `id-${index}`, files, ...summary })
  const group = { id: String(index), fingerprint: '', files: [{ absolutePath: name, projectFolder: '/p' }] }
  catalog.put(group as never, [record])
}
