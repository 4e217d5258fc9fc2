import { createHash } from 'node:crypto'
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type Doctor,
  doctorSchema,
  sessionListSchema,
  sessionQuerySchema,
  usageQuerySchema,
} from '@gemini-dash/api'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStore } from '../src/store/create-store.ts'
import { fixtureHome, workerUrl } from './open-test-server.ts'
import { runProgram } from './run-program.ts'

const CHAT = 'tmp/webshop/chats/session-2026-11-21T20-30-ab5a15b1.jsonl'
const ODD = '{"$merge":{"a":1}}\n{"id":"odd","type":"user","content":"x","mood":1}\n'

let folder: string
let home: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gemini-dash-doctor-'))
  home = join(folder, '.gemini')
  await cp(join(fixtureHome('0.61.0'), '.gemini'), home, { recursive: true })
})
afterEach(() => rm(folder, { recursive: true }))

/** A store started with this cache; null: built from scratch. */
async function openStore(cacheDirectory: string | null) {
  const store = await createStore({
    homes: findHomes({ homeArguments: [home], env: {}, userHome: folder }),
    cacheDirectory,
    workerUrls: { index: workerUrl('index-worker.js'), reader: workerUrl('reader-worker.js') },
    isWatching: false,
    version: '0.0.0-test',
    isDemo: false,
  })
  await store.whenReady()
  return store
}

/** The doctor's report. */
async function examine(cacheDirectory: string | null): Promise<Doctor> {
  const store = await openStore(cacheDirectory)
  const report = await store.doctor()
  await store.close()
  return { ...report, cache: { path: null, sizeBytes: 0 } }
}

describe('the report from a warm index', () => {
  it('equals one from nothing: after a restart, an append, a copy and a deletion', async () => {
    const cache = join(folder, 'cache')
    const counts = async () => {
      const warm = await examine(cache)
      expect(warm).toEqual(await examine(null))
      return warm.drift.map(({ where, name, count }) => [where, name, count])
    }
    await examine(cache)
    await appendFile(join(home, CHAT), ODD)
    await cp(join(home, CHAT), join(home, CHAT.replace('T20-30', 'T20-31')))
    expect(await counts()).toEqual([
      ['message', 'mood', 1],
      ['record', '$merge', 1],
    ])
    await appendFile(join(home, CHAT), '{"$merge":{"a":2}}\n')
    expect(await counts()).toEqual([
      ['record', '$merge', 2],
      ['message', 'mood', 1],
    ])
    await rm(join(home, CHAT))
    await rm(join(home, CHAT.replace('T20-30', 'T20-31')))
    expect(await counts()).toEqual([])
  })
})

describe('a file that the doctor calls a repetition', () => {
  const chats = () => join(home, dirname(CHAT))
  const name = (of: string) => CHAT.slice(CHAT.lastIndexOf('/') + 1).replace('T20-30', of)

  /** The answers of every list, except for locations and sizes of files. */
  const answers = async () => {
    const store = await openStore(null)
    const { sessions } = await store.sessions(sessionQuerySchema.parse({ kind: 'all', limit: 200 }))
    const usage = await store.usage(usageQuerySchema.parse({ by: 'day', tz: 'UTC' }))
    const { copies, onlyThere } = await store.doctor()
    await store.close()
    const rows = sessions.map(({ files, ...row }) => row)
    return { shown: { rows, usage: usage.rows }, copies, onlyThere }
  }

  it('can be deleted, and no answer changes; one with an answer of its own is named', async () => {
    const lines = (await readFile(join(home, CHAT), 'utf8')).trimEnd().split('\n')
    const cut = lines.slice(0, Math.ceil(lines.length / 2))
    const record = (id: string, text: string) =>
      JSON.stringify({ id, type: 'gemini', timestamp: '2026-11-21T20:30:16.500Z', content: text, model: 'm' })
    const write = (of: string, rows: string[]) => writeFile(join(chats(), name(of)), `${rows.join('\n')}\n`)
    await write('T20-31', lines)
    await write('T20-32', cut)
    await write('T20-33', [...cut, record('laptop', 'laptop answer fulmar')])
    const { shown, copies, onlyThere } = await answers()
    expect(copies.length).toBeGreaterThan(1)
    expect(onlyThere.filter(({ firstKey }) => firstKey === 'laptop')).toHaveLength(1)
    for (const { path } of copies) {
      await rm(path)
      expect((await answers()).shown).toEqual(shown)
    }
  })

  it('is one line with all others of its folder', async () => {
    const hash = createHash('sha256').update('/tmp/demo/webshop').digest('hex')
    await cp(chats(), join(home, 'tmp', hash, 'chats'), { recursive: true })
    const { stdout } = await runProgram(['doctor', '--home', home, '--no-cache', '--all'])
    const [, lines = ''] = /^Copies\n((?: {2}.*\n)+)/m.exec(stdout) ?? []
    expect(lines.trim().split('\n')).toEqual([
      expect.stringMatching(/^\d+ files only repeat another file:$/),
      // the folder of a sub-agent
      expect.stringMatching(/\S+\/[0-9a-f-]{36}\.jsonl repeats \S+$/),
      expect.stringMatching(RegExp(`^ {2}\\d+ files of \\S+/(webshop|${hash})/chats repeat \\S+/chats$`)),
    ])
  })
})

