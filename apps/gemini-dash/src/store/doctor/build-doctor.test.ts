import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Doctor, doctorSchema } from '@gemini-dash/api'
import type { SessionRecord } from '@gemini-dash/session-index'
import type { DriftNote, InFile, SessionFile } from 'gemini-sessions'
import { findHomes, type SkippedEntry } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordFixture } from '../../../test/record-fixture.ts'
import { buildDoctor } from './build-doctor.ts'
import { DeletionTimes } from './deletion-times.ts'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')
const OLD = '2026-10-25T12:00:00.000Z'
const FRESH = '2026-11-20T12:00:00.000Z'
const CHATS = 'tmp/shop/chats'
const FIFO: SkippedEntry = {
  path: '/h/fifo',
  code: 'not-a-file',
  reason: 'A FIFO.',
  advice: 'Move it.',
  needsAttention: true,
}
const BACKUP: SkippedEntry = { ...FIFO, path: '/h/x.bak', code: 'left-out', needsAttention: false }

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gemini-dash-doctor-'))
  await mkdir(join(folder, '.gemini', 'tmp'), { recursive: true })
})
afterEach(() => rm(folder, { recursive: true }))

function examine(records: SessionRecord[], skipped: SkippedEntry[] = []): Omit<Doctor, 'disk' | 'unpriced'> {
  return doctorSchema.omit({ disk: true, unpriced: true }).parse(
    buildDoctor({
      homes: findHomes({ homeArguments: [folder], env: {}, userHome: folder }),
      scan: { projects: [], files: [], skipped },
      projects: [],
      sessions: records.map((record) => ({ record, summary: record.summary })),
      cache: { path: null, sizeBytes: 0 },
      warnings: [],
      isComplete: true,
      nowMs: NOW,
    }),
  )
}

function fileAt(path: string, role: SessionFile['role'] = 'current'): SessionFile {
  return { home: join(folder, '.gemini'), path, role, sizeBytes: 1, format: 'jsonl' }
}

function note(name: string, count: number, file: string): InFile<DriftNote> {
  return { where: 'record', name, at: 'line 4', count, file }
}

function settings(retention: object): Promise<void> {
  const text = JSON.stringify({ general: { sessionRetention: retention } })
  return writeFile(join(folder, '.gemini', 'settings.json'), text)
}

describe('what was not read', () => {
  it('is named with a reason and what to do, what somebody may miss first', () => {
    const path = `${CHATS}/session-x.json`
    const damaged = recordFixture(
      { key: 'cut', files: [fileAt(path, 'damaged')] },
      { issues: [{ code: 'truncated-json', at: 'byte 10240', args: {}, file: path }] },
    )
    const { files, isWell } = examine([damaged], [BACKUP, FIFO])
    expect(files.skipped.map(({ path }) => path)).toEqual([
      '/h/fifo',
      `${folder}/.gemini/${path}`,
      '/h/x.bak',
    ])
    expect(files.skipped[1]).toMatchObject({
      reason: expect.stringContaining('cut off (byte 10,240)'),
      advice: expect.stringMatching(/^[A-Z].+\.$/),
      sessionKey: 'cut',
    })
    expect(isWell).toBe(false)
  })

  it('disturbs nobody where nothing is missed by it', () => {
    expect(examine([], [BACKUP]).isWell).toBe(true)
  })

  it('says of a home without sessions why', () => {
    expect(examine([]).homes).toEqual([
      { path: `${folder}/.gemini`, exists: true, files: 0, note: 'It has no projects yet.' },
    ])
  })
})

