import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { doctorSchema } from '@gemini-dash/api'
import type { SessionRecord } from '@gemini-dash/session-index'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildDoctor } from './build-doctor.ts'
import { recordFixture } from './record-fixture.ts'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')
const FILE = { home: '/h', sizeBytes: 1, format: 'jsonl' } as const

describe('the doctor', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gemini-dash-doctor-'))
    await mkdir(join(folder, '.gemini', 'tmp'), { recursive: true })
  })
  afterEach(() => rm(folder, { recursive: true }))

  function examine(...records: SessionRecord[]) {
    return doctorSchema.parse(
      buildDoctor({
        homes: findHomes({ homeArguments: [folder], env: {}, userHome: folder }),
        scan: {
          projects: [],
          files: [],
          skipped: [
            {
              path: '/h/fifo',
              code: 'not-a-file',
              reason: 'A FIFO.',
              advice: 'Move it.',
              needsAttention: true,
            },
          ],
        },
        sessions: records.map((record) => ({ record, summary: record.summary })),
        cache: { path: null, sizeBytes: 0 },
        nowMs: NOW,
      }),
    )
  }

  it('names every file that was skipped or could not be read, with a sentence', () => {
    const damaged = recordFixture(
      { files: [{ ...FILE, path: 'tmp/a/chats/session-x.json', role: 'damaged' }] },
      {
        issues: [{ code: 'truncated-json', at: 'byte 10240', args: {}, file: 'tmp/a/chats/session-x.json' }],
      },
    )
    expect(examine(damaged).files.skipped).toEqual([
      { path: '/h/fifo', reason: 'A FIFO.' },
      {
        path: '/h/tmp/a/chats/session-x.json',
        reason: expect.stringContaining('ends in the middle (byte 10240)'),
      },
    ])
  })

  it('counts issues and drift with an example, the most frequent first', () => {
    const odd = recordFixture(
      { files: [{ ...FILE, path: 'tmp/a/chats/session-y.jsonl', role: 'current' }] },
      {
        issues: [
          { code: 'bad-field', at: 'line 2', args: {}, file: 'tmp/a/chats/session-y.jsonl' },
          { code: 'bad-line', at: 'line 3', args: {}, file: 'tmp/a/chats/session-y.jsonl' },
          { code: 'bad-line', at: 'line 9', args: {}, file: 'tmp/a/chats/session-y.jsonl' },
        ],
        drift: [
          { where: 'record', name: '$shiny', at: 'line 4', count: 1, file: 'tmp/a/chats/session-y.jsonl' },
        ],
      },
    )
    const { issues, drift } = examine(odd)
    expect(issues).toEqual([
      { code: 'bad-line', count: 2, example: { path: 'tmp/a/chats/session-y.jsonl', at: 'line 3' } },
      { code: 'bad-field', count: 1, example: { path: 'tmp/a/chats/session-y.jsonl', at: 'line 2' } },
    ])
    expect(drift).toEqual([
      { where: 'record', name: '$shiny', count: 1, example: 'tmp/a/chats/session-y.jsonl, line 4' },
    ])
  })

  it('warns a week before the CLI deletes a session: by default after 30 days', () => {
    const old = recordFixture({ key: 'old', lastUpdated: '2026-10-25T12:00:00.000Z' })
    const fresh = recordFixture({ key: 'fresh', lastUpdated: '2026-11-20T12:00:00.000Z' })
    expect(examine(old, fresh).retention).toEqual({
      enabled: true,
      maxAgeDays: 30,
      expiring: [{ sessionKey: 'old', deletedAfter: '2026-11-24T12:00:00.000Z' }],
    })
  })

  it('takes the age from the settings, and warns of nothing where deletion is off', async () => {
    const settings = join(folder, '.gemini', 'settings.json')
    const fresh = recordFixture({ key: 'fresh', lastUpdated: '2026-11-20T12:00:00.000Z' })
    await writeFile(settings, '{"general":{"sessionRetention":{"enabled":true,"maxAge":"2d"}}}')
    expect(examine(fresh).retention).toMatchObject({ maxAgeDays: 2, expiring: [{ sessionKey: 'fresh' }] })
    await writeFile(settings, '{"general":{"sessionRetention":{"enabled":false}}}')
    expect(examine(fresh).retention).toEqual({ enabled: false, maxAgeDays: null, expiring: [] })
  })
})