describe('gemini-dash doctor', () => {
  const run = (...args: string[]) => runProgram(['doctor', '--home', home, '--no-cache', ...args])

  it('ends with 0 where everything was read and understood', async () => {
    const { code, stdout, stderr } = await run('--json')
    expect([code, stderr, doctorSchema.parse(JSON.parse(stdout)).isWell]).toEqual([0, '', true])
  })

  it('ends with 1 where something was not, with the whole report and a sentence', async () => {
    await appendFile(join(home, CHAT), ODD)
    await writeFile(join(home, 'tmp/webshop/chats/session-2026-11-20T10-00-deadbeef.json'), '')
    const output = join(home, 'tmp/webshop/tool-outputs/session-of-nobody/run_1.txt')
    await mkdir(dirname(output), { recursive: true })
    await writeFile(output, 'x'.repeat(70_000))
    const { code, stdout, stderr } = await run('--json')
    const report = doctorSchema.parse(JSON.parse(stdout))
    expect([code, report.isWell, report.files.skipped.length]).toEqual([1, false, 1])
    expect(stderr).toContain('1 file was not read')
    expect(stderr).toContain('2 unknown fields')
    const summary = await run()
    expect([summary.code, summary.stdout.split('\n')[0]]).toEqual([
      1,
      expect.stringMatching(/^1 of \d+ files couldn't be read\. \d+ sessions? found\.$/),
    ])
    expect(summary.stdout).toContain(
      'session-2026-11-20T10-00-deadbeef.json\n                 The file is empty',
    )
    expect(summary.stdout).toContain('Unknown fields   2: gemini-dash doctor --all')
    const text = await run('--all')
    expect(text.code).toBe(1)
    expect(text.stdout).toContain('The file is empty')
    expect(text.stdout).toContain('record "$merge" (1)')
    expect(text.stdout).toContain('tool outputs 70 KB')
  })
})

describe('a row tells when the CLI deletes it', () => {
  const ask = async (...args: string[]) =>
    JSON.parse((await runProgram([...args, '--home', home, '--no-cache', '--json'])).stdout)
  const retain = (sessionRetention: object) =>
    writeFile(join(home, 'settings.json'), JSON.stringify({ general: { sessionRetention } }))

  it('by the age in the settings, in lists and on its own; where nothing is deleted, never', async () => {
    await retain({ enabled: true, maxAge: '45d' })
    const { sessions } = sessionListSchema.parse(await ask('list'))
    const [row] = sessions
    const writtenMs = Date.parse(row?.lastUpdated ?? '')
    expect(row?.deletedAfter).toBe(new Date(writtenMs + 45 * 86_400_000).toISOString())
    expect((await ask('show', row?.key ?? '')).session.deletedAfter).toBe(row?.deletedAfter)
    await retain({ enabled: false })
    const kept = sessionListSchema.parse(await ask('list')).sessions
    expect(kept.map((row) => row.deletedAfter)).toEqual(sessions.map(() => null))
  })
})