describe('what was partly read', () => {
  const file = `${CHATS}/session-y.jsonl`
  const odd = recordFixture(
    { key: 'odd', title: 'Odd' },
    {
      issues: [
        { code: 'bad-field', at: 'line 2', args: {}, file },
        { code: 'bad-line', at: 'line 3', args: {}, file },
        { code: 'bad-line', at: '', args: {}, count: 900, file },
      ],
    },
  )

  it('is counted by kind with an example and the sessions, the most frequent first', () => {
    const { issues, isWell } = examine([odd])
    expect(issues.map(({ code, count, example, partlyRead }) => [code, count, example, partlyRead])).toEqual([
      [
        'bad-line',
        901,
        { path: file, at: 'line 3' },
        { total: 1, first: [{ sessionKey: 'odd', title: 'Odd' }] },
      ],
      [
        'bad-field',
        1,
        { path: file, at: 'line 2' },
        { total: 1, first: [{ sessionKey: 'odd', title: 'Odd' }] },
      ],
    ])
    expect(isWell).toBe(false)
  })
})

describe('format drift', () => {
  it('is counted over all sessions with the first example', () => {
    const a = recordFixture({ key: 'a' }, { drift: [note('$shiny', 2, 'a.jsonl')] })
    const b = recordFixture(
      { key: 'b' },
      { drift: [note('$shiny', 5, 'b.jsonl'), note('$new', 1, 'b.jsonl')] },
    )
    expect(examine([a, b]).drift).toEqual([
      {
        where: 'record',
        name: '$shiny',
        count: 7,
        sessions: 2,
        example: 'a.jsonl, line 4',
        meaning: 'a line of a log of an unknown kind',
        sessionKey: 'a',
      },
      expect.objectContaining({ name: '$new', count: 1, sessions: 1 }),
    ])
  })

  it('names at most two hundred, and counts the rest', () => {
    const records = Array.from({ length: 30 }, (_, index) =>
      recordFixture(
        { key: `k${index}` },
        { drift: Array.from({ length: 10 }, (_, n) => note(`$n${index}_${n}`, 1, 'x.jsonl')) },
      ),
    )
    const { drift } = examine(records)
    expect(drift).toHaveLength(201)
    expect(drift[0]).toMatchObject({ where: 'record', name: '(others)', count: 100 })
    expect(drift.reduce((sum, { count }) => sum + count, 0)).toBe(300)
  })
})

describe('copies', () => {
  it('are named with the session that they repeat', () => {
    const files = [
      fileAt(`${CHATS}/session-a.jsonl`),
      fileAt(`${CHATS}/session-a.json`, 'twin'),
      fileAt('tmp/hash/chats/session-a.json', 'copy'),
    ]
    const { duplicates, copies, isWell } = examine([recordFixture({ key: 'a', title: 'A', files })])
    expect([duplicates, isWell]).toEqual([2, true])
    expect(copies.map(({ path, role, sessionKey }) => [path, role, sessionKey])).toEqual([
      [`${folder}/.gemini/${CHATS}/session-a.json`, 'twin', 'a'],
      [`${folder}/.gemini/tmp/hash/chats/session-a.json`, 'copy', 'a'],
    ])
  })

  it('are none of the files that hold something of their own; nor is one whose session is not read yet', () => {
    const own = { messages: 2, firstKey: 'm7' }
    const files = [
      fileAt(`${CHATS}/session-a.jsonl`),
      { ...fileAt(`${CHATS}/session-a.json`, 'twin'), own },
      { ...fileAt('tmp/hash/chats/session-a.json', 'part'), own: { messages: 0, firstKey: null } },
    ]
    const guessed = [fileAt(`${CHATS}/session-b.jsonl`), fileAt(`${CHATS}/session-c.jsonl`, 'copy')]
    const { copies, onlyThere } = examine([
      recordFixture({ key: 'a', title: 'A', files }),
      recordFixture({ key: 'b', indexed: 'head', files: guessed }),
    ])
    expect(copies).toEqual([])
    const link = { sessionKey: 'a', title: 'A' }
    expect(onlyThere).toEqual([
      { ...link, path: `${folder}/.gemini/${CHATS}/session-a.json`, ...own },
      { ...link, path: `${folder}/.gemini/tmp/hash/chats/session-a.json`, messages: 0, firstKey: null },
    ])
  })
})

