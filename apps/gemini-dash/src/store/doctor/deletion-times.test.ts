import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { SessionSummary } from 'gemini-sessions'
import type { GeminiHome } from 'gemini-sessions/node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordFixture } from '../../../test/record-fixture.ts'
import { Rows } from '../sync/rows.ts'
import { DeletionTimes } from './deletion-times.ts'

let path: string
let rows: Rows
let times: DeletionTimes

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'gemini-dash-retention-'))
  rows = new Rows()
  const home: GeminiHome = { path, tmpPath: `${path}/tmp`, exists: true }
  times = new DeletionTimes(rows, () => [home])
})

afterEach(() => rmSync(path, { recursive: true }))

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
      rows = new Rows()
      const home: GeminiHome = { path, tmpPath: `${path}/tmp`, exists: true }
      times = new DeletionTimes(rows, () => [home])
      for (const { index, folder, suffix, day, isGone, role, setting, ...summary } of steps) {
        if (setting !== null) retain(setting)
        if (isGone) rows.remove(String(index))
        else {
          const name = `session-2026-11-20T10-0${index}-${suffix}.jsonl`
          const at = { sizeBytes: 1, format: 'jsonl' as const, role }
          const files = [{ home: path, path: `tmp/${folder}/chats/${name}`, ...at }]
          const endTime = `2026-11-${day}T10:00:00.000Z`
          put(index, { ...summary, files, endTime, lastUpdated: endTime })
        }
        const fresh = new DeletionTimes(rows, () => [home])
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
  return [...rows.sessions().values()]
}

function put(index: number, summary: Partial<SessionSummary>): void {
  const name = `session-2026-11-20T10-00-0000000${index}.jsonl`
  const files: SessionSummary['files'] = [
    { home: path, path: `tmp/webshop/chats/${name}`, sizeBytes: 1, format: 'jsonl', role: 'current' },
  ]
  const record = recordFixture({ key: `k${index}`, sessionId: `id-${index}`, files, ...summary })
  const group = { id: String(index), fingerprint: '', files: [{ absolutePath: name, projectFolder: '/p' }] }
  rows.put(group as never, [record])
}