describe('what the CLI will delete', () => {
  const OTHER = 'tmp/webshop/chats/session-2026-11-20T10-00-8284136e.jsonl'
  const inTwoFolders = (role: SessionFile['role'], indexed: 'full' | 'head' = 'full') => {
    const old = { ...fileAt(`${CHATS}/session-2026-10-25T10-00-8284136e.jsonl`, role), lastUpdated: OLD }
    return recordFixture({
      key: 'a',
      title: 'A',
      indexed,
      files: [{ ...fileAt(OTHER), lastUpdated: FRESH }, old],
    })
  }

  it('is no session whose copy goes elsewhere, but one of which only that file has an answer, or may have', () => {
    const warned = (record: SessionRecord) => examine([record]).retention.expiring.length
    expect([
      warned(inTwoFolders('copy')),
      warned(inTwoFolders('part')),
      warned(inTwoFolders('copy', 'head')),
    ]).toEqual([0, 1, 1])
  })

  const inChats = (key: string, lastUpdated: string, name = key) =>
    recordFixture({ key, title: key, lastUpdated, files: [fileAt(`${CHATS}/session-2026-${name}.jsonl`)] })

  it('is told a week before: by default after 30 days', () => {
    expect(examine([inChats('old', OLD), inChats('fresh', FRESH)]).retention).toEqual({
      enabled: true,
      maxAgeDays: 30,
      maxCount: null,
      problems: [],
      expiring: [{ sessionKey: 'old', title: 'old', deletedAfter: '2026-11-24T12:00:00.000Z', cause: 'age' }],
      atRisk: [],
    })
  })

  it('follows the age and number in the settings; nothing goes where deletion is off or its settings are refused', async () => {
    const sessions = [inChats('old', OLD), inChats('fresh', FRESH)]
    const expiring = () => examine(sessions).retention.expiring.map(({ sessionKey }) => sessionKey)
    await settings({ enabled: true, maxAge: '2d' })
    expect(expiring()).toEqual(['old', 'fresh'])
    await settings({ enabled: true, maxAge: '1m', maxCount: 1 })
    expect(expiring()).toEqual(['old'])
    await settings({ enabled: true, maxAge: '2h' })
    expect(examine(sessions).retention.enabled).toBe(false)
    await settings({ enabled: false })
    expect(examine(sessions).retention).toEqual({
      enabled: false,
      maxAgeDays: null,
      maxCount: null,
      problems: [],
      expiring: [],
      atRisk: [],
    })
  })

  it('is told of every session that goes, however late; never where deletion is off', async () => {
    const stub = fileAt(`${CHATS}/session-2026-0000risk.jsonl`, 'stub')
    const risk = inChats('risk', FRESH, '0000risk')
    const atRisk = { ...risk, summary: { ...risk.summary, files: [...risk.summary.files, stub] } }
    const sessions = [inChats('old', OLD), inChats('fresh', FRESH), atRisk]
    const homes = findHomes({ homeArguments: [folder], env: {}, userHome: folder })
    const summaries = sessions.map(({ summary }) => summary)
    const shown = new Map(
      sessions.map((record) => [
        record.summary.key,
        { record, summary: record.summary, groupId: '', ownKeys: [] },
      ]),
    )
    let revision = 0
    const times = new DeletionTimes(
      {
        get revision() {
          return revision++
        },
        sessions: () => shown,
      },
      () => homes,
    )
    const deletions = () =>
      Object.fromEntries(
        times
          .tellAll(summaries)
          .flatMap(({ key, deletedAfter }) => (deletedAfter === null ? [] : [[key, deletedAfter]])),
      )
    await settings({ enabled: true, maxAge: '30d' })
    expect(deletions()).toEqual({
      old: '2026-11-24T12:00:00.000Z',
      fresh: '2026-12-20T12:00:00.000Z',
      risk: FRESH,
    })
    await settings({ enabled: true, maxAge: '7d' })
    expect(deletions()).toEqual({
      old: '2026-11-01T12:00:00.000Z',
      fresh: '2026-11-27T12:00:00.000Z',
      risk: FRESH,
    })
    await settings({ enabled: true, maxAge: '30d', maxCount: 2 })
    expect(deletions()).toMatchObject({ old: OLD })
    await settings({ enabled: false })
    expect(deletions()).toEqual({})
  })

  it('leaves hash folders alone unless told: versions before 0.29 delete nothing by themselves', async () => {
    const path = `tmp/${'a'.repeat(64)}/chats/session-2026-old.json`
    const old = recordFixture({ key: 'old', lastUpdated: OLD, files: [fileAt(path)] })
    expect(examine([old]).retention.expiring).toEqual([])
    await settings({ enabled: true })
    expect(examine([old]).retention.expiring).toHaveLength(1)
  })

  it('warns of a healthy session that a resume’s empty file takes with it, at any age', () => {
    const resumed = recordFixture({
      key: 'resumed',
      title: 'Resumed',
      lastUpdated: FRESH,
      files: [
        fileAt(`${CHATS}/session-2026-11-20T10-00-8284136e.jsonl`),
        fileAt(`${CHATS}/session-2026-11-21T10-00-8284136e.jsonl`, 'stub'),
      ],
    })
    const { retention } = examine([resumed, inChats('other', FRESH, '00000000')])
    expect(retention.atRisk).toEqual([
      {
        sessionKey: 'resumed',
        title: 'Resumed',
        path: expect.stringContaining('session-2026-11-21T10-00-8284136e.jsonl'),
        reason: expect.stringContaining('An empty file, as a resume can leave one'),
      },
    ])
  })

  it('gives a reason that the file proves, and none where nothing does', () => {
    const path = `${CHATS}/session-2026-11-20T10-00-8284136e.jsonl`
    const counts = { messages: 2, prompts: 1, answers: 1, thoughts: 0, toolCalls: 0 }
    const reasonWith = (overrides: Parameters<typeof recordFixture>[0], fields = {}) => {
      const files = [{ ...fileAt(path), resumable: false }]
      return examine([recordFixture({ key: 'a', files, ...overrides }, fields)]).retention.atRisk.map(
        ({ reason }) => reason,
      )
    }
    const none = { ...counts, toolErrors: 0, notices: 0, superseded: 0 }
    const nameless = { issues: [{ code: 'no-metadata', at: '', args: {}, file: path }] }
    expect([
      reasonWith({ counts: none }, nameless),
      reasonWith({ counts: { ...none, answers: 0 } }),
      reasonWith({ counts: none }),
    ]).toEqual([
      [expect.stringMatching(/^The line that names its session is missing/)],
      [expect.stringMatching(/^Gemini CLI finds no answer in it and no prompt but commands/)],
      [expect.stringMatching(/^Gemini CLI finds nothing to resume/)],
    ])
  })

  it('warns of a conversation that was rewound to nothing, and of the neighbour of a damaged file', () => {
    const buried = recordFixture({
      key: 'buried',
      buried: true,
      files: [fileAt(`${CHATS}/session-2026-a.jsonl`)],
    })
    const damaged = recordFixture({
      key: 'cut',
      files: [fileAt(`${CHATS}/session-2026-0000000b.json`, 'damaged')],
      counts: null,
    })
    const neighbour = inChats('neighbour', FRESH, '0000000b')
    const elsewhere = recordFixture({
      key: 'elsewhere',
      files: [fileAt('tmp/other/chats/session-2026-0000000b.json')],
    })
    const { atRisk } = examine([buried, damaged, neighbour, elsewhere]).retention
    expect(atRisk.map(({ sessionKey }) => sessionKey)).toEqual(['buried', 'neighbour'])
  })
})
